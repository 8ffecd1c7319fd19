/** What an edit of scripts in a place does to their types: the findings that it brings, and not those that were there before. */
import { access, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadDefinitionsAsync } from "../headless/index.ts";
import type { FileCaller } from "../project/file-roots.ts";
import type { SessionLink } from "../session/session-link.ts";
import { CHECK_MS, checkerAsync, titleOf } from "./check-scripts.ts";
import { withDependents } from "./dependents.ts";
import type { Finding } from "./finding.ts";
import { newFindings } from "./new-findings.ts";
import {
  placeMap,
  type PlaceScripts,
  readPlaceScriptsAsync,
  type Sources,
  writeSourcesAsync,
} from "./place-files.ts";
import { isTestOfPlace, withoutTestGlobals } from "./test-globals.ts";
import type { TypeChecker } from "./type-checker.ts";

/** A script, by its path as results show it, and what it becomes. */
export interface ChangedSource {
  readonly path: string;
  readonly source: string;
}

/**
 * The findings in the changed scripts and in those that require them, in which `file` is the path of a script. Throws CHECKER_NOT_FOUND
 * and CHECK_FAILED where it cannot be told.
 */
export async function newTypeFindingsAsync(
  link: SessionLink,
  caller: FileCaller,
  changed: readonly ChangedSource[],
): Promise<readonly Finding[]> {
  const folder = caller.fileRoots?.own ?? process.cwd();
  const checker = await checkerAsync(folder, caller, link.signal);
  const place = await readPlaceScriptsAsync(link);
  const after = new Map([...place.sources, ...changed.map(({ path, source }) => [path, source] as const)]);
  const paths = changed.map(({ path }) => path);
  const concerned = new Set([...withDependents(paths, place.sources), ...withDependents(paths, after)]);
  link.status(`Checking ${concerned.size} scripts with ${titleOf(checker)}`);
  const checkAsync = (sources: Sources) =>
    checkPlaceAsync(checker, { ...place, sources }, concerned, folder, link.signal);
  const found = await checkAsync(after);
  return found.length === 0 ? found : newFindings(await checkAsync(place.sources), found);
}

/** The results of the last checks, by all that they depend on: what is new after one edit is old before the next. */
const results = new Map<string, readonly Finding[]>();
const MAX_RESULTS = 16;

async function checkPlaceAsync(
  checker: TypeChecker,
  place: PlaceScripts,
  concerned: ReadonlySet<string>,
  project: string,
  signal: AbortSignal,
): Promise<readonly Finding[]> {
  const settings = join(project, ".luaurc");
  const baseConfig = await access(settings).then(
    () => settings,
    () => undefined,
  );
  const config = baseConfig === undefined ? "" : await Bun.file(baseConfig).text();
  const known = [titleOf(checker), config, [...concerned], placeMap(place, "").sourcemap, [...place.sources]];
  const key = new Bun.CryptoHasher("sha256").update(JSON.stringify(known)).digest("hex");
  const before = results.get(key);
  if (before !== undefined) return before;
  const folder = await mkdtemp(join(tmpdir(), "sb-check-place-"));
  try {
    const { sourcemap, pathByFile } = placeMap(place, folder);
    await writeSourcesAsync(pathByFile, place.sources);
    const files = [...pathByFile].flatMap(([file, path]) => (concerned.has(path) ? [file] : []));
    if (files.length === 0) return [];
    const definitions = await loadDefinitionsAsync();
    const job = { folder, files, sourcemap, definitions, baseConfig, signal, timeoutMs: CHECK_MS };
    const shown = (await checker.checkAsync(job)).map((finding) => ({
      ...finding,
      file: pathByFile.get(join(folder, finding.file)) ?? finding.file,
    }));
    const findings = withoutTestGlobals(shown, isTestOfPlace);
    results.set(key, findings);
    for (const oldest of results.keys()) if (results.size > MAX_RESULTS) results.delete(oldest);
    return findings;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
