/** A program that reads lines while this one works. Nothing waits for it but the end, and then only for a while. */
import { systemCodeOf, systemReason } from "../util/system-error.ts";
import { startable } from "./start-words.ts";
import { endGroup, trackGroup } from "./process-group.ts";

/** How long the program may take to end after its last line. */
const END_MS = 10_000;

export class EventPipe {
  readonly #child: Bun.Subprocess<"pipe", 2, "inherit"> | undefined;
  readonly #tracked: Disposable | undefined;
  #fault: string | undefined;

  /** Starts the program, without a shell. What it prints goes to standard error. */
  constructor(argv: readonly string[], cwd: string) {
    try {
      const { argv: words, ...how } = startable(argv, cwd);
      this.#child = Bun.spawn(words, {
        ...how,
        cwd,
        env: process.env,
        stdin: "pipe",
        stdout: 2,
        stderr: "inherit",
        detached: process.platform !== "win32",
        windowsHide: true,
      });
      this.#tracked = trackGroup(this.#child.pid);
    } catch (error) {
      this.#fault =
        systemCodeOf(error) === "ENOENT"
          ? "there is no such program"
          : `it did not start: ${systemReason(error)}`;
    }
  }

  write(line: string): void {
    if (this.#child === undefined || this.#fault !== undefined) return;
    try {
      void Promise.resolve(this.#child.stdin.write(`${line}\n`)).catch(() => this.#stopped());
      void Promise.resolve(this.#child.stdin.flush()).catch(() => this.#stopped());
    } catch {
      this.#stopped();
    }
  }

  /** Resolves when the program has ended: with what went wrong, undefined if nothing did. */
  async endAsync(): Promise<string | undefined> {
    const child = this.#child;
    if (child === undefined) return this.#fault;
    try {
      await child.stdin.end();
    } catch {
      this.#stopped();
    }
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      endGroup(child.pid);
    }, END_MS);
    const code = await child.exited;
    clearTimeout(timer);
    this.#tracked?.[Symbol.dispose]();
    if (isLate) return `it did not end within ${END_MS / 1000} seconds after the run`;
    return code === 0 ? this.#fault : `it ended with exit code ${code}`;
  }

  #stopped(): void {
    this.#fault ??= "it stopped reading before the run was over";
  }
}
