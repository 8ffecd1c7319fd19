/**
 * Decodes bytes that must be UTF-8. If they are not, it gives the position of the first wrong byte, so that an error
 * message can point at it.
 */

/** Both counted from 1, the column in bytes. */
interface Utf8Fault {
  readonly line: number;
  readonly column: number;
}

/** A byte order mark at the start is no part of the text unless it is kept. */
export function decodeStrictly(bytes: Uint8Array, { keepsMark = false } = {}): string | Utf8Fault {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: keepsMark }).decode(bytes);
  } catch {
    return firstFault(bytes);
  }
}

function firstFault(bytes: Uint8Array): Utf8Fault {
  let [valid, invalid] = [0, bytes.byteLength + 1];
  while (invalid - valid > 1) {
    const middle = (valid + invalid) >> 1;
    if (isUtf8(bytes.subarray(0, middle), { mayEndEarly: true })) valid = middle;
    else invalid = middle;
  }
  // What looked like the start of a character is part of the fault.
  while (!isUtf8(bytes.subarray(0, valid), { mayEndEarly: false })) valid -= 1;
  const before = bytes.subarray(0, valid);
  const line = before.reduce((count, byte) => (byte === 0x0a ? count + 1 : count), 1);
  return { line, column: valid - before.lastIndexOf(0x0a) };
}

function isUtf8(bytes: Uint8Array, { mayEndEarly }: { readonly mayEndEarly: boolean }): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: mayEndEarly });
    return true;
  } catch {
    return false;
  }
}
