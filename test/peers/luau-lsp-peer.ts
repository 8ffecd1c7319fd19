/**
 * Stands in for luau-lsp: it takes the words that luau-lsp takes, reads the files that luau-lsp reads, and writes findings as luau-lsp does. What
 * it finds stands in the scripts: a line with `--! CODE: MESSAGE` has that finding, and a line that ends with `:Missing()` calls a
 * method, which the definitions have or not. STAND_IN chooses a way to fail.
 */
import { appendFileSync, readFileSync, statSync } from "node:fs";
import { chmod, writeFile } from "node:fs/promises";
import { join, relative, resolve } from "node:path";

/** Writes the program into a folder, and returns its path. With a `mode`, it always fails in that way. */
export async function writeStandInAsync(folder: string, always?: string): Promise<string> {
  const path = join(folder, "luau-lsp");
  const first = always === undefined ? "" : `export STAND_IN='${always}'\n`;
  await writeFile(path, `#!/bin/sh\n${first}exec '${process.execPath}' '${import.meta.filename}' "$@"\n`);
  await chmod(path, 0o755);
  return path;
}

const mode = process.env["STAND_IN"] ?? "";

/** Fails as luau-lsp does for words that it does not know. */
function fail(message: string): never {
  console.error(message);
  process.exit(1);
}

interface Words {
  readonly options: ReadonlyMap<string, string>;
  readonly files: readonly string[];
}

const OPTIONS = ["--platform", "--formatter", "--definitions", "--sourcemap", "--base-luaurc"];

function readWords(words: readonly string[]): Words {
  const options = new Map<string, string>();
  const files: string[] = [];
  for (const word of words) {
    const [, name = "", , value = ""] = /^(--[a-z-]+)([:=](.*))?$/s.exec(word) ?? [];
    if (files.length > 0 || name === "") files.push(word);
    else if (OPTIONS.includes(name) || name === "--no-strict-dm-types") options.set(name, value);
    else fail(`Unknown argument: ${word}`);
  }
  return { options, files };
}

/** `FILE [INSTANCE]` for a file that the sourcemap has, and a path from the working folder for any other. */
function shownNames(sourcemap: string | undefined): (file: string) => string {
  const virtual = new Map<string, string>();
  interface Node {
    readonly name: string;
    readonly filePaths?: readonly string[];
    readonly children?: readonly Node[];
  }
  const add = ({ name, filePaths = [], children = [] }: Node, above: string): void => {
    const path = above === "" ? "game" : `${above}/${name}`;
    for (const file of filePaths) virtual.set(resolve(file), path);
    for (const child of children) add(child, path);
  };
  if (sourcemap !== undefined) add(JSON.parse(readFileSync(sourcemap, "utf8")), "");
  return (file) => {
    const instance = virtual.get(file);
    return instance === undefined ? relative(process.cwd(), file) : `${file} [${instance}]`;
  };
}

function analyze(words: readonly string[]): number {
  const { options, files } = readWords(words);
  if (options.get("--formatter") !== "gnu" || options.get("--platform") !== "roblox")
    fail("the words are not those that a check needs");
  const [, definitionFile = ""] = /^@roblox=(.*)$/s.exec(options.get("--definitions") ?? "") ?? [];
  const definitions = readFileSync(definitionFile, "utf8");
  if (!definitions.startsWith("--#METADATA#{")) fail("[ERROR] the definitions have no line of metadata");
  console.error("[INFO] Loading definitions file: @roblox");
  const shownOf = shownNames(options.get("--sourcemap"));
  let hasErrors = false;
  for (const file of files.map((each) => resolve(each))) {
    if (statSync(file, { throwIfNoEntry: false }) === undefined)
      fail(`Cannot get ${file}: path does not exist`);
    for (const [index, line] of readFileSync(file, "utf8").split("\n").entries()) {
      const [, code = "", message = ""] = /--! (\w+): (.*)$/.exec(line) ?? [];
      const [, method = ""] = /:(\w+)\(\)$/.exec(line) ?? [];
      const isMissing = method !== "" && !new RegExp(`^\\tfunction ${method}\\(`, "m").test(definitions);
      const finding = isMissing
        ? `TypeError: Key '${method}' not found in external type 'Instance'`
        : code === ""
          ? undefined
          : `${code}: ${message.replaceAll("\\n", "\n")}`;
      if (finding === undefined) continue;
      hasErrors ||= finding.startsWith("TypeError");
      console.error(`${shownOf(file)}:${index + 1}.1-${index + 1}.${line.length}: ${finding}`);
    }
  }
  return hasErrors ? 1 : 0;
}

function run(words: readonly string[]): number {
  const record = process.env["STAND_IN_RECORD"];
  if (record !== undefined)
    appendFileSync(record, `${JSON.stringify({ pid: process.pid, cwd: process.cwd(), words })}\n`);
  if (words[0] === "--version") {
    console.log(process.env["STAND_IN_VERSION"] ?? "1.70.0");
    return mode === "no-version" ? 1 : 0;
  }
  if (words[0] !== "analyze") fail("Specify a particular mode to run the program");
  if (mode === "hang") Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  if (mode === "crash") process.kill(process.pid, "SIGSEGV");
  if (mode === "garbage") console.log("<html>\u001b[31m not what was asked for");
  if (mode === "code") return 70;
  if (mode === "silent") return 1;
  if (mode === "config") fail(`${process.cwd()}/.luaurc: Expected ':' after key`);
  if (mode === "flood") for (;;) process.stdout.write("x".repeat(1_000_000));
  return mode === "garbage" ? 0 : analyze(words.slice(1));
}

if (import.meta.main) process.exitCode = run(process.argv.slice(2));
