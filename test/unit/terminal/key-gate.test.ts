import { beforeEach, describe, expect, test } from "bun:test";
import { PassThrough } from "node:stream";
import { KeyGate } from "../../../src/terminal/key-gate.ts";

let keyboard: PassThrough;
let gate: KeyGate;
/** What reached the editor, each with whether it belongs to a block that goes on. */
let received: [keys: string, isInner: boolean][];
let interrupts: number;
let takesEnter: boolean;
/** What the editor starts on a line; undefined: nothing that takes time. */
let workOf: (keys: string) => Promise<void> | undefined;

beforeEach(() => {
  keyboard = new PassThrough();
  [received, interrupts, takesEnter] = [[], 0, false];
  workOf = () => undefined;
  gate = new KeyGate(keyboard, { interrupt: () => (interrupts += 1), enter: () => takesEnter });
  gate.on("data", (bytes: Buffer) => {
    const keys = bytes.toString();
    received.push([keys, gate.isInner]);
    const work = workOf(keys);
    if (work !== undefined) gate.holdWhile(work);
  });
});

const keysSoFar = () => received.map(([keys]) => keys);
const settledAsync = () => new Promise((resolve) => setTimeout(resolve, 5));

async function pressAsync(keys: string | Uint8Array): Promise<void> {
  keyboard.write(keys);
  await settledAsync();
}

describe("keys", () => {
  test("pass as they come while nothing runs", async () => {
    await pressAsync("a");
    await pressAsync("bc\x1b[A");
    expect(keysSoFar()).toEqual(["a", "bc\x1b[A"]);
  });

  test("pass line by line, each after the work of the one before", async () => {
    const first = Promise.withResolvers<void>();
    workOf = (keys) => (keys === "one\r" ? first.promise : undefined);
    await pressAsync("one\rtwo\rthr");
    expect(keysSoFar()).toEqual(["one\r"]);
    await pressAsync("ee\r");
    first.resolve();
    await settledAsync();
    expect(keysSoFar()).toEqual(["one\r", "two\r", "thr", "ee\r"]);
  });

  test("are not cut inside a character", async () => {
    const bytes = Buffer.from("é🎮");
    await pressAsync(bytes.subarray(0, 1));
    await pressAsync(bytes.subarray(1, 4));
    await pressAsync(bytes.subarray(4));
    expect(keysSoFar().join("")).toBe("é🎮");
  });
});

describe("while a line runs", () => {
  let done: () => void;
  beforeEach(async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    done = resolve;
    workOf = (keys) => (keys === "run\r" ? promise : undefined);
    await pressAsync("run\r");
  });

  test("Ctrl+C interrupts it and drops what was typed ahead", async () => {
    await pressAsync("ahead\r");
    await pressAsync("x\x03after");
    expect(interrupts).toBe(1);
    done();
    await settledAsync();
    expect(keysSoFar()).toEqual(["run\r", "after"]);
  });

  test("Enter may be used up by what runs", async () => {
    takesEnter = true;
    await pressAsync("\r");
    takesEnter = false;
    await pressAsync("\r");
    done();
    await settledAsync();
    expect(keysSoFar()).toEqual(["run\r", "\r"]);
  });

  test("and has ended, Ctrl+C is the editor's again", async () => {
    done();
    await settledAsync();
    await pressAsync("\x03");
    expect([interrupts, keysSoFar()]).toEqual([0, ["run\r", "\x03"]]);
  });
});

describe("a pasted block", () => {
  const paste = (text: string) => `\x1b[200~${text}\x1b[201~`;

  test("is one piece of several lines, the last of which ends it", async () => {
    await pressAsync(paste("if x then\n\tprint(1)\r\nend\n"));
    expect(received).toEqual([
      ["if x then\r", true],
      ["  print(1)\r", true],
      ["end\r", false],
    ]);
  });

  test("without a last newline waits for Enter", async () => {
    await pressAsync(paste("a\nb"));
    expect(received).toEqual([
      ["a\r", true],
      ["b", false],
    ]);
  });

  test("may come in any pieces, with keys around it", async () => {
    await pressAsync("x\x1b[200~a");
    await pressAsync("\nb\x1b[20");
    await pressAsync("1~y");
    expect(received).toEqual([
      ["x", false],
      ["a\r", true],
      ["b", false],
      ["y", false],
    ]);
  });

  test("is known by its mark, even where that comes in two pieces", async () => {
    await pressAsync("x\x1b[20");
    await pressAsync("0~a\nb\x1b[201~");
    expect(received).toEqual([
      ["x", false],
      ["a\r", true],
      ["b", false],
    ]);
  });

  test("presses no keys", async () => {
    await pressAsync(paste("a\x03\x1b[Ab\x7f"));
    expect(received).toEqual([["a[Ab", false]]);
  });
});
