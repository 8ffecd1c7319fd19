/** Coverage as the JSON of Istanbul, which its tools for reports and many editors read. */
import { resolve } from "node:path";
import { type FileCoverage, functionNames } from "./file-coverage.ts";

/** A line as Istanbul wants it, because Luau tells no columns. */
const lineAt = (line: number) => ({ start: { line, column: 0 }, end: { line, column: 0 } });

/** Keyed by whole paths, as Istanbul writes it. */
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
