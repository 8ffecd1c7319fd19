/**
 * A VM at rest as bytes: its memory and the few numbers that JavaScript keeps beside it. Valid only for the wasm that it
 * was taken from and for the same host functions in the same order.
 */

export interface VmSnapshot {
  /** Numbers by name, as their owners gave them. */
  readonly numbers: Readonly<Record<string, number>>;
  /** The linear memory without the zeros at its end. */
  readonly memory: Uint8Array;
}

const HEADER_END = 0x0a;

export function encodeSnapshot({ numbers, memory }: VmSnapshot): Uint8Array<ArrayBuffer> {
  const end = trimmed(memory);
  const header = new TextEncoder().encode(`${JSON.stringify(numbers)}\n`);
  const bytes = new Uint8Array(header.length + end);
  bytes.set(header);
  bytes.set(memory.subarray(0, end), header.length);
  return bytes;
}

const ZEROS = Buffer.alloc(65_536);

/** The length of a memory without the zeros at its end. */
export function trimmed(memory: Uint8Array): number {
  let end = memory.length;
  // By blocks first, because a byte at a time takes 10 ms for 8 MB in a thread that has just started.
  while (end >= ZEROS.length && ZEROS.equals(memory.subarray(end - ZEROS.length, end))) end -= ZEROS.length;
  while (end > 0 && memory[end - 1] === 0) end--;
  return end;
}

export function decodeSnapshot(bytes: Uint8Array): VmSnapshot {
  const headerEnd = bytes.indexOf(HEADER_END);
  const numbers: Record<string, number> = JSON.parse(new TextDecoder().decode(bytes.subarray(0, headerEnd)));
  return { numbers, memory: bytes.subarray(headerEnd + 1) };
}

/** A number that a snapshot must have. */
export function numberOf({ numbers }: VmSnapshot, name: string): number {
  const value = numbers[name];
  if (value === undefined) throw new Error(`the VM snapshot has no ${name}`);
  return value;
}
