/**
 * `sb play` starts and stops play tests, shows those that others started, and leaves no test behind that no command
 * could stop.
 */
import { expect, test } from "bun:test";
import { Sandbox, outcomeAsync, untilAsync } from "../harness.ts";
import { sandbox } from "../sandbox.ts";
import { McpPeer } from "../peers/mcp-peer.ts";

const box = sandbox({ headless: true });

const playAsync = async (...words: readonly string[]) => {
  const { exitCode, stdout, stderr } = await box.sbAsync(["play", ...words, "--json"]);
  if (exitCode !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
};
const stateAsync = (state: string) =>
  untilAsync(`the state is ${state}`, async () => ((await playAsync()).state === state ? true : undefined));

test("start names sessions that answer, and a second start and a second stop change nothing", async () => {
  expect(await playAsync()).toEqual({ state: "Edit", changed: false, sessions: [] });
  const started = await playAsync("start", "--players", "2");
  expect(started).toMatchObject({
    state: "Play",
    changed: true,
    sessions: [
      { context: "server" },
      { context: "client", player: { name: "Player1", index: 1 } },
      { context: "client", player: { name: "Player2", index: 2 } },
    ],
  });
  for (const { sessionId, context } of started.sessions) {
    const words = ["exec", "--session", sessionId, `return game:GetService("RunService"):IsServer()`];
    expect((await box.sbAsync(words)).stdout).toBe(`${context === "server"}\n`);
  }
  expect(started.startedBy).toBe("you");
  const again = { ...started, changed: false, startedBy: "sb" };
  expect(await playAsync("start", "--players", "2")).toEqual(again);
  const other = await box.sbAsync(["play", "start", "--server-only"]);
  expect([other.exitCode, other.stdout]).toEqual([1, ""]);
  expect(other.stderr).toContain("A play test with 2 clients runs already");
  const looked = await box.sbAsync(["find", "Workspace"]);
  expect(looked.stderr).toStartWith("in the edited place; --context server looks into the running test\n");
  expect(await playAsync("stop")).toEqual({ state: "Edit", changed: true, startedBy: "sb", sessions: [] });
  const change = await box.sbAsync(["exec", "--context", "edit", "workspace.Name = 'Workspace' return 1"]);
  expect(change).toMatchObject({ exitCode: 0, stdout: "1\n" });
  expect(await playAsync("stop")).toEqual({ state: "Edit", changed: false, sessions: [] });
}, 120_000);

test("a server alone has no client, and a test that a person started is seen and stopped", async () => {
  const alone = await playAsync("start", "--server-only");
  expect(alone).toMatchObject({ state: "Run", sessions: [{ context: "server" }] });
  await playAsync("stop");
  const byHand = `task.spawn(function() game:GetService("StudioTestService"):ExecutePlayModeAsync({}) end)`;
  await box.sbAsync(["exec", byHand]);
  await stateAsync("Play");
  expect((await box.sbAsync(["play"])).stdout).toStartWith("Studio plays (Play), ");
  expect((await box.sbAsync(["play", "stop"])).stdout).toBe("Stopped: Studio edits again.\n");
}, 120_000);

test("wishes that contradict themselves are refused before anything starts", async () => {
  const wrong = await box.sbAsync(["play", "start", "--server-only", "--players", "2"]);
  expect(wrong).toMatchObject({ exitCode: 2, stdout: "" });
  expect(wrong.stderr).toContain("Players are clients");
  expect((await box.sbAsync(["play", "start", "--players", "9"])).stderr).toContain("at most 8 players");
  expect((await box.sbAsync(["play", "stop", "--players", "2"])).stderr).toContain("Only start takes");
  expect(await playAsync()).toMatchObject({ state: "Edit" });
}, 120_000);

test("a start that is killed while it waits for a client leaves no play test behind", async () => {
  const kick = `
    local script = Instance.new("Script")
    script.Name = "Kick"
    script.Source = "game.Players.PlayerAdded:Connect(function(player) player:Kick() end)"
    script.Parent = game:GetService("ServerScriptService")`;
  await box.sbAsync(["exec", kick]);
  // On a busy machine the client may connect before it is kicked; then the start has succeeded, and another is tried.
  for (let output: string | undefined; output !== "";) {
    if (output !== undefined) await playAsync("stop");
    const starting = box.spawn(["play", "start"]);
    // Longer than Studio may take to refuse a test, in the server of the test.
    await untilAsync("the server runs a script", async () =>
      (await box.sbAsync(["exec", "--context", "server", "task.wait(1)"])).exitCode === 0 ? true : undefined,
    );
    starting.kill("SIGKILL");
    output = (await outcomeAsync(starting)).stdout;
  }
  await stateAsync("Edit");
  await box.sbAsync(["exec", `game:GetService("ServerScriptService").Kick:Destroy()`]);
}, 120_000);

test("agents start, see and stop the same tests", async () => {
  await using peer = new McpPeer(box);
  await peer.initializeAsync();
  const toolAsync = async (args: { action?: string; mode?: string; players?: number }) =>
    Object(await peer.toolAsync("studio_play", args)).structuredContent;
  expect(await toolAsync({ action: "start", players: 1 })).toMatchObject({ state: "Play", changed: true });
  expect(await toolAsync({})).toEqual({ ...(await playAsync()), startedBy: "you" });
  expect(await toolAsync({ action: "stop" })).toEqual({
    state: "Edit",
    changed: true,
    startedBy: "you",
    sessions: [],
  });
  expect(await toolAsync({ action: "start", mode: "server" })).toMatchObject({ state: "Run" });
  expect(await toolAsync({ action: "stop" })).toMatchObject({ changed: true });
}, 120_000);

test("an agent ends the test of another one only with force, and the other is told by whom", async () => {
  await using starter = new McpPeer(box);
  await using other = new McpPeer(box);
  await starter.initializeAsync(undefined, { name: "first-agent", version: "1" });
  await other.initializeAsync(undefined, { name: "second-agent", version: "2" });
  await starter.toolAsync("studio_play", { action: "start", mode: "server" });
  const seen = Object(await other.toolAsync("studio_play", {})).structuredContent;
  expect(seen).toMatchObject({ state: "Run", startedBy: "first-agent 1 (sb mcp)" });
  const refused = Object(await other.toolAsync("studio_play", { action: "stop" }));
  expect(refused.isError).toBe(true);
  expect(JSON.stringify(refused)).toContain("first-agent 1 (sb mcp) has started this play test.");
  expect(await playAsync()).toMatchObject({ state: "Run" });
  const forced = Object(await other.toolAsync("studio_play", { action: "stop", force: true }));
  expect(forced.structuredContent).toMatchObject({ state: "Edit", changed: true });
  const told = Object(await starter.toolAsync("studio_play", {})).structuredContent;
  expect(told).toMatchObject({ state: "Edit", endedBy: "second-agent 2 (sb mcp)" });
}, 120_000);

test("a person ends the test of an agent, and is told whose it was", async () => {
  await using agent = new McpPeer(box);
  await agent.initializeAsync(undefined, { name: "an-agent", version: "1" });
  await agent.toolAsync("studio_play", { action: "start", mode: "server" });
  const stopped = await box.sbAsync(["play", "stop"]);
  expect(stopped.stdout).toBe("Stopped: Studio edits again. an-agent 1 (sb mcp) has started it.\n");
}, 120_000);

test("a play test that an agent has started ends with the agent's server, also where that is killed", async () => {
  for (const signal of ["SIGTERM", "SIGKILL"] as const) {
    await using peer = new McpPeer(box);
    await peer.initializeAsync();
    await peer.toolAsync("studio_play", { action: "start", mode: "server" });
    expect(await playAsync()).toMatchObject({ state: "Run" });
    peer.kill(signal);
    await stateAsync("Edit");
  }
}, 120_000);

test("a play test whose client and host were killed together does not stay", async () => {
  await using other = await Sandbox.createAsync();
  const server = new McpPeer(other);
  await server.initializeAsync();
  await other.headlessAsync();
  server.ask("tools/call", {
    name: "studio_exec",
    arguments: { script: `game:GetService("StudioTestService"):ExecuteRunModeAsync({})` },
  });
  await untilAsync("the test runs", async () =>
    (await other.sessionsAsync()).length === 2 ? true : undefined,
  );
  const { hostPid } = await other.hostAsync();
  if (hostPid !== server.pid) process.kill(hostPid, "SIGKILL");
  server.kill("SIGKILL");
  await untilAsync("Studio edits", async () => {
    const sessions = await other.sessionsAsync();
    return sessions.length === 1 && sessions[0]?.state === "Edit" ? true : undefined;
  });
}, 120_000);

/** Puts a script of this source into the place whose test is started. */
const serverScript = (source: string): string => `
  local script = Instance.new("Script") script.Name = "Ends" script.Source = [[${source}]]
  script.Parent = game:GetService("ServerScriptService")`;
const END = `game:GetService("StudioTestService"):EndTest({})`;

test("a stop that waits for the server of a test which ends by itself has stopped it", async () => {
  await using other = await Sandbox.createAsync();
  await other.headlessAsync("Alone", "no-plugin-connections,no-server-sockets");
  const play = `${serverScript(`task.wait(2) ${END}`)}
    task.spawn(function() game:GetService("StudioTestService"):ExecutePlayModeAsync({}) end)`;
  expect(await other.sbAsync(["exec", play])).toMatchObject({ exitCode: 0 });
  expect(await other.sbAsync(["play", "stop"])).toMatchObject({
    exitCode: 0,
    stdout: "Stopped: Studio edits again.\n",
  });
}, 120_000);

test("a test that ends as soon as it starts is told as that", async () => {
  await box.sbAsync(["exec", serverScript(END)]);
  const { exitCode, stderr } = await box.sbAsync(["play", "start"]);
  await box.sbAsync(["exec", `game:GetService("ServerScriptService").Ends:Destroy()`]);
  expect(exitCode).toBe(1);
  expect(stderr).toContain("error: The play test ended before all of it was connected.");
  expect(stderr).toContain("EndTest");
}, 120_000);

test("where Studio refuses to end a test, the command says why, and without a command the Output does", async () => {
  await using other = await Sandbox.createAsync();
  await other.headlessAsync("Refusing", "no-end-test");
  const starting = other.spawn(["exec", `game:GetService("StudioTestService"):ExecutePlayModeAsync({})`]);
  await untilAsync("the server is connected", async () =>
    (await other.sessionsAsync()).length === 3 ? true : undefined,
  );
  const stop = await other.sbAsync(["play", "stop"]);
  expect(stop.exitCode).toBe(1);
  expect(stop.stderr).toContain("error: Studio refused to end the play test: The current thread cannot");
  starting.kill("SIGKILL");
  await untilAsync("the Output tells of the refusal", async () =>
    (await other.sbAsync(["logs", "--all"])).stdout.includes(
      "so stop it in Studio: The current thread cannot",
    )
      ? true
      : undefined,
  );
}, 120_000);
