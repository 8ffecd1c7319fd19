/**
 * Collects the coverage of a run. Which lines and functions there are is known before from the files' texts, so that files
 * which no test loads count too, and only hits come from where the tests run.
 */
import { readLinesAsync } from "../../headless/index.ts";
import { bytesOf } from "../../util/bytes.ts";
import type { ScriptHits } from "../harness-events.ts";
import { checksumOf } from "./checksum.ts";
import type { CountedScript, CoveredFile } from "./covered-files.ts";
import { type FileCoverage, FileSum, mergeCoverage } from "./file-coverage.ts";
import { type LineMap, mappedCoverage, readLineMapAsync } from "./source-map.ts";

/** The scripts whose hits are read, in the order in which the harness numbers them; with checksums for a place of others. */
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
  /** By the number of the script. */
  readonly #fileOfScript: readonly MeasuredFile[];

  private constructor(files: readonly MeasuredFile[], fileOfScript: readonly MeasuredFile[]) {
    this.#files = files;
    this.#fileOfScript = fileOfScript;
  }

  /** A file that does not compile has no lines; the tests tell what is wrong with it. */
  static async openAsync(files: readonly CoveredFile[], folder: string): Promise<CoverageCollector> {
    const maps = await Promise.all(files.map(({ absolutePath }) => readLineMapAsync(absolutePath, folder)));
    const linesOf = await readLinesAsync(files.map(({ source }) => bytesOf(source)));
    const measured = files.map(({ path }, index): MeasuredFile => {
      const sum = new FileSum(path);
      const { lines = new Map<number, number>(), functions = [] } = linesOf[index] ?? {};
      sum.add({ lines: [...lines], functions: [...functions] });
      return { sum, map: maps[index] };
    });
    const fileOfScript = files.flatMap(({ instances }, index) =>
      instances.flatMap(() => measured[index] ?? []),
    );
    return new CoverageCollector(measured, fileOfScript);
  }

  add(scripts: readonly ScriptHits[]): void {
    for (const { script, lines, functions } of scripts)
      this.#fileOfScript[script]?.sum.addKnown({ lines, functions });
  }

  /** In the order of their paths. */
  coverage(): FileCoverage[] {
    return mergeCoverage(
      this.#files.map(({ sum, map }) => {
        const file = sum.coverage();
        return map === undefined ? [file] : mappedCoverage(file, map);
      }),
    );
  }
}
