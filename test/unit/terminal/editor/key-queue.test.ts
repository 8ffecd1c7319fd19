import { beforeEach, describe, expect, test } from "bun:test";
import { PassThrough } from "node:stream";
import { chordOf } from "../../../../src/terminal/editor/key.ts";
import { KeyInput } from "../../../../src/terminal/editor/key-input.ts";
import type { KeyboardEvent } from "../../../../src/terminal/editor/key-input.ts";
import { KeyQueue } from "../../../../src/terminal/editor/key-queue.ts";

let keyboard: PassThrough;
/** What was handed on: typed text and the names of other keys, and pasted blocks. */
let received: string[];
let interrupts: number;
let takesNow: boolean;
/** What a key starts; undefined: nothing that takes time. */
let workOf: (received: string) => Promise<void> | undefined;

const shown = (event: KeyboardEvent) =>
  event.kind === "paste" ? `paste:${event.text}` : (event.key.typed ?? chordOf(event.key));

beforeEach(() => {
  keyboard = new PassThrough();
  [received, interrupts, takesNow] = [[], 0, false];
  workOf = () => undefined;
  const queue = new KeyQueue({
    take: (event) => {
      received.push(shown(event));
      return workOf(shown(event));
    },
    interrupt: () => (interrupts += 1),
    useNow: () => takesNow,
  });
  new KeyInput(keyboard, queue.add).start();
});

const settledAsync = () => new Promise((resolve) => setTimeout(resolve, 5));

async function pressAsync(keys: string | Uint8Array): Promise<void> {
  keyboard.write(keys);
  await settledAsync();
}

describe("keys", () => {
  test("pass as they come while nothing runs", async () => {
    await pressAsync("a");
    await pressAsync("b\x1b[A\x1b[1;5C\x1bf");
    expect(received).toEqual(["a", "b", "up", "ctrl+right", "meta+f"]);
  });

  test("wait for the work of the one before", async () => {
    const first = Promise.withResolvers<void>();
    workOf = (key) => (key === "\r" ? first.promise : undefined);
    await pressAsync("1\r2");
    await pressAsync("3");
    expect(received).toEqual(["1", "\r"]);
    workOf = () => undefined;
    first.resolve();
    await settledAsync();
    expect(received).toEqual(["1", "\r", "2", "3"]);
  });

  test("are not cut inside a character", async () => {
    const bytes = Buffer.from("é🎮");
    await pressAsync(bytes.subarray(0, 1));
    await pressAsync(bytes.subarray(1, 4));
    await pressAsync(bytes.subarray(4));
    expect(received).toEqual(["é", "🎮"]);
  });
});

describe("while work goes on", () => {
  let done: () => void;
  beforeEach(async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    done = resolve;
    workOf = (key) => (key === "\r" ? promise : undefined);
    await pressAsync("\r");
    workOf = () => undefined;
  });

  test("Ctrl+C interrupts it and drops what was typed ahead", async () => {
    await pressAsync("ahead\r");
    await pressAsync("x\x03y");
    expect(interrupts).toBe(1);
    done();
    await settledAsync();
    expect(received).toEqual(["\r", "y"]);
  });

  test("a key may be used up by it, unless others wait already", async () => {
    takesNow = true;
    await pressAsync("\r");
    takesNow = false;
    await pressAsync("a");
    takesNow = true;
    await pressAsync("\r");
    done();
    await settledAsync();
    expect(received).toEqual(["\r", "a", "\r"]);
  });

  test("and has ended, Ctrl+C is a key like others", async () => {
    done();
    await settledAsync();
    await pressAsync("\x03");
    expect([interrupts, received]).toEqual([0, ["\r", "\x03"]]);
  });
});

describe("a pasted block", () => {
  const paste = (text: string) => `\x1b[200~${text}\x1b[201~`;

  test("is one piece, with plain line breaks, blanks for tabs and no keys in it", async () => {
    await pressAsync(paste("if x then\n\tprint(1)\r\nend\n"));
    await pressAsync(paste("a\x03\x1b[Ab\x7f"));
    expect(received).toEqual(["paste:if x then\n  print(1)\nend\n", "paste:a[Ab"]);
  });

  test("may come in any pieces, with keys around it", async () => {
    const all = `x${paste("a\nb")}y`;
    for (let at = 1; at < all.length; at += 1) {
      received = [];
      await pressAsync(all.slice(0, at));
      await pressAsync(all.slice(at));
      expect(received).toEqual(["x", "paste:a\nb", "y"]);
    }
  });

  test("that is large takes no time for each of its characters", async () => {
    const block = "local value = 1\n".repeat(60_000);
    await pressAsync(paste(block));
    expect(received).toEqual([`paste:${block}`]);
  });
});
