/** The error for a stdout that cannot take the result. */

const reasons: { readonly [code: string]: string } = {
  ENOSPC: "No space left on device",
  EDQUOT: "Disk quota exceeded",
  EIO: "Input/output error",
  EFBIG: "File too large",
  EBADF: "it is closed",
};

const hints: { readonly [code: string]: string } = {
  EBADF: "Leave stdout open; `>/dev/null` drops the output on purpose.",
};

export function writeFailureText(code: string): string {
  const hint = hints[code] ?? "The output is incomplete; free some space or write elsewhere.";
  return `error: Could not write to stdout: ${reasons[code] ?? code}\nhint: ${hint}`;
}
