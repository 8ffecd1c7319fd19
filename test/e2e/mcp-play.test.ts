/** Play tests that a tool call has started end with that call, however it ends; those of others go on. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { untilAsync } from "../harness.ts";
import { sandbox } from "../sandbox.ts";
import { McpPeer } from "../peers/mcp-peer.ts";

setDefaultTimeout(120_000);

const box = sandbox({ headless: true });

const sessionsAsync = (count: number) =>
  untilAsync(`there are ${count} sessions`, async () =>
    (await box.sessionsAsync()).length === count ? true : undefined,
  );
const playsAsync = () => sessionsAsync(3);
const isOverAsync = () => sessionsAsync(1);

/** The log of the edit context has the lines of a play test as well. */
const loggedAsync = (line: string) =>
  untilAsync(`${line} is logged`, async () =>
    (await box.sbAsync(["logs"])).stdout.includes(line) ? true : undefined,
  );

async function peerAsync(...flags: readonly string[]): Promise<McpPeer> {
  const peer = new McpPeer(box, flags);
  await peer.initializeAsync();
  return peer;
}

const PLAY = `game:GetService("StudioTestService"):ExecutePlayModeAsync({})`;
const askToPlay = (peer: McpPeer, more: object = {}) =>
  peer.ask("tools/call", { name: "studio_exec", arguments: { script: PLAY, ...more } });
const askToRun = (peer: McpPeer) =>
  peer.ask("tools/call", {
    name: "run_script_in_play_mode",
    arguments: { code: 'print("it runs") while true do task.wait() end', mode: "start_play" },
  });

test("a script that plays and is cancelled ends its play test, and is not answered", async () => {
  await using peer = await peerAsync();
  const requestId = askToPlay(peer);
  await playsAsync();
  peer.notify("notifications/cancelled", { requestId });
  await isOverAsync();
  await peer.requestAsync("ping");
  expect(peer.messages.filter(({ id }) => id === requestId)).toEqual([]);
});

test("a script that plays for too long says that its play test ends with it", async () => {
  await using peer = await peerAsync();
  // Studio has a moment to say so itself, which a busy machine may miss.
  const answer = await untilAsync("Studio answers in time", async () => {
    const { result } = await peer.answerAsync(askToPlay(peer, { timeoutMs: 1_500 }));
    await isOverAsync();
    const said = JSON.parse(Object(result).content[0].text);
    return said.outcome === "unknown" ? undefined : said;
  });
  expect(answer).toMatchObject({
    success: false,
    error: "Script execution timed out after 1.5 seconds. The play test that it started is asked to end.",
    code: "TIMEOUT",
  });
});

test("a client that goes away takes the play test of its script with it", async () => {
  await using peer = await peerAsync();
  askToPlay(peer);
  await playsAsync();
  expect(await peer.endAsync()).toMatchObject({ exitCode: 0 });
  await isOverAsync();
});

test("run_script_in_play_mode leaves no play test behind when its server is killed", async () => {
  await using peer = await peerAsync("--tools", "compat");
  askToRun(peer);
  await playsAsync();
  await loggedAsync("it runs");
  peer.kill("SIGKILL");
  await isOverAsync();
});

test("a play test that another call has started goes on when a script is cancelled", async () => {
  await using compat = await peerAsync("--tools", "compat");
  await compat.toolAsync("start_stop_play", { mode: "start_play" });
  await using peer = await peerAsync();
  const script = `print("it waits") task.wait(60) -- ${PLAY}`;
  const requestId = peer.ask("tools/call", {
    name: "studio_exec",
    arguments: { script, context: "edit" },
  });
  await loggedAsync("it waits");
  peer.notify("notifications/cancelled", { requestId });
  // The edit context takes the next script only when the cancelled one is over.
  await peer.toolAsync("studio_exec", { script: "return 1", context: "edit" });
  expect(await box.sessionsAsync()).toHaveLength(3);
  await compat.toolAsync("start_stop_play", { mode: "stop" });
  await isOverAsync();
});

test("an id of a play test names no Instance of the edited place, and none of the next test", async () => {
  await using peer = await peerAsync();
  const idAsync = async (context: string) => {
    const { structuredContent } = await peer.toolAsync("studio_query", { path: "Workspace", context });
    return String(Object(structuredContent).instance.id);
  };
  const editId = await idAsync("edit");
  await peer.toolAsync("studio_play", { action: "start", mode: "server" });
  const serverId = await idAsync("server");
  for (const [path, context] of [
    [serverId, "edit"],
    [editId, "server"],
  ]) {
    const { isError, content } = await peer.toolAsync("studio_query", { path, context });
    expect(isError).toBe(true);
    expect(JSON.parse(Object(content)[0].text)).toMatchObject({
      error: `This session has no Instance with the id ${path}.`,
      hint: "An id counts in the session that gave it, as long as the Instance is there and the plugin stays loaded. Name the Instance by its path.",
    });
  }
  await peer.toolAsync("studio_play", { action: "stop" });
  await peer.toolAsync("studio_play", { action: "start", mode: "server" });
  await idAsync("server");
  const { isError } = await peer.toolAsync("studio_query", { path: serverId, context: "server" });
  expect(isError).toBe(true);
  await peer.toolAsync("studio_play", { action: "stop" });
});
