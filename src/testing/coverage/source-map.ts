/**
 * From the lines of a file that a compiler wrote, such as roblox-ts, to those of the file that a person wrote. The compiler
 * tells them in a source map beside its file: `a.luau.map` for `a.luau`.
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

/** By the line of the compiled file; lines that the map does not know are absent. */
export type LineMap = ReadonlyMap<number, SourcePosition>;

/** Undefined where the file has no map, or one that leads out of the project. */
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

/** The same counts by the lines of the sources. Of several lines that come from one, the one that ran most often counts. */
export function mappedCoverage(file: FileCoverage, map: LineMap): FileCoverage[] {
  const lines = new Map<string, Map<number, number>>();
  for (const [line, hits] of file.lines) {
    const source = map.get(line);
    if (source === undefined) continue;
    const ofFile = lines.get(source.path) ?? new Map<number, number>();
    lines.set(source.path, ofFile);
    ofFile.set(source.line, Math.max(ofFile.get(source.line) ?? 0, hits));
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
