/**
 * The record of requests that `--log` and `--debug` ask for: methods, ids, sizes, durations, outcomes, and never arguments,
 * results or keys. A sink that fails is given up and never changes an answer.
 */
import { appendFile } from "node:fs/promises";
import { systemReason } from "../../util/system-error.ts";
import type { RequestId } from "../wire/mcp-types.ts";

export type Outcome = "success" | "error" | "cancelled";

export type TelemetryEvent =
  | { event: "request.received"; method: string; id: RequestId; dialect: string; bytes: number }
  | {
      event: "request.completed";
      /** Absent where the message could not be read. */
      method?: string;
      id: RequestId | null;
      durationMs: number;
      outcome: Outcome;
      code?: number;
    }
  | { event: "tool.invoked"; tool: string; durationMs: number; outcome: Outcome; argumentKeys: string[] }
  | { event: "notification.received"; method: string };

export type Telemetry = (event: TelemetryEvent) => void;

/** Takes one line, without the newline. */
type TelemetrySink = (line: string) => void;

export const noTelemetry: Telemetry = () => undefined;

/** Writes to stderr for `--debug` and to the file of `--log`. `warn` hears once when the file cannot be written. */
export function openTelemetry(
  { debug, log }: { readonly debug: boolean; readonly log?: string | undefined },
  tellStderr: TelemetrySink,
  warn: (text: string) => void,
): { readonly telemetry: Telemetry; readonly flushAsync: () => Promise<void> } {
  const file =
    log === undefined
      ? undefined
      : new TelemetryFile(log, (error) => warn(`Nothing more is written to ${log}: ${systemReason(error)}.`));
  const sinks = [...(file === undefined ? [] : [file.write]), ...(debug ? [tellStderr] : [])];
  return { telemetry: telemetryTo(sinks), flushAsync: async () => file?.flushAsync() };
}

function telemetryTo(sinks: readonly TelemetrySink[]): Telemetry {
  if (sinks.length === 0) return noTelemetry;
  return (event) => {
    const line = JSON.stringify({ ts: new Date().toISOString(), ...event });
    for (const sink of sinks) sink(line);
  };
}

/** Appends to a file, in order; the first failure is told once and ends it. */
class TelemetryFile {
  readonly #path: string;
  readonly #onFailure: (error: unknown) => void;
  #lines: string[] = [];
  #writing: Promise<void> | undefined;
  #hasFailed = false;

  constructor(path: string, onFailure: (error: unknown) => void) {
    this.#path = path;
    this.#onFailure = onFailure;
  }

  readonly write: TelemetrySink = (line) => {
    if (this.#hasFailed) return;
    this.#lines.push(`${line}\n`);
    this.#writing ??= this.#writeAllAsync();
  };

  /** Resolves when everything so far is in the file, or never will be. */
  async flushAsync(): Promise<void> {
    await this.#writing;
  }

  async #writeAllAsync(): Promise<void> {
    // Lines of the same turn leave in one write.
    await Promise.resolve();
    try {
      while (this.#lines.length > 0) await appendFile(this.#path, this.#lines.splice(0).join(""));
    } catch (error) {
      this.#hasFailed = true;
      this.#lines = [];
      this.#onFailure(error);
    }
    this.#writing = undefined;
  }
}
