/** Blocks and frames between a headless Studio and the process that started it. */
import { expect, test } from "bun:test";
import {
  type BlockSink,
  FramePipe,
  readBlocksAsync,
  writeBlock,
} from "../../../../src/headless/process/frame-pipe.ts";

class Recorder implements BlockSink {
  readonly written: Uint8Array[] = [];
  flushes = 0;

  write(bytes: Uint8Array): void {
    this.written.push(bytes.slice());
  }

  flush(): void {
    this.flushes += 1;
  }

  get bytes(): Uint8Array {
    return Buffer.concat(this.written);
  }
}

/** The bytes in chunks of that size. */
async function* inChunks(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function blocksAsync(input: AsyncIterable<Uint8Array>): Promise<string[]> {
  const blocks: string[] = [];
  for await (const block of readBlocksAsync(input)) blocks.push(new TextDecoder().decode(block));
  return blocks;
}

const texts = ["", "a", "four", "x".repeat(300), "", "ü".repeat(70)];

async function writtenAsync(): Promise<Uint8Array> {
  const sink = new Recorder();
  for (const text of texts) await writeBlock(sink, new TextEncoder().encode(text));
  return sink.bytes;
}

test("blocks are the same wherever the stream is cut into chunks", async () => {
  const bytes = await writtenAsync();
  for (const size of [1, 2, 3, 4, 5, 7, 64, 305, bytes.length])
    expect(await blocksAsync(inChunks(bytes, size))).toEqual(texts);
});

test("a block that the end of the stream cuts off is left out", async () => {
  const bytes = await writtenAsync();
  for (const missing of [1, 139, 142, 144])
    expect(await blocksAsync(inChunks(bytes.subarray(0, -missing), 9))).toEqual(texts.slice(0, -1));
});

test("a stream that breaks ends the blocks without an error", async () => {
  const bytes = await writtenAsync();
  async function* breaking(): AsyncGenerator<Uint8Array> {
    yield bytes;
    throw new Error("broken pipe");
  }
  expect(await blocksAsync(breaking())).toEqual(texts);
});

test("frames that are sent in one turn leave with one flush, in their order", async () => {
  const sink = new Recorder();
  const pipe = new FramePipe(inChunks(new Uint8Array(), 1), sink);
  for (const text of ["a", "b", "c"]) pipe.send(7, text);
  expect(sink.flushes).toBe(0);
  await pipe.flushedAsync();
  expect(sink.flushes).toBe(1);
  pipe.send(7, "d");
  await Promise.resolve();
  expect(sink.flushes).toBe(2);

  const heard: string[] = [];
  const other = new FramePipe(readBlocksAsync(inChunks(sink.bytes, 11)), new Recorder());
  await other.listenAsync({
    frame: (linkId, text) => void heard.push(`${linkId} ${text}`),
    closed: (linkId) => void heard.push(`closed ${linkId}`),
  });
  expect(heard).toEqual(["7 a", "7 b", "7 c", "7 d"]);
});

test("if the other process is gone, sending causes no error", async () => {
  const gone: BlockSink = {
    write: () => {
      throw new Error("EPIPE");
    },
    flush: () => Promise.reject(new Error("EPIPE")),
  };
  const pipe = new FramePipe(inChunks(new Uint8Array(), 1), gone);
  pipe.send(1, "a");
  await pipe.flushedAsync();
  await writeBlock(gone, new Uint8Array());
});
