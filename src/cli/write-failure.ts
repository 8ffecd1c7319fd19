/** What to say when stdout cannot take the result. */

const reasons: { readonly [code: string]: string } = {
  ENOSPC: "No space left on device",
  EDQUOT: "Disk quota exceeded",
  EIO: "Input/output error",
  EFBIG: "File too large",
  EBADF: "It is closed",
};

export function writeFailureText(code: string): string {
  return `error: Could not write to stdout: ${reasons[code] ?? code}\nhint: The output is incomplete; free some space or write elsewhere.`;
}
