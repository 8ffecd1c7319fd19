/** Runs install.sh in a home of its own, against a release of stand-ins that is served on this machine. */
import { chmod, mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { tarGzAsync } from "../../scripts/release/archive.ts";
import { archiveName, targets } from "../../scripts/release/targets.ts";
import { outcomeAsync } from "../harness.ts";
import type { Outcome } from "../harness.ts";

export const script = join(import.meta.dir, "..", "..", "install.sh");

/** What takes the place of sb, since the real one is 100 MB: it says its version, and what the installer knows it by. */
export const standIn = (says: string): string => `#!/bin/sh\n# studio-bridge\necho ${says}\n`;

/** Files by name, as a release has them in one folder. */
export type ReleaseFiles = Map<string, Uint8Array>;

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

export const sha256 = (bytes: Uint8Array): string =>
  new Bun.CryptoHasher("sha256").update(bytes).digest("hex");

export function withChecksums(files: ReleaseFiles): ReleaseFiles {
  const lines = [...files].map(([name, bytes]) => `${sha256(bytes)}  ${name}\n`);
  return new Map([...files, ["SHA256SUMS", bytesOf(lines.join(""))]]);
}

/** A release for each system of sh; `says` is the version that its sb answers with. */
export async function releaseAsync(version: string, says = version): Promise<ReleaseFiles> {
  const data = bytesOf(standIn(says));
  const archive = await tarGzAsync([{ name: "sb", data, isExecutable: true }]);
  const systems = targets.filter(({ os }) => os !== "windows");
  return withChecksums(new Map(systems.map((target) => [archiveName(target, version), archive])));
}

/** Serves a release until it is disposed of; `files` may change meanwhile. */
export function serve(files: ReleaseFiles): { readonly url: string; readonly asked: string[] } & Disposable {
  const asked: string[] = [];
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch(request) {
      const name = new URL(request.url).pathname.slice(1);
      asked.push(name);
      const bytes = files.get(name);
      return bytes === undefined ? new Response("", { status: 404 }) : new Response(new Uint8Array(bytes));
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}`,
    asked,
    [Symbol.dispose]: () => void server.stop(true),
  };
}

interface Run {
  readonly args?: readonly string[];
  readonly env?: { readonly [name: string]: string | undefined };
  /** The program that reads the script. */
  readonly shell?: readonly string[];
  /** Read from stdin in place of the file. */
  readonly script?: string | Uint8Array;
  /** Words in front of everything. */
  readonly under?: readonly string[];
}

export class Home implements AsyncDisposable {
  readonly folder: string;
  readonly #url: string;

  private constructor(folder: string, url: string) {
    this.folder = folder;
    this.#url = url;
  }

  static async createAsync(url: string): Promise<Home> {
    return new Home(await mkdtemp(join(tmpdir(), "sb-home-")), url);
  }

  path(...parts: readonly string[]): string {
    return join(this.folder, ...parts);
  }

  get sb(): string {
    return this.path(".local", "bin", "sb");
  }

  async writeAsync(name: string, content: string, mode = 0o644): Promise<string> {
    const path = this.path(name);
    await mkdir(dirname(path), { recursive: true });
    await Bun.write(path, content);
    await chmod(path, mode);
    return path;
  }

  /** Programs that come before those of the system. */
  async replaceAsync(programs: { readonly [name: string]: string }): Promise<void> {
    for (const [name, body] of Object.entries(programs))
      await this.writeAsync(`shims/${name}`, `#!/bin/sh\n${body}\n`, 0o755);
  }

  installAsync({
    args = [],
    env = {},
    shell = ["sh"],
    script: text,
    under = [],
  }: Run = {}): Promise<Outcome> {
    const words = text === undefined ? [...shell, script] : [...shell, "-s"];
    return this.runAsync([...under, ...words, ...(text === undefined ? [] : ["--"]), ...args], env, text);
  }

  /** Runs `words` as a user of this home would. */
  runAsync(
    words: readonly string[],
    env: Run["env"] = {},
    stdin: string | Uint8Array = "",
  ): Promise<Outcome> {
    const child = Bun.spawn([...words], {
      cwd: this.folder,
      env: {
        HOME: this.folder,
        PATH: `${this.path("shims")}:/usr/bin:/bin`,
        SHELL: "/bin/bash",
        SB_INSTALL_BASE_URL: this.#url,
        ...env,
      },
      stdin: new Blob([new Uint8Array(typeof stdin === "string" ? bytesOf(stdin) : stdin)]),
      stdout: "pipe",
      stderr: "pipe",
    });
    return outcomeAsync(child);
  }

  /** What is in the folder of sb; nothing where there is none. */
  installedAsync(folder = dirname(this.sb)): Promise<string[]> {
    return readdir(folder).then(
      (names) => names.sort(),
      () => [],
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }
}
