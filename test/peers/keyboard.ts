/**
 * A person at a terminal: runs a program on a pseudo-terminal, presses keys, and reads what the screen was sent, or what
 * a terminal makes of it.
 */
import { join } from "node:path";
import { Terminal } from "@xterm/headless";
import { binaryPath } from "../../build.ts";
import { untilAsync } from "../harness.ts";
import type { Sandbox } from "../harness.ts";

export const keys = {
  enter: "\r",
  altEnter: "\x1b\r",
  tab: "\t",
  up: "\x1b[A",
  down: "\x1b[B",
  left: "\x1b[D",
  right: "\x1b[C",
  home: "\x1b[H",
  end: "\x1b[F",
  ctrlC: "\x03",
  ctrlD: "\x04",
  ctrlR: "\x12",
  ctrlU: "\x15",
  ctrlZ: "\x1a",
} as const;

const ROWS = 24;

export class Keyboard implements AsyncDisposable {
  readonly #program: Bun.Subprocess;
  readonly #screen: Terminal;
  #sent = "";
  #mark = 0;

  private constructor(args: readonly string[], box: Sandbox, columns: number) {
    const decoder = new TextDecoder();
    this.#screen = new Terminal({ cols: columns, rows: ROWS, allowProposedApi: true });
    this.#program = Bun.spawn([binaryPath, ...args], {
      cwd: box.folder,
      env: box.env({
        TERM: "xterm-256color",
        SB_PORT: String(box.port),
        // Tests that need one put it there.
        VISUAL: join(box.folder, "bin", "text-editor"),
      }),
      terminal: {
        cols: columns,
        rows: ROWS,
        data: (_, bytes) => {
          this.#screen.write(bytes);
          this.#sent += decoder.decode(bytes, { stream: true });
        },
      },
    });
  }

  /** Resolves once the screen shows `first`, which a terminal does when its prompt is there. */
  static async openAsync(
    args: readonly string[],
    box: Sandbox,
    columns = 80,
    first = "exit to disconnect.",
  ): Promise<Keyboard> {
    const keyboard = new Keyboard(args, box, columns);
    await keyboard.seesAsync(first);
    return keyboard;
  }

  /** All that the screen was sent, as it was. */
  get sent(): string {
    return this.#sent;
  }

  get pid(): number {
    return this.#program.pid;
  }

  get exited(): Promise<number> {
    return this.#program.exited;
  }

  press(text: string): void {
    this.#program.terminal?.write(text);
  }

  /** As a screen that marks pastes passes them on. */
  paste(text: string): void {
    this.press(`\x1b[200~${text}\x1b[201~`);
  }

  /** What the screen was sent since the last thing that was seen, without colours and cursor movements. */
  get unseen(): string {
    return plain(this.#sent.slice(this.#mark));
  }

  /** Waits until the screen was sent a text that was not seen before; `rows` then has it. */
  async seesAsync(text: string): Promise<string> {
    const give = async () =>
      untilAsync(`the screen shows ${JSON.stringify(text)}`, () =>
        this.unseen.includes(text) ? this.unseen : undefined,
      );
    const seen = await give().catch((error: unknown) => {
      throw new Error(`${String(error)}; it shows:\n${this.unseen}`);
    });
    this.#mark = this.#sent.length;
    // The screen draws what it was sent a moment later.
    await new Promise<void>((resolve) => this.#screen.write("", resolve));
    return seen;
  }

  /** The rows of the screen as they look now, and those that were scrolled out of it. */
  get rows(): string[] {
    const { buffer } = this.#screen;
    const rows = Array.from(
      { length: buffer.active.length },
      (_, index) => buffer.active.getLine(index)?.translateToString(true) ?? "",
    );
    return rows.join("\n").trimEnd().split("\n");
  }

  /** Waits until rows that follow each other on the screen look like this, the first and the last in part. */
  async looksAsync(text: string): Promise<void> {
    const looks = () => (this.rows.join("\n").includes(text) ? true : undefined);
    await untilAsync(`the screen looks like ${JSON.stringify(text)}`, looks).catch((error: unknown) => {
      throw new Error(`${String(error)}; it looks like:\n${this.rows.join("\n")}`);
    });
    this.#mark = this.#sent.length;
  }

  /** Another size of the window. */
  resize(columns: number): void {
    this.#screen.resize(columns, ROWS);
    this.#program.terminal?.resize(columns, ROWS);
  }

  /** Types a line and waits for a text in answer. */
  async typeAsync(line: string, answer: string): Promise<string> {
    this.press(`${line}${keys.enter}`);
    return this.seesAsync(answer);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#program.kill("SIGTERM");
    await this.#program.exited;
    this.#program.terminal?.close();
  }
}

function plain(text: string): string {
  return Bun.stripANSI(text).replaceAll("\r", "");
}
