/**
 * A line that a script prints arrives twice: as the script's output and in Studio's log, in either order. Lets each line
 * pass once. Pure bookkeeping.
 */
import type { LogLevel } from "../protocol/fields/log-lines.ts";

export type LineSource = "script" | "log";

interface LogLine {
  readonly level: LogLevel;
  readonly body: string;
}

export class LogMerge {
  /** Line → how many more the one source has shown than the other. */
  readonly #ahead: { readonly [source in LineSource]: Map<string, number> } = {
    script: new Map(),
    log: new Map(),
  };

  /** True where the line has not come from the other source before. */
  isNew(source: LineSource, { level, body }: LogLine): boolean {
    const key = `${level} ${body}`;
    const [own, other] =
      source === "script" ? [this.#ahead.script, this.#ahead.log] : [this.#ahead.log, this.#ahead.script];
    const known = other.get(key) ?? 0;
    if (known === 0) {
      own.set(key, (own.get(key) ?? 0) + 1);
      return true;
    }
    if (known === 1) other.delete(key);
    else other.set(key, known - 1);
    return false;
  }

  /** Forgets lines that came from one source only, because their second copy does not come any more. */
  forget(): void {
    this.#ahead.script.clear();
    this.#ahead.log.clear();
  }
}
