/** Checks the scripts of a project: with a type checker, or with the compiler of headless Studio and by the paths of `require`. */
import { readFile, realpath } from "node:fs/promises";
import { loadDefinitionsAsync, readCompileFaultsAsync, readCoverageAsync } from "../headless/index.ts";
import type { RunSurface } from "../output/run-surface.ts";
import type { FileCaller } from "../project/file-roots.ts";
import { StudioBridgeError } from "../protocol/errors.ts";
import { realPaths } from "../rojo/real-paths.ts";
import { sourcemapText } from "../roblox/rojo/sourcemap.ts";
import { systemReason } from "../util/system-error.ts";
import { visibleOnOneLine } from "../util/visible-controls.ts";
import { type CheckScope, checkScopeAsync, type ScopeWish } from "./check-scope.ts";
import { byPlace, type Finding } from "./finding.ts";
import { refusedUses, withoutRefused } from "./headless-only.ts";
import { type CheckedFile, LostRequires } from "./lost-requires.ts";
import { luauLspAsync } from "./luau-lsp/luau-lsp.ts";
import { shownName } from "./luau-lsp/known-files.ts";
import { testFilesOfAsync, withoutTestGlobals } from "./test-globals.ts";
import type { CheckJob, TypeChecker } from "./type-checker.ts";

export interface CheckWish extends ScopeWish {
  /** Only what needs no type checker. */
  readonly syntax: boolean;
  /** Also uses of members that headless Studio refuses. */
  readonly headlessOnly: boolean;
}

export interface CheckResult {
  readonly folder: string;
  /** As in `luau-lsp 1.70.0`; undefined where none was asked. */
  readonly checker: string | undefined;
  readonly files: number;
  /** Of the files that were checked, absolute. */
  readonly paths: readonly string[];
  readonly nameOf: (path: string) => string;
  /** In order, with the line of the source that each is about. */
  readonly findings: readonly ShownFinding[];
  /** Sentences about files that could not be checked. */
  readonly unchecked: readonly string[];
}

export interface ShownFinding extends Finding {
  readonly text?: string | undefined;
}

type Surface = Pick<RunSurface, "signal" | "status" | "note">;

export const CHECK_MS = 120_000;
const MAX_TEXT = 200;

/**
 * Throws CHECKER_NOT_FOUND and CHECK_FAILED where the scripts cannot be checked, FILE_ERROR and INVALID_INPUT for what the caller
 * names and for a project that cannot be read.
 */
export async function checkScriptsAsync(
  wish: CheckWish,
  caller: FileCaller,
  surface: Surface,
): Promise<CheckResult> {
  surface.status("Looking for scripts");
  const scope = await checkScopeAsync(wish, caller, surface.signal);
  const { folder, files, unchecked } = scope;
  const sources = await sourcesAsync(scope);
  const done = wish.syntax
    ? { checker: undefined, findings: await checkSyntaxAsync(scope, sources, surface) }
    : await checkTypesAsync(scope, wish.headlessOnly, caller, surface);
  const textOf = linesOf(sources);
  const findings = done.findings.map((finding) => ({ ...finding, ...textOf(finding) }));
  const nameOf = (path: string): string => shownName(folder, path);
  return { folder, checker: done.checker, files: files.length, paths: files, nameOf, findings, unchecked };
}

async function checkTypesAsync(
  scope: CheckScope,
  headlessOnly: boolean,
  caller: FileCaller,
  { signal, status, note }: Surface,
) {
  const { folder, files, tree } = scope;
  const checker = await checkerAsync(folder, caller, signal);
  const title = titleOf(checker);
  note(`Checking with ${title}`);
  const sourcemap =
    tree === undefined
      ? undefined
      : sourcemapText(tree, { includeNonScripts: true, absolute: true, realPath: realPaths() });
  const definitions = await loadDefinitionsAsync();
  const job: CheckJob = { folder, files, sourcemap, definitions, signal, timeoutMs: CHECK_MS };
  const isTest = await testFilesOfAsync(folder);
  status(`Checking ${files.length} scripts with ${title}`);
  const findings = withoutTestGlobals(await checker.checkAsync(job), isTest);
  if (!headlessOnly) return { checker: title, findings };
  status("Looking for what headless Studio refuses");
  const simulated = withoutRefused(definitions, (await readCoverageAsync()) ?? []);
  const second = await checker.checkAsync({ ...job, definitions: simulated });
  return { checker: title, findings: [...findings, ...refusedUses(findings, second)].sort(byPlace) };
}

/** The checker for a folder. An agent gets none that lies in a folder which it may write. Throws CHECKER_NOT_FOUND. */
export async function checkerAsync(
  folder: string,
  { fileRoots }: FileCaller,
  signal: AbortSignal,
): Promise<TypeChecker> {
  const isAgent = fileRoots !== undefined;
  const named = isAgent ? [folder, fileRoots.own, ...(await fileRoots.othersAsync())] : [];
  const real = await Promise.all(named.map((each) => realpath(each).catch(() => each)));
  return luauLspAsync({ folder, forbidden: [...new Set([...named, ...real])], signal });
}

export const titleOf = ({ name, version }: TypeChecker): string => `${name} ${version}`;

/** Throws FILE_ERROR. */
async function sourcesAsync({ folder, files }: CheckScope): Promise<readonly CheckedFile[]> {
  return Promise.all(
    files.map(async (path) => {
      const source = await readFile(path, "utf8").catch((error: unknown) => {
        const name = visibleOnOneLine(shownName(folder, path));
        const message = `Could not read ${name}: ${systemReason(error)}`;
        throw new StudioBridgeError("FILE_ERROR", message, { data: { path }, cause: error });
      });
      return { path, name: shownName(folder, path), source };
    }),
  );
}

async function checkSyntaxAsync(
  { folder, tree }: CheckScope,
  sources: readonly CheckedFile[],
  { status }: Surface,
): Promise<readonly Finding[]> {
  status(`Compiling ${sources.length} scripts`);
  const faults = await readCompileFaultsAsync(sources.map(({ source }) => new TextEncoder().encode(source)));
  const requires = new LostRequires(folder, tree);
  const lost = await Promise.all(
    sources.map((file, index) => (faults[index] === undefined ? requires.inAsync(file) : [])),
  );
  const broken = sources.flatMap(({ name, source }, index): Finding[] => {
    const fault = faults[index];
    if (fault === undefined) return [];
    const { line, message } = fault;
    const length = source.split("\n", line)[line - 1]?.trimEnd().length ?? 0;
    const place = { line, column: 1, endLine: line, endColumn: Math.max(1, length) };
    return [{ file: name, ...place, severity: "error", code: "SyntaxError", message }];
  });
  return [...broken, ...lost.flat()].sort(byPlace);
}

/** Gives the line of a finding. */
function linesOf(sources: readonly CheckedFile[]): (finding: Finding) => { readonly text?: string } {
  const linesByFile = new Map<string, readonly string[]>();
  const sourceOf = new Map(sources.map(({ name, source }) => [name, source]));
  return ({ file, line }) => {
    const lines = linesByFile.get(file) ?? sourceOf.get(file)?.split(/\r\n|\n|\r/) ?? [];
    linesByFile.set(file, lines);
    const text = lines[line - 1];
    return text === undefined || text.trim() === "" ? {} : { text: text.slice(0, MAX_TEXT) };
  };
}
