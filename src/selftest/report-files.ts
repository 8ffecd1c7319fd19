/** The files of `--report`: JSON, Markdown, or both if the name has no ending. */
import { access, constants } from "node:fs/promises";
import { dirname, extname, resolve } from "node:path";
import { unwritableFile } from "../files/unwritable-file.ts";
import { invalidInput } from "../protocol/messages.ts";
import { writeWholeFileAsync } from "../util/whole-file.ts";
import { markdownText, type Report } from "./report.ts";

const WRITERS: Readonly<Record<string, (report: Report) => string>> = {
  ".json": (report) => `${JSON.stringify(report, null, 2)}\n`,
  ".md": markdownText,
};

/** Throws INVALID_INPUT for a name with another ending. */
export function reportFiles(name: string): readonly string[] {
  const ending = extname(name);
  if (ending === "") return Object.keys(WRITERS).map((known) => resolve(name + known));
  if (WRITERS[ending] !== undefined) return [resolve(name)];
  throw invalidInput(
    `--report: ${name} is neither a .json nor a .md file.`,
    "Write FILE.json, FILE.md, or FILE for both.",
  );
}

/** Throws FILE_ERROR if a file could not be written. It is called before the self-test, so that no results are lost. */
export async function checkReportFoldersAsync(files: readonly string[]): Promise<void> {
  for (const file of files)
    await access(dirname(file), constants.W_OK).catch((error: unknown) => {
      throw unwritableFile(file, error);
    });
}

export async function writeReportAsync(files: readonly string[], report: Report): Promise<void> {
  for (const file of files) {
    const text = WRITERS[extname(file)]?.(report) ?? "";
    await writeWholeFileAsync(file, new TextEncoder().encode(text)).catch((error: unknown) => {
      throw unwritableFile(file, error);
    });
  }
}
