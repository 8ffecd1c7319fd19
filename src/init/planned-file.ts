/** A file that `sb init` writes unless it is there. */

export interface PlannedFile {
  /** Relative to the project's folder, with slashes. */
  readonly path: string;
  readonly text: string;
  /** The purpose of the file, in a few words. */
  readonly purpose: string;
}
