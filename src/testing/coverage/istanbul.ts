/** Coverage as the JSON of Istanbul, which its tools for reports and many editors read. */
import { resolve } from "node:path";
import { type FileCoverage, functionNames } from "./file-coverage.ts";

/** A whole line as a range of Istanbul. Its columns are 0, because Luau does not tell columns. */
const lineAt = (line: number) => ({ start: { line, column: 0 }, end: { line, column: 0 } });

/** The keys are absolute paths, as Istanbul writes them. */
export function istanbulText(files: readonly FileCoverage[], folder: string): string {
  const entries = files.map((file) => {
    const path = resolve(folder, file.path);
    return [path, fileOf(path, file)] as const;
  });
  return `${JSON.stringify(Object.fromEntries(entries), null, 1)}\n`;
}

function fileOf(path: string, { lines, functions }: FileCoverage) {
  const names = functionNames(functions);
  return {
    path,
    statementMap: numbered(lines.map(([line]) => lineAt(line))),
    fnMap: numbered(
      functions.map(({ line }, index) => ({
        name: names[index],
        line,
        decl: lineAt(line),
        loc: lineAt(line),
      })),
    ),
    branchMap: {},
    s: numbered(lines.map(([, hits]) => hits)),
    f: numbered(functions.map(({ hits }) => hits)),
    b: {},
  };
}

const numbered = <T>(values: readonly T[]): Readonly<Record<string, T>> =>
  Object.fromEntries(values.map((value, index) => [String(index), value]));
