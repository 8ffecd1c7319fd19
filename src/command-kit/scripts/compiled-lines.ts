/** The lines of sources from which scripts were compiled, for what commands show of scripts: the settings of the folder say where maps are. */
import { dirname, join } from "node:path";
import { remark } from "../../output/remark.ts";
import { findProjectFileAsync } from "../../project/find-project-file.ts";
import { StudioBridgeError } from "../../protocol/errors.ts";
import type { SourceMapWish } from "../../source-maps/compiled-sources.ts";
import { pathInside } from "../../util/path-inside.ts";
import type { RunSurface } from "../../output/run-surface.ts";

export interface CompiledPlace {
  /** The source, as an absolute path. */
  readonly file: string;
  /** Undefined if no source map knows it. */
  readonly line: number | undefined;
}

export interface CompiledLines {
  /** Where a line of a compiled file comes from; `file` is absolute. Undefined for a file that was not compiled. */
  placeOf(file: string, line: number): CompiledPlace | undefined;
}

/** Warns about a wrong setting, and then reads no maps. */
export async function openCompiledLinesAsync(
  { emit }: Pick<RunSurface, "emit">,
  start = process.cwd(),
): Promise<CompiledLines> {
  const { CompiledSources } = await import("../../source-maps/compiled-sources.ts");
  const found = await findProjectFileAsync(start);
  const folder = found === undefined ? start : dirname(found.file);
  let wish: SourceMapWish = "auto";
  if (found !== undefined)
    try {
      const { testSettingIn } = await import("../../project/test-settings.ts");
      wish = testSettingIn(found, "sourceMap") ?? "auto";
    } catch (error) {
      if (!(error instanceof StudioBridgeError)) throw error;
      wish = false;
      emit(remark(`Warning: ${error.message}`, "yellow"));
    }
  const sources = new CompiledSources(folder, wish);
  return {
    placeOf: (file, line) => {
      const path = pathInside(folder, file);
      const position = sources.positionOf(path, line);
      if (position !== undefined) return { file: join(folder, position.path), line: position.line };
      const source = sources.noteShown(path);
      return source === undefined ? undefined : { file: join(folder, source), line: undefined };
    },
  };
}
