/** The line about a run in progress: how many files have ended, and which cases run now. */
import type { TestEvent } from "../events.ts";
import { timeText } from "./screen.ts";
import { runOfFile } from "./tally.ts";

/** The time of a case is shown when it has run for this long. */
const SLOW_MS = 1000;

interface Running {
  readonly file: string;
  readonly name: string;
  readonly sinceMs: number;
}

export class LiveLine {
  #planned = 0;
  #ended = 0;
  #passed = 0;
  #failed = 0;
  /** The running case of each run of a file. */
  readonly #running = new Map<string, Running>();

  /** `nowMs` counts from any moment, the same as in `text`. */
  add(event: TestEvent, nowMs: number): void {
    if (event.type === "run") this.#planned = event.files.length;
    if (!("try" in event)) return;
    const key = runOfFile(event);
    switch (event.type) {
      case "case-start":
        this.#running.set(key, {
          file: event.source?.path ?? event.file,
          name: event.names.join(" › "),
          sinceMs: nowMs,
        });
        return;
      case "case-end":
        this.#running.delete(key);
        if (event.status === "failed") this.#failed += 1;
        if (event.status === "passed") this.#passed += 1;
        return;
      case "file-end":
        this.#running.delete(key);
        if (event.isRetried !== true) this.#ended += 1;
    }
  }

  text(nowMs: number): string {
    // A file ends several times if it runs in several clients or is repeated.
    const planned = Math.max(this.#planned, this.#ended);
    const failed = this.#failed > 0 ? `${this.#failed} failed, ` : "";
    const running = [...this.#running.values()].map(({ file, name, sinceMs }) => {
      const ms = nowMs - sinceMs;
      return `${file} › ${name}${ms >= SLOW_MS ? ` (slow: ${timeText(ms)})` : ""}`;
    });
    return [`${this.#ended}/${planned} files`, `${failed}${this.#passed} passed`, ...running].join("  ");
  }
}
