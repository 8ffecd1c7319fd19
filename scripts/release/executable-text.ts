/** Texts in executables end with a zero byte, in every format. */

const ascii = new TextDecoder("latin1");

export function textAt(file: Uint8Array, offset: number): string {
  const end = file.indexOf(0, offset);
  return ascii.decode(file.subarray(offset, end < 0 ? file.length : end));
}
