/** Luau libraries from npm, unchanged, under TestEZ, unchanged: what they rely on must be as in Studio. */
import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { HeadlessStudio } from "../../../src/headless/studio.ts";
import type { PluginNode } from "../../../src/studio/plugin-tree.ts";
import { assets, noNetwork } from "./run-spec.ts";
import type { SpecResult } from "./run-spec.ts";

const specFolder = join(import.meta.dir, "../../libraries");
const TAG = "\x01";
const LIMIT_MS = 20_000;

const moduleOf = (name: string, source: string, children: PluginNode[] = []): PluginNode => ({
  name,
  className: "ModuleScript",
  source,
  children,
});
const folderOf = (name: string, children: PluginNode[]): PluginNode => ({
  name,
  className: "Folder",
  source: "",
  children,
});

/** A folder of Lua files as the package means it: `init` is the folder's own module. */
function packageTree(folder: string, name: string): PluginNode {
  const children: PluginNode[] = [];
  let own: string | undefined;
  for (const entry of readdirSync(folder).sort()) {
    const path = join(folder, entry);
    if (statSync(path).isDirectory()) children.push(packageTree(path, entry));
    else if (entry === "init.lua") own = readFileSync(path, "utf8");
    else if (entry.endsWith(".lua")) children.push(moduleOf(entry.slice(0, -4), readFileSync(path, "utf8")));
  }
  return own === undefined ? folderOf(name, children) : moduleOf(name, own, children);
}

function libraryFolder(name: string): string {
  return dirname(Bun.resolveSync(`${name}/package.json`, import.meta.dir));
}

function tree(): PluginNode {
  const specs = readdirSync(specFolder)
    .filter((file) => file.endsWith(".spec.luau"))
    .map((file) => moduleOf(file.slice(0, -5), readFileSync(join(specFolder, file), "utf8")));
  return folderOf("Root", [
    folderOf("Libraries", [
      packageTree(join(libraryFolder("@rbxts/testez"), "src"), "TestEZ"),
      packageTree(join(libraryFolder("@rbxts/janitor"), "src"), "Janitor"),
      moduleOf("Signal", readFileSync(join(libraryFolder("@rbxts/signal"), "init.lua"), "utf8")),
      moduleOf("t", readFileSync(join(libraryFolder("@rbxts/t"), "lib/ts.lua"), "utf8")),
    ]),
    folderOf("Specs", specs),
  ]);
}

async function runLibrariesAsync(): Promise<{ results: SpecResult[]; other: string[] }> {
  const results: SpecResult[] = [];
  const other: string[] = [];
  let done = false;
  const log = (_type: number, text: string): void => {
    if (text === `${TAG}done`) done = true;
    else if (text.startsWith(TAG)) results.push(JSON.parse(text.slice(TAG.length)));
    else other.push(text);
  };
  using studio = new HeadlessStudio({ assets, host: { ...noNetwork, log } });
  const runner = readFileSync(join(specFolder, "Runner.luau"), "utf8");
  const long = "=".repeat(20);
  studio.runSource("=Runner", `local TREE = [${long}[${JSON.stringify(tree())}]${long}] ${runner}`);
  const startedMs = performance.now();
  while (!done && studio.hasTimer && performance.now() - startedMs < LIMIT_MS) await Bun.sleep(1);
  if (!done) other.push("TestEZ did not come to its end");
  return { results, other };
}

const { results, other } = await runLibrariesAsync();

describe("npm libraries under TestEZ", () => {
  test("nothing else is printed, and the run ends", () => {
    expect(other).toEqual([]);
    expect(results.length).toBeGreaterThan(10);
  });

  for (const { name, failure } of results) {
    test(name, () => {
      if (failure !== "") throw new Error(failure);
    });
  }
});
