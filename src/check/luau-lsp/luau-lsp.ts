/** luau-lsp as the type checker of a check: what it is given, and what becomes of its answer. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ProgramOutcome, runProgramAsync } from "../../programs/run-program.ts";
import { StudioBridgeError } from "../../protocol/errors.ts";
import { visibleOnOneLine } from "../../util/visible-controls.ts";
import { byPlace, type Finding } from "../finding.ts";
import type { CheckJob, TypeChecker } from "../type-checker.ts";
import { findLuauLspAsync, type ProgramSearch } from "./find-luau-lsp.ts";
import { knownFilesAsync, shownName } from "./known-files.ts";
import { type NameOf, readReport } from "./read-report.ts";

/** The words of one start. Windows takes 32,767 characters, other systems more than a hundred thousand bytes. */
const MAX_WORDS_BYTES = process.platform === "win32" ? 24_000 : 96_000;
/** More than any project's findings take. */
const MAX_OUTPUT_BYTES = 16 * 1024 * 1024;
const SHOWN_LINES = 5;

/** Throws CHECKER_NOT_FOUND. */
export async function luauLspAsync(search: ProgramSearch): Promise<TypeChecker> {
  const { program, version } = await findLuauLspAsync(search);
  return { name: "luau-lsp", version, checkAsync: (job) => checkAsync(program, job) };
}

async function checkAsync(program: string, job: CheckJob): Promise<readonly Finding[]> {
  const { folder, files, signal, timeoutMs } = job;
  const nameOf = await knownFilesAsync(folder, files);
  const giveUpAtMs = performance.now() + timeoutMs;
  // Only this user may look into it: it holds sources.
  const privateFolder = await mkdtemp(join(tmpdir(), "sb-check-"));
  try {
    const options = await optionsAsync(privateFolder, job);
    const findings: Finding[] = [];
    for (const part of partsOf(files.map((file) => wordOf(folder, file)))) {
      const argv = [program, "analyze", ...options, ...part];
      const leftMs = Math.max(1, giveUpAtMs - performance.now());
      const run = { argv, cwd: folder, signal, timeoutMs: leftMs, allowsBatch: true };
      const outcome = await runProgramAsync({ ...run, maxOutputBytes: MAX_OUTPUT_BYTES });
      findings.push(...findingsOf(outcome, nameOf, timeoutMs));
    }
    return findings.sort(byPlace);
  } finally {
    await rm(privateFolder, { recursive: true, force: true });
  }
}

/** Everything that the checker reads beside the project's own files lies in the private folder. */
async function optionsAsync(
  privateFolder: string,
  { definitions, sourcemap, baseConfig }: CheckJob,
): Promise<readonly string[]> {
  const definitionFile = join(privateFolder, "roblox.d.luau");
  await writeFile(definitionFile, definitions);
  const options = [
    "--platform=roblox",
    "--formatter=gnu",
    // A project describes a part of a place, so that an Instance that it does not name may well be there.
    "--no-strict-dm-types",
    `--definitions=@roblox=${definitionFile}`,
    ...(baseConfig === undefined ? [] : [`--base-luaurc=${baseConfig}`]),
  ];
  if (sourcemap === undefined) return options;
  const mapFile = join(privateFolder, "sourcemap.json");
  await writeFile(mapFile, sourcemap);
  return [...options, `--sourcemap=${mapFile}`];
}

/** A name that begins with a hyphen would be taken for an option. */
function wordOf(folder: string, file: string): string {
  const name = shownName(folder, file);
  return name === file ? file : `./${name}`;
}

/** The files of one start each. */
function partsOf(words: readonly string[]): readonly (readonly string[])[] {
  const parts: string[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const word of words) {
    bytes += Buffer.byteLength(word) + 3;
    if (bytes > MAX_WORDS_BYTES) {
      parts.push([]);
      bytes = Buffer.byteLength(word) + 3;
    }
    parts.at(-1)?.push(word);
  }
  return parts;
}

/** Throws CHECK_FAILED unless the program has ended as one that has checked. */
function findingsOf(outcome: ProgramOutcome, nameOf: NameOf, timeoutMs: number): readonly Finding[] {
  const { exitCode, signalName, isTimedOut, isTooMuch, stdout, stderr } = outcome;
  if (isTooMuch)
    throw failed(`it printed more than ${MAX_OUTPUT_BYTES / 1024 / 1024} MB, so that it was ended`);
  if (isTimedOut)
    throw failed(
      `it did not end within ${timeoutMs / 1000} seconds`,
      "Name fewer files: `sb check src/server`.",
    );
  const report = readReport(`${stderr}\n${stdout}`, nameOf);
  const { failures, strange, findings, total } = report;
  if (signalName !== undefined) throw failed(`it crashed (${signalName})${toldIn(failures, strange)}`);
  if (exitCode !== 0 && exitCode !== 1)
    throw failed(`it ended with exit code ${exitCode}${toldIn(failures, strange)}`);
  if (failures.length > 0) throw failed(`it says${toldIn(failures)}`, "Correct that, and run it again.");
  if (strange.length > 0) throw failed(`its output is not that of luau-lsp${toldIn(strange)}`);
  if (exitCode === 1 && total === 0) throw failed("it ended with exit code 1 and named no finding");
  return findings;
}

/** `: ` and the first lines, each on one line of its own. */
function toldIn(...lists: readonly (readonly string[])[]): string {
  const lines = [...new Set(lists.flat())];
  if (lines.length === 0) return "";
  const shown = lines.slice(0, SHOWN_LINES).map((line) => visibleOnOneLine(line.slice(0, 200)));
  const more = lines.length - shown.length;
  return `: ${[...shown, ...(more > 0 ? [`(${more} more lines)`] : [])].join("\n")}`;
}

const failed = (what: string, hint?: string): StudioBridgeError =>
  new StudioBridgeError("CHECK_FAILED", `luau-lsp did not check: ${what}.`.replace(/\.\.$/, "."), {
    ...(hint === undefined ? {} : { hint }),
  });
