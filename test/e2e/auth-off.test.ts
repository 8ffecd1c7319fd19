/** The switch that turns authentication off: older plugins work behind it, and everybody who uses it is told. */
import { expect, test } from "bun:test";
import { Sandbox, untilAsync } from "../harness.ts";
import { exampleRegister, ScriptedPlugin } from "../peers/scripted-plugin.ts";

const OFF = { STUDIO_BRIDGE_DANGEROUSLY_NO_AUTH: "1" };
const WARNING =
  "Warning: Authentication is off (STUDIO_BRIDGE_DANGEROUSLY_NO_AUTH=1): any program that reaches the bridge host can run code in Studio.\n";

const answer = (plugin: ScriptedPlugin, sessionId: string) =>
  plugin.on("execute", ({ requestId }) => {
    const header = { sessionId, ...(requestId === undefined ? {} : { requestId }) };
    plugin.send("output", { messages: [{ level: "Print", body: "from an older plugin" }] }, header);
    plugin.send("scriptComplete", { success: true }, header);
  });

test("plugins of version 1, and of version 2 without a proof, run scripts", async () => {
  await using box = await Sandbox.createAsync();
  const host = box.spawn(["serve"], { env: OFF });
  const first = await host.stderr.getReader().read();
  expect(new TextDecoder().decode(first.value)).toBe(WARNING);
  await untilAsync("the host listens", () =>
    fetch(`http://127.0.0.1:${box.port}/health`)
      .then(() => true)
      .catch(() => undefined),
  );
  const runAsync = (sessionId: string) => box.sbAsync(["exec", "print(1)", sessionId], { env: OFF });

  using version1 = new ScriptedPlugin(box.port);
  await version1.openAsync();
  version1.send("hello", { sessionId: "old" });
  const { sessionId } = Object((await version1.nextAsync("welcome")).payload);
  answer(version1, sessionId);
  expect(await runAsync(sessionId)).toEqual({
    exitCode: 0,
    stdout: "from an older plugin\n",
    stderr: `${WARNING}The plugin in Studio is of another build than this sb. Run \`sb install-plugin\` and restart Studio.\n`,
  });

  using version2 = new ScriptedPlugin(box.port);
  await version2.openAsync();
  version2.send("register", { ...exampleRegister, instanceId: "window-2" });
  await version2.nextAsync("welcome");
  const registered = await version2.nextAsync("registered");
  answer(version2, String(registered.sessionId));
  expect((await runAsync(String(registered.sessionId))).stdout).toBe("from an older plugin\n");

  const doctor = await box.sbAsync(["doctor"]);
  expect(doctor.stdout).toMatch(/^warn {2}auth +Authentication is off: any program that reaches/m);
});

test("nothing but 1 turns it off", async () => {
  await using box = await Sandbox.createAsync();
  const env = { STUDIO_BRIDGE_DANGEROUSLY_NO_AUTH: "0" };
  expect(await box.sbAsync(["sessions", "--json"], { env })).toMatchObject({ exitCode: 0, stderr: "" });
  using plugin = new ScriptedPlugin(box.port);
  await plugin.openAsync();
  plugin.send("hello", { sessionId: "old" });
  expect(await plugin.closed).toBe(4401);
  expect((await box.sbAsync(["doctor"])).stdout).not.toContain("Authentication is off");
});
