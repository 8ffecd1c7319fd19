/** A Rojo project for tests of sync: its files, place files of other states of it, and what the compiled `sb sync` says. */
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadFileSchemaAsync } from "../../src/headless/index.ts";
import { writeBinaryModel } from "../../src/roblox/binary-writer.ts";
import { modelOf } from "../../src/roblox/rojo/node.ts";
import { readRojoTreeAsync } from "../../src/roblox/rojo/project.ts";
import { writeXmlModel } from "../../src/roblox/xml-writer.ts";
import type { Outcome, Sandbox } from "../harness.ts";

/** Texts by path below the project's folder. */
export type Files = Readonly<Record<string, string>>;

const PROJECT = JSON.stringify({
  name: "Game",
  tree: {
    $className: "DataModel",
    ReplicatedStorage: { $path: "shared" },
    ServerScriptService: { $path: "server" },
  },
});

export class SyncProject {
  readonly #box: Sandbox;
  readonly folder: string;

  private constructor(box: Sandbox) {
    this.#box = box;
    this.folder = box.folder;
  }

  static async createAsync(box: Sandbox, files: Files): Promise<SyncProject> {
    const project = new SyncProject(box);
    await project.writeAsync({ "default.project.json": PROJECT, ...files });
    return project;
  }

  /** The other files stay. */
  async writeAsync(files: Files): Promise<void> {
    for (const [name, text] of Object.entries(files)) await this.#box.writeAsync(name, text);
  }

  async removeAsync(name: string): Promise<void> {
    await rm(join(this.folder, name));
  }

  /** The files of the two services. */
  async filesAsync(): Promise<Files> {
    const found: Record<string, string> = {};
    for (const top of ["server", "shared"]) {
      const names = await readdir(join(this.folder, top), { recursive: true, withFileTypes: true });
      for (const entry of names.filter((each) => each.isFile())) {
        const path = join(entry.parentPath, entry.name);
        found[path.slice(this.folder.length + 1)] = await readFile(path, "utf8");
      }
    }
    return Object.fromEntries(Object.entries(found).sort());
  }

  /** Writes a place that holds what these files would make. */
  async placeAsync(name: string, files: Files): Promise<void> {
    const folder = await mkdtemp(join(tmpdir(), "sb-place-"));
    for (const [path, text] of Object.entries({ "default.project.json": PROJECT, ...files }))
      await Bun.write(join(folder, path), text);
    const schema = await loadFileSchemaAsync();
    const { root } = await readRojoTreeAsync(join(folder, "default.project.json"), schema);
    const model = modelOf(root, schema);
    const isService = (className: string) => schema.isService(className);
    const bytes = name.endsWith("x")
      ? new TextEncoder().encode(writeXmlModel(model))
      : writeBinaryModel(model, isService);
    await this.#box.writeAsync(name, bytes);
    await rm(folder, { recursive: true });
  }

  /** `sb sync --from PLACE …`, which needs no bridge. */
  fromAsync(place: string, ...words: readonly string[]): Promise<Outcome> {
    return this.#box.localSbAsync(["sync", "--from", place, ...words]);
  }

  /** The same as JSON. */
  async reportFromAsync(place: string, ...words: readonly string[]) {
    return report(await this.fromAsync(place, "--json", ...words));
  }

  /** `sb sync …` with the Studio of the sandbox. */
  async reportAsync(...words: readonly string[]) {
    return report(await this.#box.sbAsync(["sync", "--json", ...words]));
  }

  /** `sb sync undo` and `sb sync status`. */
  aboutAsync(...words: readonly string[]): Promise<Outcome> {
    return this.#box.sbAsync(["sync", ...words]);
  }
}

export function report({ stdout, stderr, exitCode }: Outcome) {
  if (stdout === "") throw new Error(`no report, but: ${stderr}`);
  const { status, items = [], overrides, planId, notices, ...rest } = JSON.parse(stdout);
  return {
    exitCode,
    status,
    planId,
    notices,
    answers: (overrides ?? []).map(({ answer }: { answer: string }) => answer),
    /** `pull edit ReplicatedStorage.M`, with what became of it. */
    changes: items.map((item: ReportItem) => changeText(item)).sort(),
    items,
    ...rest,
  };
}

interface ReportItem {
  readonly verdict: string;
  readonly change: string;
  readonly path: string;
  readonly applied?: boolean;
}

const changeText = ({ verdict, change, path, applied }: ReportItem): string =>
  `${verdict} ${change} ${path}${applied === undefined ? "" : applied ? ": done" : ": failed"}`;
