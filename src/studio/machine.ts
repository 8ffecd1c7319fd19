/**
 * The one layer through which the local Studio is seen: the platform, its variables, its files and its programs. What
 * is built on it works the same over the folders of another system.
 */
import * as fs from "node:fs";
import { dirname, join, posix, win32 } from "node:path";
import { randomHex } from "../util/random-hex.ts";
import type { Environment } from "../util/state-folder.ts";
import { stateFolder } from "../util/state-folder.ts";
import { homeFolder } from "../util/home-folder.ts";

export interface Files {
  /** Names in a folder; empty when there is no such folder. */
  names(folder: string): readonly string[];
  kind(path: string): "file" | "folder" | undefined;
  /** Milliseconds since 1970; 0 when there is no such file. */
  modifiedAtMs(path: string): number;
  /** Undefined when there is no such file. */
  read(path: string): Uint8Array | undefined;
  /** The file is whole or untouched; only its owner may read it. The folder must be there. */
  writePrivate(path: string, content: Uint8Array | string): void;
  makeFolder(path: string): void;
  /** Only its owner may look into it; folders above it are made as usual. */
  makePrivateFolder(path: string): void;
  copy(from: string, to: string): void;
  rename(from: string, to: string): void;
  /** A folder goes with all that is in it; what is not there is no error. */
  remove(path: string): void;
}

export interface StartedProgram {
  readonly pid: number;
  /** The exit code, or null after a signal. */
  readonly exited: Promise<number | null>;
}

export interface Machine {
  readonly platform: NodeJS.Platform;
  readonly env: Environment;
  readonly home: string;
  /** Where studio-bridge keeps what outlives a process. */
  readonly stateFolder: string;
  readonly files: Files;
  /** Runs a program and gives what it printed; rejects when it cannot. */
  runAsync(command: readonly string[], timeoutMs: number): Promise<string>;
  /** Starts a program that outlives this process and shares nothing with it. Throws when it cannot. */
  start(command: readonly string[], env?: Environment): StartedProgram;
  /** Asks a process to end, with what it started where `group` says so; false when there is none. */
  end(pid: number, options: { readonly group: boolean; readonly signal?: NodeJS.Signals }): boolean;
}

export function thisMachine(): Machine {
  return {
    platform: process.platform,
    env: process.env,
    home: homeFolder(),
    stateFolder: stateFolder(),
    files: diskFiles,
    runAsync: runProgramAsync,
    start: startProgram,
    end: endProcess,
  };
}

/** The path rules of the machine, which need not be those of the process. */
export function pathsOf({ platform }: Pick<Machine, "platform">): typeof posix {
  return platform === "win32" ? win32 : posix;
}

/** A Linux inside Windows: Studio is a Windows program beside it. */
export function isWsl({ platform, env }: Machine): boolean {
  return platform === "linux" && (env["WSL_DISTRO_NAME"] ?? env["WSL_INTEROP"]) !== undefined;
}

export const diskFiles: Files = {
  names(folder) {
    try {
      return fs.readdirSync(folder);
    } catch {
      return [];
    }
  },
  kind(path) {
    const stats = fs.statSync(path, { throwIfNoEntry: false });
    if (stats === undefined) return undefined;
    return stats.isDirectory() ? "folder" : "file";
  },
  modifiedAtMs: (path) => fs.statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0,
  read: (path) => (fs.existsSync(path) ? fs.readFileSync(path) : undefined),
  writePrivate(path, content) {
    const draft = join(dirname(path), `.${randomHex(6)}.draft`);
    try {
      fs.writeFileSync(draft, content, { mode: 0o600, flag: "wx", flush: true });
      fs.renameSync(draft, path);
    } finally {
      fs.rmSync(draft, { force: true });
    }
  },
  makeFolder: (path) => void fs.mkdirSync(path, { recursive: true }),
  makePrivateFolder: (path) => void fs.mkdirSync(path, { recursive: true, mode: 0o700 }),
  copy: (from, to) => fs.copyFileSync(from, to),
  rename: (from, to) => fs.renameSync(from, to),
  remove: (path) => fs.rmSync(path, { recursive: true, force: true }),
};

async function runProgramAsync(command: readonly string[], timeoutMs: number): Promise<string> {
  await using child = Bun.spawn([...command], {
    stdin: "ignore",
    stdout: "pipe",
    stderr: "ignore",
    timeout: timeoutMs,
    windowsHide: true,
    // Without it, programs are looked up in the PATH that this process has started with.
    env: process.env,
  });
  // Without `await` the program would be ended before it has answered.
  return await child.stdout.text();
}

function startProgram(command: readonly string[], env: Environment = {}): StartedProgram {
  const child = Bun.spawn([...command], {
    // Studio writes so much that a pipe without a reader would fill up and block it.
    stdio: ["ignore", "ignore", "ignore"],
    env: { ...process.env, ...env },
    detached: true,
  });
  child.unref();
  return { pid: child.pid, exited: child.exited.then(() => child.exitCode) };
}

function endProcess(pid: number, { group, signal = "SIGTERM" }: Parameters<Machine["end"]>[1]): boolean {
  const targets = group && process.platform !== "win32" ? [-pid, pid] : [pid];
  return targets.some((target) => {
    try {
      return process.kill(target, signal);
    } catch {
      return false;
    }
  });
}
