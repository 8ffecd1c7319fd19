/**
 * Maps the lines of a compiled file, such as one by roblox-ts, to the lines of its source. The compiler writes this source map
 * beside the compiled file: `a.luau.map` for `a.luau`.
 */
import { decode } from "@jridgewell/sourcemap-codec";
import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { defineSchema } from "../../protocol/schema.ts";
import { parsedJson } from "../../util/parsed-json.ts";
import { type FileCoverage, mergeCoverage } from "./file-coverage.ts";
import { pathInside } from "../../util/path-inside.ts";

const sourceMapSchema = defineSchema((z) =>
  z.object({
    version: z.literal(3),
    sourceRoot: z.string().optional(),
    sources: z.array(z.string().nullable()),
    mappings: z.string(),
  }),
);

export interface SourcePosition {
  /** Relative to the project's folder, with slashes. */
  readonly path: string;
  readonly line: number;
}

/** The position in the source for each line of the compiled file. Lines without one are absent. */
export type LineMap = ReadonlyMap<number, SourcePosition>;

/** Undefined if the file has no map, or if the map names a source outside of the project. */
export async function readLineMapAsync(file: string, folder: string): Promise<LineMap | undefined> {
  const text = await readFile(`${file}.map`, "utf8").catch(() => undefined);
  return text === undefined ? undefined : lineMapOf(text, dirname(file), folder);
}

/** `from` is the folder of the map. */
export function lineMapOf(text: string, from: string, folder: string): LineMap | undefined {
  const map = sourceMapSchema.read(parsedJson(text))?.value;
  if (map === undefined) return undefined;
  const paths = map.sources.map((source) =>
    source === null ? undefined : pathInside(folder, resolve(from, map.sourceRoot ?? "", source)),
  );
  const lines = new Map<number, SourcePosition>();
  for (const [index, segments] of decode(map.mappings).entries())
    for (const segment of segments) {
      if (segment.length === 1) continue;
      const path = paths[segment[1]];
      if (path === undefined || path.startsWith("../")) return undefined;
      if (!lines.has(index + 1)) lines.set(index + 1, { path, line: segment[2] + 1 });
    }
  return lines.size === 0 ? undefined : lines;
}

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
