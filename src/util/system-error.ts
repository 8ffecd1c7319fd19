/** What the operating system said, in words for people. */

/** The reason of a path that leads to a folder in place of a file. */
export const IS_FOLDER = "it is a folder";

const reasons: { readonly [code: string]: string } = {
  ENOENT: "a part of the path does not exist",
  EACCES: "permission denied",
  EPERM: "not permitted",
  EROFS: "the file system is read-only",
  ENOSPC: "the disk is full",
  EISDIR: IS_FOLDER,
  ENOTDIR: "a part of the path is not a folder",
  EEXIST: "a part of the path is not a folder",
  E2BIG: "the arguments are longer than the system takes",
  ENOEXEC: "it is not a program that this system can run",
  EADDRINUSE: "another program holds it",
  EADDRNOTAVAIL: "the address does not exist here",
};

/** `ENOENT` and the like; undefined for an error that is not the system's. */
export function systemCodeOf(error: unknown): string | undefined {
  if (typeof error !== "object" || error === null || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}

export function systemReason(error: unknown): string {
  const code = systemCodeOf(error);
  if (code === undefined) return error instanceof Error ? error.message : String(error);
  return reasons[code] ?? code;
}
