/**
 * The private link between a one-shot headless Studio and the process that started it: blocks of bytes on the child's
 * standard input and output, and the frames of numbered links in such blocks. Both ends use this file.
 */
const LENGTH_BYTES = 4;
const LINK_ID_BYTES = 4;

/** Blocks with this number carry orders and their answers. No link has it. */
const ORDERS = 0xffff_ffff;
/** The block with this number says why the other end could not start. No link has it either. */
const REFUSAL = 0xffff_fffe;

/** Receives the frames of the other end's links. A new id means a new link. */
export interface LinksListener {
  frame(linkId: number, text: string): void;
  closed(linkId: number): void;
}

/** As Bun has it for a child's standard input and for this process's output. */
export interface BlockSink {
  write(bytes: Uint8Array): unknown;
  flush(): unknown;
}

/** Writes one block. It does not fail if the other process has ended, because the reader of the pipe notices that. */
export async function writeBlock(sink: BlockSink, block: Uint8Array): Promise<void> {
  addBlock(sink, block);
  await flushAsync(sink);
}

/** Adds a block, which the next flush sends. */
function addBlock(sink: BlockSink, ...parts: readonly Uint8Array[]): void {
  const head = new Uint8Array(LENGTH_BYTES);
  const lengthBytes = parts.reduce((sum, part) => sum + part.length, 0);
  new DataView(head.buffer).setUint32(0, lengthBytes, true);
  try {
    sink.write(head);
    for (const part of parts) sink.write(part);
  } catch {}
}

async function flushAsync(sink: BlockSink): Promise<void> {
  try {
    await sink.flush();
  } catch {}
}

/** The blocks of a stream, until it ends or breaks. A block that is cut off by the end is left out. */
export async function* readBlocksAsync(input: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  /** The parts of the next block. They are joined when the block is complete, because a place has many. */
  let parts: Uint8Array[] = [];
  let missing = 0;
  try {
    for await (const chunk of input) {
      parts.push(chunk);
      missing -= chunk.length;
      if (missing > 0) continue;
      let rest = parts.length === 1 ? chunk : Buffer.concat(parts);
      for (let end = blockEnd(rest); end <= rest.length; end = blockEnd(rest)) {
        yield rest.subarray(LENGTH_BYTES, end);
        rest = rest.subarray(end);
      }
      parts = rest.length === 0 ? [] : [rest];
      missing = blockEnd(rest) - rest.length;
    }
  } catch {
    // A broken pipe means the same as its end.
  }
}

/** The end of the block at the start of `bytes`; at least the end of its length field, which may not have arrived yet. */
function blockEnd(bytes: Uint8Array): number {
  if (bytes.length < LENGTH_BYTES) return LENGTH_BYTES;
  return LENGTH_BYTES + new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
}

/** One end of the link. */
export class FramePipe {
  readonly #blocks: AsyncIterable<Uint8Array>;
  readonly #sink: BlockSink;
  /** Settles when all earlier blocks have left this process. */
  #flushed: Promise<void> = Promise.resolve();
  #isFlushDue = false;
  readonly #ended = Promise.withResolvers<void>();
  #refusal: string | undefined;
  /** The callers that wait for answers, by the ids of their orders. */
  readonly #waiting = new Map<string, (answer: string) => void>();
  #lastOrder = 0;
  /** Follows the orders of the other end; resolves with the answer. */
  onOrderAsync: ((order: string) => Promise<string>) | undefined;

  constructor(blocks: AsyncIterable<Uint8Array>, sink: BlockSink) {
    this.#blocks = blocks;
    this.#sink = sink;
  }

  send(linkId: number, text: string): void {
    addBlock(this.#sink, idBytes(linkId), new TextEncoder().encode(text));
    if (this.#isFlushDue) return;
    this.#isFlushDue = true;
    // One flush serves all blocks of the same turn of the event loop.
    queueMicrotask(() => this.#flush());
  }

  /** No frame is empty, so an empty one stands for the end of its link. */
  close(linkId: number): void {
    this.send(linkId, "");
  }

  /** Sends the reason why this end could not start. */
  refuse(reason: string): void {
    this.send(REFUSAL, reason);
  }

  /** Resolves when the other end is gone, with its reason why it could not start; undefined if it sent none. */
  async refusalAsync(): Promise<string | undefined> {
    await this.#ended.promise;
    return this.#refusal;
  }

  /** Gives the other end an order; resolves with its answer, undefined when that end is gone. */
  orderAsync(order: string): Promise<string | undefined> {
    return Promise.race([
      new Promise<string>((resolve) => {
        const id = String(++this.#lastOrder);
        this.#waiting.set(id, resolve);
        this.send(ORDERS, `${id} ${order}`);
      }),
      this.#ended.promise.then(() => undefined),
    ]);
  }

  /** Resolves when the other end is gone. */
  async listenAsync(listener: LinksListener): Promise<void> {
    for await (const block of this.#blocks) {
      const linkId = new DataView(block.buffer, block.byteOffset).getUint32(0, true);
      const text = new TextDecoder().decode(block.subarray(LINK_ID_BYTES));
      if (linkId === ORDERS) this.#ordered(text);
      else if (linkId === REFUSAL) this.#refusal = text;
      else if (text === "") listener.closed(linkId);
      else listener.frame(linkId, text);
    }
    this.#ended.resolve();
  }

  /** An end either gives orders or follows them. An order and its answer begin with the same id. */
  #ordered(text: string): void {
    const idEnd = text.indexOf(" ");
    const id = text.slice(0, idEnd);
    const content = text.slice(idEnd + 1);
    if (this.onOrderAsync !== undefined)
      return void this.onOrderAsync(content).then((answer) => this.send(ORDERS, `${id} ${answer}`));
    this.#waiting.get(id)?.(content);
    this.#waiting.delete(id);
  }

  /** Resolves when everything that was sent has left this process. */
  flushedAsync(): Promise<void> {
    this.#flush();
    return this.#flushed;
  }

  #flush(): void {
    if (!this.#isFlushDue) return;
    this.#isFlushDue = false;
    this.#flushed = flushAsync(this.#sink);
  }
}

function idBytes(linkId: number): Uint8Array {
  const bytes = new Uint8Array(LINK_ID_BYTES);
  new DataView(bytes.buffer).setUint32(0, linkId, true);
  return bytes;
}
