/**
 * A machine of any platform for tests: its files are a tree in a temporary folder, its programs answer from a table and
 * are never run.
 */
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { diskFiles } from "../../../src/studio/machine.ts";
import type { Files, Machine, StartedProgram } from "../../../src/studio/machine.ts";
import type { Environment } from "../../../src/util/state-folder.ts";

interface TreeOptions {
  readonly platform: NodeJS.Platform;
  readonly home: string;
  readonly env?: Environment;
}

export class TreeMachine implements Machine, Disposable {
  readonly platform: NodeJS.Platform;
  readonly home: string;
  readonly env: Environment;
  readonly stateFolder: string;
  readonly #root = mkdtempSync(join(tmpdir(), "sb-tree-"));
  readonly files: Files;
  /** What a program prints, by its first word. */
  readonly answers = new Map<string, string>();
  readonly started: { readonly command: readonly string[]; readonly env: Environment }[] = [];
  readonly ended: number[] = [];
  /** How the started program ends; it goes on by default. */
  exited: Promise<number | null> = new Promise(() => {});

  constructor({ platform, home, env = {} }: TreeOptions) {
    this.platform = platform;
    this.home = home;
    this.env = env;
    this.stateFolder = platform === "win32" ? `${home}\\state` : `${home}/state`;
    this.files = this.#mappedFiles();
  }

  /** Where a path of the machine really is. */
  real(path: string): string {
    return join(this.#root, path.replaceAll("\\", "/").replace(":", ""));
  }

  /** Adds a file; `age` tells which of several is older. */
  put(path: string, age = 0, content: string | Uint8Array = ""): void {
    const real = this.real(path);
    mkdirSync(dirname(real), { recursive: true });
    writeFileSync(real, content);
    const time = new Date(Date.UTC(2026, 0, 30 - age));
    utimesSync(real, time, time);
  }

  folder(path: string): void {
    mkdirSync(this.real(path), { recursive: true });
  }

  async runAsync([program = ""]: readonly string[]): Promise<string> {
    const answer = this.answers.get(program);
    if (answer === undefined) throw new Error(`no program ${program}`);
    return answer;
  }

  start(command: readonly string[], env: Environment = {}): StartedProgram {
    this.started.push({ command, env });
    return { pid: 4242, exited: this.exited };
  }

  end(pid: number): boolean {
    this.ended.push(pid);
    return true;
  }

  [Symbol.dispose](): void {
    rmSync(this.#root, { recursive: true });
  }

  #mappedFiles(): Files {
    const real = (path: string) => this.real(path);
    return {
      names: (folder) => diskFiles.names(real(folder)),
      kind: (path) => diskFiles.kind(real(path)),
      modifiedAtMs: (path) => diskFiles.modifiedAtMs(real(path)),
      read: (path) => diskFiles.read(real(path)),
      writePrivate: (path, content) => diskFiles.writePrivate(real(path), content),
      makeFolder: (path) => diskFiles.makeFolder(real(path)),
      makePrivateFolder: (path) => diskFiles.makePrivateFolder(real(path)),
      copy: (from, to) => diskFiles.copy(real(from), real(to)),
      rename: (from, to) => diskFiles.rename(real(from), real(to)),
      remove: (path) => diskFiles.remove(real(path)),
    };
  }
}

export const windows = (env: Environment = {}) =>
  new TreeMachine({
    platform: "win32",
    home: "C:\\Users\\Ada",
    env: { LOCALAPPDATA: "C:\\Users\\Ada\\AppData\\Local", ...env },
  });
export const mac = (env: Environment = {}) =>
  new TreeMachine({ platform: "darwin", home: "/Users/ada", env });
export const linux = (env: Environment = {}) =>
  new TreeMachine({ platform: "linux", home: "/home/ada", env });
export const wsl = (env: Environment = {}) => linux({ WSL_DISTRO_NAME: "Ubuntu", ...env });
