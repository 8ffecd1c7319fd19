/** The error for a project that cannot be read: it names the file with the fault, and says what is wrong there. */
import { systemCodeOf, systemReason } from "../../util/system-error.ts";

/** The message is `PATH: REASON`. */
export class FileFault extends Error {
  readonly path: string;
  readonly reason: string;

  constructor(path: string, cause: unknown) {
    const reason = systemCodeOf(cause) === "ENOENT" ? "no such file" : systemReason(cause);
    super(`${path}: ${reason}`, { cause });
    this.path = path;
    this.reason = reason;
  }
}

/** Names the file in which something is wrong. A fault that names one already stays as it is. */
export function inFile(path: string, error: unknown): FileFault {
  return error instanceof FileFault ? error : new FileFault(path, error);
}
