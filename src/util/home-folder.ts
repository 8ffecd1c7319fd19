/** The home folder of the user, which a user id without an account does not have. */
import { homedir } from "node:os";

export class NoHomeFolderError extends Error {
  override readonly name = "NoHomeFolderError";

  constructor(cause: unknown) {
    super("This user has no home folder.", { cause });
  }
}

/** Throws NoHomeFolderError where the environment names no home and the system knows none for this user. */
export function homeFolder(): string {
  try {
    return homedir();
  } catch (error) {
    throw new NoHomeFolderError(error);
  }
}
