/**
 * The least that a round trip can cost here. As a program it answers each line on stdin with an empty result, and sends
 * back each frame on the WebSocket whose port its first line names. As a module it measures that.
 */
import type { JsonObject } from "../../src/mcp/wire/json.ts";
import { LineReader } from "../../src/mcp/wire/line-reader.ts";
import { StdioPeer } from "../peers/mcp-peer.ts";
import { figures, timeAsync } from "./statistics.ts";
import type { Figures } from "./statistics.ts";

/** The names of the figures. */
export const floors = {
  line: "floor: a line to a program and back",
  frame: "floor: a frame on a WebSocket and back",
} as const;

const ROUNDS = 2_000;
const WARM_ROUNDS = 200;

export async function floorFiguresAsync(cwd: string): Promise<Figures[]> {
  await using peer = new StdioPeer([process.execPath, import.meta.path], { cwd, env: {} });
  const { port } = await peer.answerAsync("port");
  return [
    figures(floors.line, "ms", await samplesAsync(() => peer.requestAsync("echo"))),
    figures(floors.frame, "ms", await framesAsync(Number(port))),
  ];
}

async function samplesAsync(roundAsync: () => Promise<unknown>): Promise<number[]> {
  for (let warm = 0; warm < WARM_ROUNDS; warm += 1) await roundAsync();
  const samples: number[] = [];
  while (samples.length < ROUNDS) samples.push(await timeAsync(roundAsync));
  return samples;
}

async function framesAsync(port: number): Promise<number[]> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}`);
  await new Promise((resolve) => (socket.onopen = resolve));
  const samples = await samplesAsync(() => {
    const answered = new Promise((resolve) => (socket.onmessage = resolve));
    socket.send('{"type":"echo"}');
    return answered;
  });
  socket.close();
  return samples;
}

async function serveAsync(): Promise<void> {
  const sink = Bun.file(1).writer();
  const say = (message: JsonObject) => {
    sink.write(`${JSON.stringify(message)}\n`);
    void sink.flush();
  };
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: (request, self) => (self.upgrade(request) ? undefined : new Response(null, { status: 426 })),
    websocket: { message: (socket, frame) => void socket.send(frame) },
  });
  say({ id: "port", port: server.port });
  const lines = new LineReader();
  for await (const part of Bun.stdin.stream())
    for (const line of lines.push(part))
      if (line.kind === "text") say({ id: JSON.parse(line.text).id, result: {} });
}

if (import.meta.main) await serveAsync();
