/**
 * Type-checks the Luau of the plugin, of the test harness and of the engine with luau-lsp, where the machine has it: on PATH, or at the path
 * in the environment variable LUAU_LSP. What it does not check yet is listed in luau-types/unchecked.ts.
 */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { definitionsAsync } from "./luau-types/definitions.ts";
import { originalOf, writeFlatEngineAsync } from "./luau-types/flat-engine.ts";
import { uncheckedFiles } from "./luau-types/unchecked.ts";
import { sourcemap } from "./luau-types/sourcemap.ts";

const root = join(import.meta.dir, "..");
const PRODUCTS = "build/luau-types";
const STRICT = "--!strict";
/** What stands in the place of the analyzer's findings on a machine without it. */
export const SKIPPED =
  "skipped: no Luau analyzer on this machine (put luau-lsp on PATH, or its path into LUAU_LSP)";
/** The new solver takes a frozen table, and a generic class under its own name, for another type. */
const SOLVER = "--flag:LuauSolverV2=false";

/** A folder whose Luau is checked, and what luau-lsp is told to check it. */
export interface Part {
  readonly folder: string;
  /** The folder that the analyzer reads; its reports are given about `folder`. */
  readonly analyzed: string;
  readonly options: readonly string[];
}

const parts: readonly Part[] = [
  {
    folder: "plugin/src",
    analyzed: "plugin/src",
    options: [
      "--platform=roblox",
      `--definitions=${PRODUCTS}/roblox.d.luau`,
      `--sourcemap=${PRODUCTS}/plugin-sourcemap.json`,
    ],
  },
  {
    folder: "src/testing/harness",
    analyzed: "src/testing/harness",
    options: ["--platform=roblox", `--definitions=${PRODUCTS}/roblox.d.luau`],
  },
  {
    folder: "src/headless/engine",
    analyzed: `${PRODUCTS}/engine`,
    options: ["--platform=standard", "--definitions=scripts/luau-types/engine.d.luau"],
  },
];

/** A path below the repository, and the text of the file. */
type LuauFiles = ReadonlyMap<string, string>;

async function luauFilesAsync(): Promise<LuauFiles> {
  const files = new Map<string, string>();
  for await (const path of new Bun.Glob("{plugin,src,test,scripts,examples}/**/*.luau").scan({ cwd: root })) {
    const file = path.replaceAll("\\", "/");
    if (!file.endsWith(".d.luau")) files.set(file, await Bun.file(join(root, file)).text());
  }
  return files;
}

/** Whether an entry of the list of unchecked files is about `file`: it is its path, or that of a folder around it. */
const isAbout = (entry: string, file: string): boolean =>
  entry === file || (entry.endsWith("/") && file.startsWith(entry));

/** One sentence for each file that is neither strict nor listed as unchecked, or that is listed without need. */
export function strictnessFaults(files: LuauFiles, listed: Readonly<Record<string, string>>): string[] {
  const entries = Object.keys(listed);
  const faults = entries
    .filter((entry) => ![...files.keys()].some((file) => isAbout(entry, file)))
    .map((entry) => `${entry} is listed as unchecked but does not exist`);
  for (const [file, text] of files) {
    const isStrict = text.startsWith(`${STRICT}\n`);
    if (isStrict && entries.includes(file)) faults.push(`${file} is strict but still listed as unchecked`);
    if (!isStrict && !entries.some((entry) => isAbout(entry, file)))
      faults.push(`${file} does not begin with ${STRICT}`);
  }
  return faults.sort();
}

export async function strictnessFaultsAsync(): Promise<string[]> {
  return strictnessFaults(await luauFilesAsync(), uncheckedFiles);
}

/** The path of the analyzer; undefined where the machine has none. */
export function findAnalyzer(): string | undefined {
  return process.env["LUAU_LSP"] ?? Bun.which("luau-lsp") ?? undefined;
}

async function writeProductsAsync(): Promise<void> {
  await mkdir(join(root, PRODUCTS), { recursive: true });
  await Bun.write(join(root, PRODUCTS, "roblox.d.luau"), await definitionsAsync());
  const map = sourcemap(root, "plugin/src", "StudioBridge");
  await Bun.write(join(root, PRODUCTS, "plugin-sourcemap.json"), JSON.stringify(map));
  await writeFlatEngineAsync(join(root, PRODUCTS, "engine"));
}

/** `FILE [INSTANCE](LINE,COLUMN): ` opens a finding; the lines after it belong to it. */
const FINDING = /^(.+?\.luau)(?: \[.*?\])?\((\d+),(\d+)\): /;

/** The analyzer repeats the findings about a module for every file that requires it. */
export function readFindings(
  report: string,
  { folder, analyzed }: Pick<Part, "folder" | "analyzed">,
): string[] {
  const findings: string[] = [];
  for (const line of report.split("\n")) {
    const [opening, path = "", lineNumber, column] = FINDING.exec(line) ?? [];
    if (opening !== undefined) {
      const plain = path.replaceAll("\\", "/");
      const file = originalOf(plain.slice(plain.indexOf(analyzed) + analyzed.length));
      findings.push(`${folder}${file}:${lineNumber}:${column} ${line.slice(opening.length)}`);
    } else if (findings.length > 0 && line !== "") {
      findings.push(`${findings.pop()}\n    ${line.trim()}`);
    }
  }
  return [...new Set(findings)].sort();
}

/** What the analyzer finds in a part. */
export async function analyzeAsync(analyzer: string, part: Part): Promise<string[]> {
  const command = [analyzer, "analyze", SOLVER, ...part.options, part.analyzed];
  const child = Bun.spawn(command, { cwd: root, stdout: "pipe", stderr: "pipe" });
  const [stdout, stderr, exitCode] = await Promise.all([
    child.stdout.text(),
    child.stderr.text(),
    child.exited,
  ]);
  if (exitCode === 0) return [];
  const findings = readFindings(`${stdout}${stderr}`, part);
  return findings.length > 0 ? findings : [`${analyzer} ended with ${exitCode}: ${stdout}${stderr}`];
}

const isListed = (finding: string): boolean =>
  Object.keys(uncheckedFiles).some((file) => finding.startsWith(`${file}:`));

/** Everything that the analyzer finds in the plugin, in the harness and in the engine, but for the files that are listed as unchecked. */
export async function analyzeLuauAsync(analyzer: string): Promise<string[]> {
  await writeProductsAsync();
  const findings: string[] = [];
  for (const part of parts) findings.push(...(await analyzeAsync(analyzer, part)));
  return findings.filter((finding) => !isListed(finding));
}

async function mainAsync(): Promise<number> {
  const faults = await strictnessFaultsAsync();
  const analyzer = findAnalyzer();
  if (analyzer === undefined) {
    console.error(SKIPPED);
  } else {
    faults.push(...(await analyzeLuauAsync(analyzer)));
  }
  for (const fault of faults) console.error(fault);
  return faults.length === 0 ? 0 : 1;
}

if (import.meta.main) process.exitCode = await mainAsync();
