/** SB_PORT, SB_SESSION and sb.config.json, as the compiled binary takes them. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { Sandbox } from "../harness.ts";

let box: Sandbox;
beforeAll(async () => {
  box = await Sandbox.createAsync();
  await box.headlessAsync("Alpha");
}, 120_000);
afterAll(() => box[Symbol.asyncDispose]());

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

test("a fault in the project file is told with its place", async () => {
  await box.writeAsync("sb.config.json", '{\n  "contxt": "edit"\n}');
  const { stderr, exitCode } = await sbAsync(["state"]);
  expect(stderr).toContain(
    'sb.config.json:2:3: unknown key "contxt"; did you mean "context"?\nhint: Mend the file',
  );
  expect(exitCode).toBe(2);
});
