/** `sb journal` and studio_journal: what is kept of calls, for whom, and through the end of a host. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { McpPeer } from "../peers/mcp-peer.ts";
import { Sandbox, outcomeAsync, untilAsync } from "../harness.ts";

let box: Sandbox;
beforeEach(async () => {
  box = await Sandbox.createAsync();
});
afterEach(async () => {
  await box[Symbol.asyncDispose]();
});

interface Call {
  readonly client: string;
  readonly action: string;
  readonly summary: string;
  readonly outcome: string;
  readonly code?: string;
  readonly changes: boolean;
}

async function callsAsync(...flags: readonly string[]): Promise<Call[]> {
  const { stdout, stderr, exitCode } = await box.sbAsync(["journal", "--json", ...flags]);
  if (exitCode !== 0) throw new Error(stderr);
  return JSON.parse(stdout).calls;
}

test("commands leave their calls with how they ended, and never what was in them", async () => {
  await box.headlessAsync("Alpha");
  await box.sbAsync(["exec", 'local hunter2 = 1 error("hunter2")', "--env", "A=hunter2"]);
  await box.sbAsync(["set", "Workspace", "Name=hunter2"]);
  await box.sbAsync(["query", "Nope"]);
  await untilAsync("all three are there", async () =>
    (await callsAsync()).some(({ code }) => code === "INSTANCE_NOT_FOUND") ? true : undefined,
  );
  const calls = await callsAsync("--changes");
  expect(calls.map(({ client, summary, outcome }) => [client, summary, outcome])).toEqual([
    ["sb", "exec", "failed"],
    ["sb", "set game.Workspace", "ok"],
  ]);
  const failed = await callsAsync("--failed");
  expect(failed.map(({ action, outcome, code }) => [action, outcome, code])).toEqual([
    ["execute", "failed", undefined],
    ["queryDataModel", "error", "INSTANCE_NOT_FOUND"],
  ]);
  const folder = join(box.stateFolder, "studio-bridge", "journal");
  for (const name of await readdir(folder))
    expect(await readFile(join(folder, name), "utf8")).not.toContain("hunter2");
  expect(await callsAsync("--grep", "^set ")).toHaveLength(1);
  expect(await callsAsync("--grep", "^exec ")).toHaveLength(1);
  expect(await callsAsync("--client", "no such client")).toEqual([]);
  expect((await callsAsync("--session", "alph")).length).toBeGreaterThan(2);
  const shown = await box.sbAsync(["journal"], { env: { COLUMNS: "60" } });
  for (const row of shown.stdout.split("\n")) expect(row.length).toBeLessThanOrEqual(60);
}, 120_000);

test("a host that is killed loses nothing of what had ended, and its open calls are unknown", async () => {
  await box.headlessAsync("Alpha");
  await box.sbAsync(["set", "Workspace", "Name=W"]);
  const script = box.spawn(["exec", "task.wait(1e6)"]);
  await untilAsync("the script runs", async () =>
    (await callsAsync()).some(({ action }) => action === "execute") ? true : undefined,
  );
  const { hostPid } = await box.hostAsync();
  process.kill(hostPid, "SIGKILL");
  script.kill("SIGKILL");
  const kept = await untilAsync("the script is unknown", async () => {
    const calls = await callsAsync("--changes");
    return calls.some(({ outcome }) => outcome === "unknown") ? calls : undefined;
  });
  expect(kept[0]).toMatchObject({ summary: "set game.Workspace", outcome: "ok" });
  await outcomeAsync(script);
}, 120_000);

test("a call that outlives its host is one call, with its end", async () => {
  await box.headlessAsync("Alpha");
  const script = box.spawn(["exec", "task.wait(1e6)"]);
  const outcomesAsync = async () => (await callsAsync("--changes")).map(({ outcome }) => outcome);
  const untilTheyAreAsync = (...expected: string[]) =>
    untilAsync(`the calls are ${expected.join()}`, async () =>
      (await outcomesAsync()).join() === expected.join() ? true : undefined,
    );
  await untilTheyAreAsync("running");
  const { hostPid } = await box.hostAsync();
  process.kill(hostPid, "SIGKILL");
  await untilAsync("the next host has the script", async () =>
    (await box.hostAsync()).hostPid !== hostPid && (await outcomesAsync()).includes("running")
      ? true
      : undefined,
  );
  expect(await outcomesAsync()).toEqual(["running"]);
  script.kill("SIGINT");
  await outcomeAsync(script);
  await untilTheyAreAsync("failed");
}, 120_000);

test("agents see their own calls and those of others in their places", async () => {
  await box.headlessAsync("Alpha");
  await box.headlessAsync("Beta");
  await box.sbAsync(["set", "Workspace", "Name=W", "--session", "Alpha"]);
  await box.sbAsync(["set", "Lighting", "Name=L", "--session", "Beta"]);
  await using peer = new McpPeer(box);
  await peer.initializeAsync(undefined, { name: "an-agent", version: "1" });
  const sessions = await box.sessionsAsync();
  const alpha = sessions.find(({ placeName }) => placeName === "Alpha");
  const askAsync = async (args: object) =>
    Object(await peer.toolAsync("studio_journal", { ...args })).structuredContent.calls as Call[];
  expect(await askAsync({})).toEqual([]);
  await peer.toolAsync("studio_query", { path: "Workspace", sessionId: alpha?.sessionId });
  const seen = await untilAsync("its own call is there", async () => {
    const calls = await askAsync({});
    return calls.some(({ client }) => client.startsWith("an-agent")) ? calls : undefined;
  });
  expect(seen.map(({ summary }) => summary)).toContain("set game.Workspace");
  expect(seen.map(({ summary }) => summary)).not.toContain("set game.Lighting");
}, 120_000);

test("what is kept is the user's to say, and a private Studio leaves nothing", async () => {
  await box.sbAsync(["exec", "--headless", "return 1"]);
  expect(await callsAsync()).toEqual([]);
  await box.headlessAsync("Alpha");
  expect((await box.sbAsync(["journal", "off"])).stdout).toStartWith("Nothing is kept from now on.");
  await box.sbAsync(["set", "Workspace", "Name=W"]);
  expect(await callsAsync("--changes")).toEqual([]);
  expect((await box.sbAsync(["journal", "lines", "on"])).stdout).toContain("kept for a day");
  await box.sbAsync(["exec", 'print("a line of Alpha")']);
  const { stdout } = await box.sbAsync(["journal", "lines", "off"]);
  expect(stdout).toContain("only while a client follows it");
  expect(await callsAsync("--changes")).toHaveLength(1);
  for (const words of [["off", "on"], ["lines"]]) {
    const wrong = await box.sbAsync(["journal", ...words]);
    expect([wrong.exitCode, wrong.stdout]).toEqual([2, ""]);
  }
}, 120_000);

test("lines of a Studio that is gone are read afterwards, where they were kept", async () => {
  const nothing = await box.sbAsync(["logs", "--ended"]);
  expect(nothing).toMatchObject({ exitCode: 0, stdout: "" });
  expect(nothing.stderr).toContain("`sb journal lines on` keeps lines");
  await box.headlessAsync("Alpha");
  await box.sbAsync(["journal", "lines", "on"]);
  await box.sbAsync(["exec", 'print("from Alpha") warn("careful")']);
  expect((await box.sbAsync(["logs", "--ended"])).stdout).toBe("");
  await box.sbAsync(["close", "--discard"]);
  const { stdout } = await untilAsync("the lines are there", async () => {
    const shown = await box.sbAsync(["logs", "--since", "10m", "--ended"]);
    return shown.stdout.includes("careful") ? shown : undefined;
  });
  expect(stdout).toContain("from Alpha");
  expect((await box.sbAsync(["logs", "--ended", "--level", "Warning"])).stdout).not.toContain("from Alpha");
}, 120_000);

test("SB_JOURNAL=0 keeps a host from writing anything", async () => {
  const host = box.spawn(["serve"], { env: { SB_JOURNAL: "0" } });
  await untilAsync("the host is there", async () =>
    (await box.sbAsync(["sessions"])).exitCode === 0 ? true : undefined,
  );
  await box.headlessAsync("Alpha");
  await box.sbAsync(["set", "Workspace", "Name=W"]);
  expect(await callsAsync()).toEqual([]);
  host.kill("SIGINT");
  await outcomeAsync(host);
}, 120_000);

test("--follow tells each call as it ends", async () => {
  await box.headlessAsync("Alpha");
  const child = box.spawn(["journal", "--follow", "--changes", "--json"]);
  let said = "";
  void (async () => {
    const decoder = new TextDecoder();
    for await (const bytes of child.stdout) said += decoder.decode(bytes, { stream: true });
  })();
  await untilAsync("a call is told", async () => {
    await box.sbAsync(["set", "Workspace", "Name=W"]);
    return said.includes("\n") ? true : undefined;
  });
  expect(JSON.parse(said.split("\n")[0] ?? "")).toMatchObject({
    summary: "set game.Workspace",
    outcome: "ok",
  });
  child.kill("SIGINT");
  await child.exited;
}, 120_000);
