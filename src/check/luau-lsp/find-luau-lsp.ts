/** Finds luau-lsp: the program that SB_LUAU_LSP names, else the first on PATH that answers, as the shims of tool managers do. */
import { access, constants, realpath, stat } from "node:fs/promises";
import { delimiter, isAbsolute, join, resolve } from "node:path";
import { runProgramAsync } from "../../programs/run-program.ts";
import { StudioBridgeError } from "../../protocol/errors.ts";
import { isWithin } from "../../util/path-inside.ts";
import { isNewer } from "../../util/version-order.ts";
import { visibleOnOneLine } from "../../util/visible-controls.ts";

export interface FoundProgram {
  readonly program: string;
  readonly version: string;
}

export interface ProgramSearch {
  /** Where the program will work; tool managers choose a version by it. */
  readonly folder: string;
  /** No program in these folders is started: what lies in a project must not choose by its name what an agent runs. */
  readonly forbidden: readonly string[];
  readonly signal: AbortSignal;
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

export const VARIABLE = "SB_LUAU_LSP";
/** The first that takes `--definitions=@NAME=PATH`. */
const OLDEST = "1.56.0";
const VERSION = /^(?:luau-lsp\s+)?v?(\d+\.\d+\.\d+)\S*$/i;
/** A tool manager may have to look for its settings first. */
const ANSWER_MS = 20_000;

const HOW_TO_GET =
  "Install it with `rokit add --global JohnnyMorganz/luau-lsp`, or take it from https://github.com/JohnnyMorganz/luau-lsp/releases and put it on PATH, or name it in SB_LUAU_LSP. `sb check --syntax` needs none.";
const HOW_AGENTS_GET =
  "Ask the user to install luau-lsp (`rokit add --global JohnnyMorganz/luau-lsp`), or to name it in SB_LUAU_LSP. studio_check (syntax: true) needs none.";

/** Throws CHECKER_NOT_FOUND where there is none that may be started and answers. */
export async function findLuauLspAsync(search: ProgramSearch): Promise<FoundProgram> {
  const { environment = process.env } = search;
  const named = environment[VARIABLE];
  if (named !== undefined && named !== "") return namedAsync(named, search);
  const reasons: string[] = [];
  for (const program of await onPathAsync(environment)) {
    const answer = await answerAsync(program, search);
    if ("version" in answer) return { program, version: answer.version };
    reasons.push(`${visibleOnOneLine(program)}: ${answer.reason}`);
  }
  if (reasons.length === 0) throw notFound("There is no luau-lsp on PATH.", HOW_TO_GET, HOW_AGENTS_GET);
  throw notFound(`No luau-lsp on PATH can be used. ${reasons.join(" ")}`, HOW_TO_GET, HOW_AGENTS_GET);
}

async function namedAsync(named: string, search: ProgramSearch): Promise<FoundProgram> {
  const program = /[\\/]/.test(named) ? resolve(search.folder, named) : (Bun.which(named) ?? named);
  const answer = await answerAsync(program, search);
  if ("version" in answer) return { program, version: answer.version };
  throw notFound(
    `${VARIABLE} names ${visibleOnOneLine(program)}, which cannot be used: ${answer.reason}`,
    `Name the program luau-lsp in ${VARIABLE}, or unset it to use the one on PATH.`,
    `Ask the user to name the program luau-lsp in ${VARIABLE}, outside of the project. studio_check (syntax: true) needs none.`,
  );
}

type Answer = { readonly version: string } | { readonly reason: string };

async function answerAsync(program: string, { folder, forbidden, signal }: ProgramSearch): Promise<Answer> {
  const real = await realpath(program).catch(() => program);
  const inside = forbidden.find((each) => isWithin(each, program) || isWithin(each, real));
  if (inside !== undefined)
    return { reason: `it lies in ${visibleOnOneLine(inside)}, and an agent starts nothing from there.` };
  try {
    const run = {
      argv: [program, "--version"],
      cwd: folder,
      signal,
      timeoutMs: ANSWER_MS,
      allowsBatch: true,
    };
    const { exitCode, stdout, stderr, isTimedOut } = await runProgramAsync(run);
    if (isTimedOut) return { reason: `it did not tell its version within ${ANSWER_MS / 1000} seconds.` };
    const [, version] = VERSION.exec(stdout.trim()) ?? [];
    if (exitCode !== 0 || version === undefined)
      return { reason: `it does not tell its version${toldBy(stderr === "" ? stdout : stderr)}.` };
    if (isNewer(OLDEST, version))
      return { reason: `it is luau-lsp ${version}, and sb needs ${OLDEST} or later.` };
    return { version };
  } catch (error) {
    if (!(error instanceof StudioBridgeError) || error.code !== "PROGRAM_FAILED") throw error;
    return { reason: error.message };
  }
}

/** `: WORDS`, the first line that a program printed, cut. */
function toldBy(output: string): string {
  const first = output.trim().split("\n", 1)[0] ?? "";
  return first === "" ? "" : `: ${visibleOnOneLine(first.slice(0, 120)).replace(/\.$/, "")}`;
}

/** Every file of the name that PATH leads to, in its order. A part of PATH that is no whole path means a folder of the project. */
async function onPathAsync(environment: ProgramSearch["environment"] & object): Promise<readonly string[]> {
  const isWindows = process.platform === "win32";
  const names = isWindows ? ["luau-lsp.exe", "luau-lsp.cmd", "luau-lsp.bat"] : ["luau-lsp"];
  const path = Object.entries(environment).find(([key]) => key.toUpperCase() === "PATH")?.[1] ?? "";
  const folders = [...new Set(path.split(delimiter))].filter((each) => isAbsolute(each));
  const files = folders.flatMap((folder) => names.map((name) => join(folder, name)));
  const isProgram = await Promise.all(files.map(isProgramAsync));
  return files.filter((_, index) => isProgram[index]);
}

async function isProgramAsync(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return (await stat(file)).isFile();
  } catch {
    return false;
  }
}

const notFound = (message: string, hint: string, agentHint: string): StudioBridgeError =>
  new StudioBridgeError("CHECKER_NOT_FOUND", message, { hint, agentHint });
