/** What flows in bulk: log lines from a plugin to `sb logs --follow`, and the answer to a large query through the host. */
import { createProver, loadKeyAsync } from "../../src/auth/index.ts";
import { encode } from "../../src/protocol/codec.ts";
import { BridgeConnection } from "../../src/bridge/index.ts";
import type { Sandbox } from "../harness.ts";
import { ScriptedPlugin } from "../peers/scripted-plugin.ts";
import { hostTimeAsync } from "./host-time.ts";
import { figures, timeAsync } from "./statistics.ts";
import type { Figures } from "./statistics.ts";

const LINES = 200_000;
const LINES_IN_FRAME = 500;
const STREAMS = 5;
const QUERIES = 40;
const CROWD = `for index = 1, 10000 do
  local folder = Instance.new("Folder")
  folder.Name = "Item" .. index
  folder.Parent = workspace
end`;

export async function streamFiguresAsync(box: Sandbox): Promise<Figures[]> {
  process.env["XDG_STATE_HOME"] = box.stateFolder;
  return [...(await logFiguresAsync(box)), ...(await queryFiguresAsync(box))];
}

/** From the first frame sent to the last line printed; lines that were told as lost are counted beside. */
async function logFiguresAsync(box: Sandbox): Promise<Figures[]> {
  const prover = createProver(await loadKeyAsync());
  const details = { instanceId: "talker", placeName: "Talker" };
  const { plugin, sessionId } = await ScriptedPlugin.connectAsync(box.port, prover, details);
  using talker = plugin;
  const frames = Array.from({ length: LINES / LINES_IN_FRAME }, (_, index) =>
    encode({ type: "logPush", sessionId, payload: logFrame(index * LINES_IN_FRAME) }),
  );
  const [rates, lost]: [number[], number[]] = [[], []];
  for (let stream = 0; stream < STREAMS; stream += 1) {
    const child = box.spawn(["logs", "--follow", sessionId]);
    const subscribed = await talker.nextAsync("subscribe");
    talker.reply(subscribed, "subscribeResult", { events: ["logPush"] });
    const start = performance.now();
    for (const frame of frames) talker.sendRaw(frame);
    lost.push(await untilAllAsync(child.stdout, child.stderr));
    rates.push((LINES / (performance.now() - start)) * 1_000);
    child.kill("SIGINT");
    await child.exited;
    talker.reply(await talker.nextAsync("unsubscribe"), "unsubscribeResult", { events: ["logPush"] });
  }
  return [
    figures("sb logs --follow: lines printed or told as lost", "lines/s", rates),
    figures(`the same: told as lost, of ${LINES}`, "lines", lost),
  ];
}

function logFrame(seq: number) {
  const entries = Array.from({ length: LINES_IN_FRAME }, (_, index) => ({
    level: "Print" as const,
    body: `line ${seq + index} of a talkative script`,
    timestamp: seq + index,
    time: 1_700_000_000_000 + seq + index,
    context: "edit" as const,
  }));
  return { entries, seq };
}

/** Resolves when every line was printed or told as lost, with how many were lost. */
async function untilAllAsync(
  stdout: ReadableStream<Uint8Array>,
  stderr: ReadableStream<Uint8Array>,
): Promise<number> {
  let [printed, lost] = [0, 0];
  const { promise, resolve } = Promise.withResolvers<number>();
  const check = () => {
    if (printed + lost >= LINES) resolve(lost);
  };
  const readAsync = async (stream: ReadableStream<Uint8Array>, hear: (bytes: Uint8Array) => void) => {
    for await (const bytes of stream) {
      hear(bytes);
      check();
    }
  };
  const decoder = new TextDecoder();
  void readAsync(stdout, (bytes) => {
    for (const byte of bytes) if (byte === 10) printed += 1;
  });
  void readAsync(stderr, (bytes) => {
    for (const [, count] of decoder.decode(bytes).matchAll(/(\d+) lines/g)) lost += Number(count);
  });
  return promise;
}

/** The host's own time for a relayed answer, beside one JSON.parse of it. */
async function queryFiguresAsync(box: Sandbox): Promise<Figures[]> {
  await using bridge = await BridgeConnection.connectAsync({ port: box.port });
  const studio = (await bridge.listSessionsAsync()).sessions.find(({ origin }) => origin === "headless");
  if (studio === undefined) throw new Error("no session to measure");
  const session = bridge.session(studio.sessionId);
  await session.callAsync("execute", { script: CROWD });
  const askAsync = () => session.callAsync("queryDataModel", { path: "game.Workspace", depth: 1 });
  const text = JSON.stringify(await askAsync());
  const [parses, calls]: [number[], number[]] = [[], []];
  const hostTime = await hostTimeAsync(box, QUERIES, async () => {
    for (let round = 0; round < QUERIES; round += 1) {
      calls.push(await timeAsync(askAsync));
      parses.push(await timeAsync(() => JSON.parse(text)));
    }
  });
  await session.callAsync("execute", { script: "workspace:ClearAllChildren()" });
  return [
    figures("query of 10,000 Instances, from call to answer", "ms", calls),
    figures("the same: one JSON.parse of the answer", "ms", parses),
    ...hostTime,
  ];
}
