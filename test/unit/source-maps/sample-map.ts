/** Source maps for the tests: for each compiled line, the sources and lines from which it comes. */
import { encode } from "@jridgewell/sourcemap-codec";

export const mapOf = (
  sources: readonly string[],
  lines: readonly (readonly (readonly [source: number, line: number])[])[],
): string =>
  JSON.stringify({
    version: 3,
    sources,
    names: [],
    mappings: encode(lines.map((segments) => segments.map(([source, line]) => [0, source, line - 1, 0]))),
  });
