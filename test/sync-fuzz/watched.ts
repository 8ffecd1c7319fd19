/** A running `sb sync --watch`, what it says, and what it has parked. */
import type { Sandbox } from "../harness.ts";
import { untilAsync } from "../harness.ts";

const LINE = /^(?:push|pull|merge|parked) +([+~>-]) (.*)$/;

export class Watched {
  readonly lines: string[] = [];
  readonly #child: ReturnType<Sandbox["spawn"]>;
  readonly #read: Promise<unknown>;
  readonly #parked = new Set<string>();
  #summary = "";
  #heardMs = performance.now();

  constructor(box: Sandbox, words: readonly string[]) {
    this.#child = box.spawn([...words, "--watch"]);
    this.#read = Promise.all([
      this.#readAsync(this.#child.stdout, ""),
      this.#readAsync(this.#child.stderr, "! "),
    ]);
  }

  /** The number that the last summary line says. */
  get parkedCount(): number {
    return Number(/ (\d+) parked/.exec(this.#summary)?.[1] ?? 0);
  }

  get summary(): string {
    return this.#summary;
  }

  get isRunning(): boolean {
    return this.#child.exitCode === null;
  }

  /** Whether it has ever said that a change of this Instance or of its file was parked. */
  hasParked({ path, fsPath = "" }: { readonly path: string; readonly fsPath?: string }): boolean {
    return this.#parked.has(path) || this.#parked.has(fsPath);
  }

  /** Waits until it has said nothing for so long from now on, and does not pause. */
  async untilQuietAsync(quietMs: number): Promise<void> {
    const sinceMs = performance.now();
    const isQuiet = () => performance.now() - Math.max(sinceMs, this.#heardMs) > quietMs;
    await untilAsync("the watch is quiet", () =>
      isQuiet() && !this.#summary.startsWith("paused") ? true : undefined,
    );
  }

  async untilSyncedAsync(): Promise<void> {
    await untilAsync("the first sync is done", () => (this.#summary.startsWith("synced") ? true : undefined));
  }

  async endAsync(): Promise<number> {
    this.#child.kill("SIGINT");
    const code = await this.#child.exited;
    await this.#read;
    return code;
  }

  async #readAsync(stream: ReadableStream<Uint8Array>, mark: string): Promise<void> {
    let rest = "";
    const decoder = new TextDecoder();
    for await (const bytes of stream) {
      const lines = `${rest}${decoder.decode(bytes, { stream: true })}`.split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) this.#hear(line, mark);
    }
  }

  #hear(line: string, mark: string): void {
    this.#heardMs = performance.now();
    this.lines.push(`${mark}${line}`);
    if (/^(synced|not synced|paused)/.test(line)) this.#summary = line;
    const [, , item = ""] = LINE.exec(line) ?? [];
    if (line.startsWith("parked")) for (const part of item.split("  ")) this.#parked.add(part);
  }
}
