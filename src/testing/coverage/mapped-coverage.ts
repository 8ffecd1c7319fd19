/** The coverage of a compiled file as the coverage of its sources. */
import type { LineMap } from "../../source-maps/line-map.ts";
import { type FileCoverage, mergeCoverage } from "./file-coverage.ts";

/** The coverage of the sources. If several compiled lines come from one source line, the highest count is taken. */
export function mappedCoverage(file: FileCoverage, map: LineMap): FileCoverage[] {
  const lines = new Map<string, Map<number, number>>();
  for (const [line, hits] of file.lines) {
    const source = map.get(line);
    if (source === undefined) continue;
    const hitsOfLine = lines.get(source.path) ?? new Map<number, number>();
    lines.set(source.path, hitsOfLine);
    hitsOfLine.set(source.line, Math.max(hitsOfLine.get(source.line) ?? 0, hits));
  }
  const functions = file.functions.flatMap(({ name, line, hits }) => {
    const source = map.get(line);
    return source === undefined ? [] : [{ path: source.path, name, line: source.line, hits }];
  });
  return mergeCoverage([
    [...lines].map(([path, hits]) => ({
      path,
      lines: [...hits],
      functions: functions.filter((each) => each.path === path).map(({ path: _, ...each }) => each),
    })),
  ]);
}
