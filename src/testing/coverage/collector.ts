/**
 * Collects the coverage of a run. It finds the lines and functions in the texts of the files, so that files which no test
 * loads count too. From the target, only hits come.
 */
import { readLinesAsync } from "../../headless/index.ts";
import type { CompiledSources } from "../../source-maps/compiled-sources.ts";
import type { LineMap } from "../../source-maps/line-map.ts";
import { bytesOf } from "../../util/bytes.ts";
import type { ScriptHits } from "../harness-events.ts";
import { checksumOf } from "./checksum.ts";
import type { CountedScript, CoveredFile } from "./covered-files.ts";
import { type FileCoverage, FileSum, mergeCoverage } from "./file-coverage.ts";
import { mappedCoverage } from "./mapped-coverage.ts";

/**
 * The scripts whose lines the harness counts; their order gives them their numbers. They have checksums unless the place was
 * made from the same files (`isOwnPlace`).
 */
export const coveredScripts = (files: readonly CoveredFile[], isOwnPlace: boolean): CountedScript[] =>
  files.flatMap(({ instances, source }) => {
    const checksum = isOwnPlace ? {} : { checksum: checksumOf(source) };
    return instances.map((names) => ({ names, ...checksum }));
  });

interface MeasuredFile {
  readonly sum: FileSum;
  readonly map: LineMap | undefined;
}

export class CoverageCollector {
  readonly #files: readonly MeasuredFile[];
  /** The file of each script, by the script's number. */
  readonly #fileOfScript: readonly MeasuredFile[];
  /** The paths of files that do not compile. They have no lines, so that no percentage shows them. */
  readonly uncompiled: readonly string[];

  private constructor(
    files: readonly MeasuredFile[],
    fileOfScript: readonly MeasuredFile[],
    uncompiled: readonly string[],
  ) {
    this.#files = files;
    this.#fileOfScript = fileOfScript;
    this.uncompiled = uncompiled;
  }

  static async openAsync(
    files: readonly CoveredFile[],
    sources: CompiledSources,
  ): Promise<CoverageCollector> {
    const linesOf = await readLinesAsync(files.map(({ source }) => bytesOf(source)));
    const measured = files.map(({ path }, index): MeasuredFile => {
      const sum = new FileSum(path);
      const { lines = new Map<number, number>(), functions = [] } = linesOf[index] ?? {};
      sum.add({ lines: [...lines], functions: [...functions] });
      return { sum, map: sources.linesOf(path) };
    });
    const fileOfScript = files.flatMap(({ instances }, index) =>
      instances.flatMap(() => measured[index] ?? []),
    );
    const uncompiled = files.filter((_, index) => linesOf[index] === undefined).map(({ path }) => path);
    return new CoverageCollector(measured, fileOfScript, uncompiled);
  }

  add(scripts: readonly ScriptHits[]): void {
    for (const { script, lines, functions } of scripts)
      this.#fileOfScript[script]?.sum.addKnown({ lines, functions });
  }

  /** The coverage of all files, in the order of their paths. */
  coverage(): FileCoverage[] {
    return mergeCoverage(
      this.#files.map(({ sum, map }) => {
        const file = sum.coverage();
        return map === undefined ? [file] : mappedCoverage(file, map);
      }),
    );
  }
}
