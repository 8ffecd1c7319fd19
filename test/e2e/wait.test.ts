/** `sb wait` returns with what it saw: when something has happened, when the time is over, and never after its caller. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { Sandbox, outcomeAsync, untilAsync } from "../harness.ts";
import { McpPeer } from "../peers/mcp-peer.ts";

let box: Sandbox;
let peer: McpPeer;
beforeAll(async () => {
  box = await Sandbox.createAsync();
  await box.headlessAsync();
  peer = new McpPeer(box);
  await peer.initializeAsync();
}, 120_000);
afterAll(async () => {
  await peer[Symbol.asyncDispose]();
  await box[Symbol.asyncDispose]();
});

const execAsync = async (script: string): Promise<string> =>
  (await box.sbAsync(["exec", script])).stdout.trim();
const toolAsync = async (args: Parameters<McpPeer["toolAsync"]>[1]) =>
  Object(await peer.toolAsync("studio_wait", args)).structuredContent;

/** The answer of an agent's wait that begins before the script runs. */
async function metByAsync(args: Parameters<McpPeer["toolAsync"]>[1], script: string) {
  const waiting = toolAsync(args);
  await execAsync(`task.wait(0.1) ${script}`);
  return waiting;
}

test("each condition that comes true ends its wait with the evidence", async () => {
  const door = `local door = Instance.new("Part") door.Name = "Door" door.Parent = workspace`;
  expect(await metByAsync({ exists: "Workspace.Door" }, door)).toEqual({
    met: true,
    waitedMs: expect.any(Number),
    evidence: { path: "Workspace.Door", id: expect.stringMatching(/^@\d+$/), className: "Part" },
  });
  const property = { path: "Workspace.Door", name: "Position", value: [1, 2, 3] };
  expect(await metByAsync({ property }, "workspace.Door.Position = Vector3.new(1, 2, 3)")).toMatchObject({
    met: true,
    evidence: { name: "Position", value: { type: "Vector3", value: [1, 2, 3] } },
  });
  expect(await metByAsync({ gone: "Workspace.Door" }, "workspace.Door:Destroy()")).toMatchObject({
    met: true,
    evidence: { path: "Workspace.Door", resolvedTo: "Workspace", missing: "Door" },
  });
  const until = "local ready = workspace:GetAttribute('Ready') return ready and { ready }";
  expect(await metByAsync({ until }, "workspace:SetAttribute('Ready', 7)")).toMatchObject({
    met: true,
    evidence: { value: [7] },
  });
  expect(await toolAsync({ state: "EDIT" })).toMatchObject({ met: true, evidence: { state: "Edit" } });
}, 120_000);

test("a new line of the log ends a wait, and an earlier one does not", async () => {
  await execAsync("print('Round 1 started')");
  const old = await box.sbAsync(["wait", "--log", "Round 1", "--timeout", "200"]);
  expect(old).toMatchObject({ exitCode: 1, stderr: "" });
  const waiting = box.spawn(["wait", "--log", "Round \\d+ started", "--json"]);
  const lines = untilAsync("the wait is over", async () => {
    await execAsync("print('no') print('Round 2 started')");
    return waiting.exitCode === null ? undefined : true;
  });
  const { stdout, exitCode } = await outcomeAsync(waiting);
  await lines;
  expect(exitCode).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    met: true,
    evidence: { level: "Print", body: "Round 2 started" },
  });
}, 120_000);

test("a time-out is told with the last thing seen: exit code 1 for people, met: false for agents", async () => {
  expect(await box.sbAsync(["wait", "Workspace.Nope", "--timeout", "100"])).toEqual({
    exitCode: 1,
    stdout:
      "Not met within 0.1 s. Last seen:\n  path: Workspace.Nope\n  resolvedTo: Workspace\n  missing: Nope\n",
    stderr: "",
  });
  expect(await toolAsync({ until: "workspace.Gravity > 1000", timeoutMs: 100 })).toMatchObject({
    met: false,
    evidence: { value: false },
  });
  const gravity = ["wait", "--property", "Workspace.Gravity=1", "--timeout", "100"];
  expect((await box.sbAsync(gravity)).stdout).toContain("value: 196.2");
  const wrong = await box.sbAsync(["wait", "--property", "Workspace.Gravity=much"]);
  expect(wrong.stderr).toContain('Workspace.Gravity takes a number, such as 1.5, not "much".');
}, 120_000);

test("a condition that fails, yields or does not end is an error at once", async () => {
  const failureAsync = async (until: string) => {
    const { exitCode, stderr } = await box.sbAsync(["wait", "--until", until]);
    expect(exitCode).toBe(2);
    return stderr;
  };
  expect(await failureAsync("workspace.Foo.Bar")).toContain("Foo is not a valid member of Workspace");
  expect(await failureAsync("task.wait()")).toContain("must not yield");
  expect(await failureAsync("while true do end")).toContain("longer than 2 seconds");
  expect(await failureAsync("1 +")).toContain("until:1:");
  const spelled = await box.sbAsync(["wait", "--property", "Workspace.gravity=1"]);
  expect(spelled.stderr).toContain("Property 'gravity' does not exist");
  expect(await execAsync("return 1")).toBe("1");
}, 120_000);

test.each([
  [["wait"], "Nothing to wait for."],
  [["wait", "Workspace", "--players", "1"], "Cannot wait for exists and players at once."],
  [["wait", "--gone"], "--gone needs a PATH."],
  [["wait", "--log", "("], "Not a regular expression: ("],
  [["wait", "--state", "Plays"], "state: expected Edit, Play, Run, Paused"],
  [["wait", "--property", "Gravity=1"], "Not a property and its value"],
  [["wait", "Workspace", "--timeout", "11m"], "at most 10 minutes"],
])("%p is refused", async (words, message) => {
  const { exitCode, stdout, stderr } = await box.sbAsync(words);
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
  expect(stderr).toContain(message);
});

test("Luau is evaluated at most 60 times a second, and not any more when its caller was killed or gave up", async () => {
  const until =
    "shared.looks = (shared.looks or 0) + 1 shared.beganAt = shared.beganAt or os.clock() shared.lookedAt = os.clock() return false";
  const looksAsync = async () => Number(await execAsync("return shared.looks or 0"));
  await box.sbAsync(["wait", "--until", `${until} or shared.looks >= 40`]);
  const tookS = Number(await execAsync("return shared.lookedAt - shared.beganAt"));
  expect(await looksAsync()).toBe(40);
  expect(tookS).toBeGreaterThan(39 / 64);
  for (const signal of ["SIGKILL", "SIGINT"] as const) {
    const before = await looksAsync();
    const waiting = box.spawn(["wait", "--until", until]);
    await untilAsync("it is evaluated", async () => ((await looksAsync()) > before ? true : undefined));
    waiting.kill(signal);
    await outcomeAsync(waiting);
    await untilAsync("it is not evaluated any more", async () => {
      const seen = await looksAsync();
      await execAsync("task.wait(0.2)");
      return (await looksAsync()) === seen ? true : undefined;
    });
  }
}, 120_000);

test("while Studio plays the server is watched, and the end of the test is seen from the edit context", async () => {
  await box.sbAsync(["play", "start", "--players", "2"]);
  const players = await box.sbAsync(["wait", "--players", "2", "--json"]);
  expect(JSON.parse(players.stdout)).toMatchObject({
    met: true,
    evidence: { count: 2, players: ["Player1", "Player2"] },
  });
  const edit = (await box.sessionsAsync()).find(({ context }) => context === "edit");
  const named = await toolAsync({ sessionId: edit?.sessionId ?? "", players: 2, timeoutMs: 1000 });
  expect(named).toMatchObject({ met: true, evidence: { count: 2 } });
  const server = await box.sbAsync(["wait", "--until", "game:GetService('RunService'):IsServer()"]);
  expect(server.exitCode).toBe(0);
  const over = toolAsync({ state: "edit" });
  await box.sbAsync(["play", "stop"]);
  expect(await over).toMatchObject({ met: true, evidence: { state: "Edit" } });
}, 120_000);

test("a wait goes on where the host is killed and another takes over", async () => {
  const { hostPid } = await box.hostAsync();
  const waiting = toolAsync({ exists: "Workspace.Later" });
  await execAsync("task.wait(0.2)");
  process.kill(hostPid, "SIGKILL");
  await execAsync(`Instance.new("Folder", workspace).Name = "Later"`);
  expect(await waiting).toMatchObject({ met: true, evidence: { path: "Workspace.Later" } });
}, 120_000);
