/**
 * One connection over stdin and stdout: lines in, lines out, nothing else on stdout. It ends soon after stdin does, even
 * while requests run.
 */
import { jsonLine } from "../wire/json.ts";
import { parseJson } from "../wire/messages.ts";
import { LineReader } from "../wire/line-reader.ts";
import type { Line } from "../wire/line-reader.ts";
import { RpcError } from "../wire/rpc-error.ts";
import { McpConnection } from "./connection.ts";
import type { ServerOptions } from "./open-request.ts";

/** Requests that run when stdin ends may finish within this time; then they are cancelled. */
const LAST_ANSWERS_MS = 60;

interface StdioStreams {
  readonly input: ReadableStream<Uint8Array>;
  /** Queues text; never loses any. */
  write(text: string): void;
  /** Fires when the process is told to stop. */
  readonly signal: AbortSignal;
}

/** Resolves when stdin has ended or the signal has fired, and every answer is queued. */
export async function serveStdioAsync(options: ServerOptions, streams: StdioStreams): Promise<void> {
  const { input, signal } = streams;
  const send = (message: unknown) => streams.write(jsonLine(message));
  await using connection = new McpConnection({ ...options, send });
  const lines = new LineReader();
  const running = new Set<Promise<void>>();
  const take = (line: Line) => {
    const answered = answerLineAsync(connection, line, send).finally(() => running.delete(answered));
    running.add(answered);
  };
  const reader = input.getReader();
  const stop = () => void reader.cancel();
  signal.addEventListener("abort", stop, { once: true });
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    for (const line of lines.push(part.value)) {
      take(line);
      // Answers that are ready leave before anything else is begun, so that they come in the order of their requests.
      await turnAsync();
    }
  }
  for (const line of lines.end()) take(line);
  // The time for tools to finish begins when they could have started.
  await connection.loadedAsync();
  if (!signal.aborted) await Promise.race([Promise.all(running), Bun.sleep(LAST_ANSWERS_MS)]);
}

const turnAsync = () => new Promise((resolve) => setImmediate(resolve));

async function answerLineAsync(
  connection: McpConnection,
  line: Line,
  send: (message: unknown) => void,
): Promise<void> {
  const parsed = line.kind === "text" ? parseJson(line.text) : unreadable(line.kind);
  const answer =
    parsed instanceof RpcError
      ? connection.refusal(parsed)
      : await connection.answerAsync(parsed.value, line.bytes);
  if (answer !== undefined) send(answer);
}

function unreadable(kind: "not-utf-8" | "too-long"): RpcError {
  return kind === "not-utf-8"
    ? new RpcError("parseError", "the line is not valid UTF-8")
    : new RpcError("invalidRequest", "the line is longer than 64 MiB");
}
