/**
 * The words with which a program is started. On Windows, a name such as `npx` may be a batch file, which only cmd.exe runs. It reads
 * its whole command line as code, and a batch file reads it once more, so that words with a mark that means something there are
 * refused instead of quoted.
 */
import { statSync } from "node:fs";
import { win32 } from "node:path";
import { StudioBridgeError } from "../protocol/errors.ts";

/** What a start on Windows depends on. */
export interface WindowsFacts {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly isFile: (path: string) => boolean;
}

export interface Startable {
  readonly argv: string[];
  /** Windows only: the words are joined as they stand, because they are quoted already. */
  readonly windowsVerbatimArguments?: true;
}

/** Letters, digits and marks that mean nothing to cmd.exe between quotes. Neither quotes nor % ! ^ & | < > nor line breaks. */
const PLAIN = /^[\p{L}\p{N}\p{M} ._:=@,;/\\+#()[\]{}~$-]*$/u;
const BATCH = /\.(?:bat|cmd)$/i;
const DEFAULT_ENDINGS = ".COM;.EXE;.BAT;.CMD";

const ofProcess = (): WindowsFacts => ({
  environment: process.env,
  isFile: (path) => statSync(path, { throwIfNoEntry: false })?.isFile() === true,
});

/** Throws PROGRAM_FAILED for a batch file with a word that cmd.exe would read as code. */
export function startable(
  argv: readonly string[],
  cwd: string,
  platform: NodeJS.Platform = process.platform,
  facts: WindowsFacts = ofProcess(),
): Startable {
  const [program = "", ...words] = argv;
  if (platform !== "win32") return { argv: [...argv] };
  const found = programOnWindows(program, cwd, facts);
  if (found === undefined || !BATCH.test(found)) return { argv: [found ?? program, ...words] };
  const wrong = [found, ...words].find((word) => !PLAIN.test(word));
  if (wrong !== undefined)
    throw new StudioBridgeError(
      "PROGRAM_FAILED",
      `${program} is a batch file, and cmd.exe would read a part of this word as a command: ${wrong}`,
      { hint: "Name the program that it starts, such as node with the path of a script." },
    );
  const root = facts.environment["SystemRoot"] ?? String.raw`C:\Windows`;
  const shell = win32.join(root, "System32", "cmd.exe");
  const line = [found, ...words].map(quoted).join(" ");
  // Without what the registry starts, without delayed expansion; /s takes exactly the outer quotes away.
  return { argv: [shell, "/d", "/v:off", "/s", "/c", `"${line}"`], windowsVerbatimArguments: true };
}

/** The program that a batch file starts would take a backslash before the closing quote for the mark of a quote. */
const quoted = (word: string): string => `"${word.replace(/\\+$/, (slashes) => slashes + slashes)}"`;

/**
 * Finds a program as Windows does: by PATH, with the endings of PATHEXT in their order. The present folder counts only if the name says
 * so, because a file there may have been put in place of a program. Undefined if there is none.
 */
export function programOnWindows(
  name: string,
  cwd: string,
  { environment, isFile }: WindowsFacts,
): string | undefined {
  const endings = (valueOf(environment, "PATHEXT") ?? DEFAULT_ENDINGS)
    .split(";")
    .filter((each) => each !== "");
  const hasEnding = endings.some((ending) => name.toLowerCase().endsWith(ending.toLowerCase()));
  const names = hasEnding ? [name] : endings.map((ending) => `${name}${ending.toLowerCase()}`);
  const folders = /[\\/]/.test(name)
    ? [cwd]
    : (valueOf(environment, "PATH") ?? "").split(";").filter((folder) => win32.isAbsolute(folder));
  return folders
    .flatMap((folder) => names.map((each) => win32.resolve(folder, each)))
    .find((path) => isFile(path));
}

/** Names of variables have no case on Windows. */
const valueOf = (environment: WindowsFacts["environment"], name: string): string | undefined =>
  Object.entries(environment).find(([key]) => key.toUpperCase() === name)?.[1];
