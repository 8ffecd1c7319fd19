/** Reads a source map: for each line of a compiled file, the line of the source that it was made from. */
import { decode } from "@jridgewell/sourcemap-codec";
import { resolve } from "node:path";
import { defineSchema } from "../protocol/schema.ts";
import { parsedJson } from "../util/parsed-json.ts";
import { pathInside } from "../util/path-inside.ts";
import { isReallyWithin } from "../util/real-path-inside.ts";

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

/** `from` is the folder of the map. For a map that cannot be used, the reason as the end of a sentence. */
export function lineMapOf(text: string, from: string, folder: string): LineMap | string {
  const map = sourceMapSchema.read(parsedJson(text))?.value;
  if (map === undefined) return "it is no source map of version 3";
  const paths = map.sources.map((source) =>
    source === null ? undefined : pathOf(resolve(from, map.sourceRoot ?? "", source), folder),
  );
  const lines = new Map<number, SourcePosition>();
  for (const [index, segments] of decodedLines(map.mappings).entries())
    for (const segment of segments) {
      if (segment.length === 1) continue;
      const path = paths[segment[1]];
      if (path === undefined) return "it names a source outside of the project";
      if (!lines.has(index + 1)) lines.set(index + 1, { path, line: segment[2] + 1 });
    }
  return lines.size === 0 ? "it names no line" : lines;
}

function decodedLines(mappings: string): ReturnType<typeof decode> {
  try {
    return decode(mappings);
  } catch {
    return [];
  }
}

/** Undefined for a file outside of the project's folder, also for one that only a link brings there. */
function pathOf(file: string, folder: string): string | undefined {
  return isReallyWithin(folder, file) ? pathInside(folder, file) : undefined;
}
