/** What Git LFS leaves in the place of a file that it did not fetch, as in a checkout of CI. */
import { byteStringOf } from "../util/bytes.ts";

/** Every pointer begins so (Git LFS, specification of pointers). */
const BEGINNING = "version https://git-lfs.github.com/spec/";

export const POINTER_FILE = "it is a Git LFS pointer, not the file itself";

export const isPointerFile = (file: Uint8Array): boolean =>
  byteStringOf(file.subarray(0, BEGINNING.length)) === BEGINNING;
