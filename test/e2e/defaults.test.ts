/** SB_PORT, SB_SESSION and sb.config.json, as the compiled binary takes them. */
import { expect, test } from "bun:test";
import { Sandbox } from "../harness.ts";
import { sandbox } from "../sandbox.ts";

const box = sandbox({ headless: "Alpha" });

const sbAsync = (...words: Parameters<Sandbox["localSbAsync"]>) => box.localSbAsync(...words);

test("SB_PORT says where the bridge host is, also to completion", async () => {
  const port = String(box.port);
  expect((await sbAsync(["exec", "return 'here'"], { SB_PORT: port })).stdout).toBe("here\n");
  expect((await sbAsync(["complete", "--", "exec", "-s", ""], { SB_PORT: port })).stdout).toContain("Alpha");
});

test("SB_SESSION chooses the session; one that is not there is told with the variable", async () => {
  const SB_PORT = String(box.port);
  const list: { sessions: { sessionId: string }[] } = JSON.parse(
    (await sbAsync(["sessions", "--json"], { SB_PORT })).stdout,
  );
  const [{ sessionId } = { sessionId: "" }] = list.sessions;
  expect((await sbAsync(["exec", "return 1"], { SB_PORT, SB_SESSION: sessionId })).stdout).toBe("1\n");
  const { stderr, exitCode } = await sbAsync(["exec", "return 1"], { SB_PORT, SB_SESSION: "nowhere" });
  expect(stderr).toContain("hint: SB_SESSION names that session. Connected: ");
  expect(exitCode).toBe(1);
});

test("a variable that makes no sense is named", async () => {
  expect(await sbAsync(["state"], { SB_PORT: "many" })).toEqual({
    stdout: "",
    stderr: "error: SB_PORT: expected a port from 1 to 65535\nhint: See `sb help state`.\n",
    exitCode: 2,
  });
});

test("the project file gives the port, and the place and context of a headless Studio", async () => {
  await box.writeAsync(
    "game/default.project.json",
    '{ "name": "Tower", "tree": { "$className": "DataModel" } }',
  );
  const config = { port: box.port, place: "game", context: "server" };
  await box.writeAsync("sb.config.json", JSON.stringify(config));
  expect((await sbAsync(["exec", "return 'same'"])).stdout).toBe("same\n");
  const own = await sbAsync([
    "exec",
    "--headless",
    "return game.Name, game:GetService('RunService'):IsServer()",
  ]);
  expect(own).toEqual({ stdout: "Tower\ntrue\n", stderr: "", exitCode: 0 });
});

test("a key that says nothing is a warning with its place, and a line of sb doctor", async () => {
  const config = { contxt: "edit", port: box.port, test: { timeout: 5, retries: -1 } };
  await box.writeAsync("sb.config.json", JSON.stringify(config, null, 1));
  const { stderr, exitCode } = await sbAsync(["sessions"]);
  expect(stderr).toMatch(
    /^Warning: .*sb\.config\.json:2:2: unknown key "contxt"; did you mean "context"\?\n/,
  );
  expect(exitCode).toBe(0);
  const { stdout } = await sbAsync(["doctor", "--json"]);
  const { checks }: { checks: { name: string; status: string; message: string }[] } = JSON.parse(stdout);
  expect(
    checks.flatMap(({ name, status, message }) =>
      name === "settings" ? `${status} ${message.replace(/^.*json:/, "")}` : [],
    ),
  ).toEqual([
    "fail 6:14: test.retries: expected 0 retries or more",
    'warn 2:2: unknown key "contxt"; did you mean "context"?',
    'warn 5:14: test: unknown key "timeout"; did you mean "timeoutMs"?',
  ]);
});
