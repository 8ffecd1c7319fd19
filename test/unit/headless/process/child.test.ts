/** What a parent tells the child process of a headless Studio, and the blocks in which both speak. */
import { expect, test } from "bun:test";
import { EarlyChild, FramePipe, readChildOptionsAsync } from "../../../../src/headless/index.ts";
import { readBlocksAsync, writeBlock } from "../../../../src/headless/process/frame-pipe.ts";

function pipe() {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  return {
    input: readable,
    write: (bytes: Uint8Array) => void writer.write(bytes),
    end: () => void writer.close(),
  };
}

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Blocks as they are written. */
function written(...blocks: readonly Uint8Array[]): Uint8Array {
  const parts: Uint8Array[] = [];
  const sink = { write: (bytes: Uint8Array) => parts.push(bytes), flush: () => undefined };
  for (const block of blocks) void writeBlock(sink, block);
  return Buffer.concat(parts);
}

test("options and a place are read from pieces of any size", async () => {
  const { input, write } = pipe();
  const options = bytesOf('{"launchId":"x","placeName":"ä","hasPlace":true}');
  for (const byte of written(options, bytesOf("ab\n\0cd"))) write(Uint8Array.of(byte));
  const read = await readChildOptionsAsync(input);
  expect(read.options).toEqual({ launchId: "x", placeName: "ä", place: Buffer.from("ab\n\0cd") });
});

test("without a place, the blocks after the options are frames", async () => {
  const { input, write, end } = pipe();
  write(written(bytesOf('{"launchId":"x","hasPlace":false}'), bytesOf("\x07\0\0\0{}")));
  const { options, blocks } = await readChildOptionsAsync(input);
  expect(options).toEqual({ launchId: "x" });
  end();
  const heard: unknown[] = [];
  await new FramePipe(blocks, { write: () => 0, flush: () => 0 }).listenAsync({
    frame: (linkId, text) => heard.push([linkId, text]),
    closed: (linkId) => heard.push([linkId]),
  });
  expect(heard).toEqual([[7, "{}"]]);
});

test("a parent that ends before it has said anything is an error", async () => {
  const { input, write, end } = pipe();
  write(written(bytesOf('{"launchId":"x"}')).subarray(0, 9));
  end();
  expect(readChildOptionsAsync(input)).rejects.toThrow("the parent of this headless Studio ended");
});

test("options without a launch id are an error", async () => {
  const { input, write } = pipe();
  write(written(bytesOf("{}")));
  expect(readChildOptionsAsync(input)).rejects.toThrow("malformed options");
});

test("frames and ends of links cross in order, with every character, until the other end is gone", async () => {
  const { input, write, end } = pipe();
  const near = new FramePipe(readBlocksAsync(new ReadableStream()), { write, flush: () => undefined });
  const far = new FramePipe(readBlocksAsync(input), { write: () => 0, flush: () => 0 });
  const heard: unknown[] = [];
  const over = far.listenAsync({
    frame: (linkId, text) => heard.push([linkId, text]),
    closed: (linkId) => heard.push([linkId]),
  });
  const large = "ä\0😀\n".repeat(100_000);
  near.send(1, large);
  near.close(1);
  near.send(4_000_000_000, "{}");
  end();
  await over;
  expect(heard).toEqual([[1, large], [1], [4_000_000_000, "{}"]]);
});

test("a process that starts early is given to one caller, and is ended only if no caller has taken it", async () => {
  const unused = new EarlyChild();
  await using used = new EarlyChild();
  await using child = used.take();
  expect(child?.pid).toBeGreaterThan(0);
  expect(used.take()).toBeUndefined();
  await used[Symbol.asyncDispose]();
  await unused[Symbol.asyncDispose]();
  expect(unused.take()).toBeUndefined();
  expect(() => process.kill(child?.pid ?? 0, 0)).not.toThrow();
});
