/** A file that was built from a project, and the sentence about it. */
import { visibleOnOneLine } from "../util/visible-controls.ts";

export interface Built {
  /** Of the project. */
  readonly name: string;
  readonly file: string;
  readonly instances: number;
  readonly bytes: number;
}

export function builtText({ name, file, instances }: Built): string {
  const count = `${instances} Instance${instances === 1 ? "" : "s"}`;
  return `Built ${visibleOnOneLine(name)} to ${visibleOnOneLine(file)} (${count})`;
}
