/** Luau libraries from npm, unchanged, under TestEZ and Jest, unchanged: what they rely on must be as in Studio. */
import { afterAll, describe, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readPlaceAsync } from "../../src/headless/bytes/place-file.ts";
import { HeadlessStudio } from "../../src/headless/window/studio.ts";
import { PATIENCE_MS } from "../harness.ts";
import { assets, noNetwork } from "../headless/run-spec.ts";
import type { SpecResult } from "../headless/run-spec.ts";
import { JEST, packagePart, TESTEZ } from "../packages.ts";

const specFolder = import.meta.dir;
const temporaryFolder = mkdtempSync(join(tmpdir(), "sb-libraries-"));
const TAG = "\x01";

afterAll(() => rmSync(temporaryFolder, { recursive: true, force: true }));

const project = {
  name: "Libraries",
  tree: {
    $className: "DataModel",
    ReplicatedStorage: {
      ...JEST,
      Libraries: {
        $className: "Folder",
        Charm: packagePart("@rbxts/charm", "src"),
        Immut: packagePart("@rbxts/immut", "src"),
        Janitor: packagePart("@rbxts/janitor", "src"),
        Jecs: packagePart("@rbxts/jecs", "src/jecs.luau"),
        Promise: packagePart("@rbxts-js/roblox-lua-promise", "lib"),
        Sift: packagePart("@rbxts/sift", "out"),
        Signal: packagePart("@rbxts/signal", "."),
        ...TESTEZ,
        Trove: packagePart("@rbxts/trove", "out"),
        t: packagePart("@rbxts/t", "lib/ts.lua"),
      },
      Specs: { $path: join(specFolder, "testez") },
      JestSpecs: { $path: join(specFolder, "jest") },
    },
  },
};

async function runLibrariesAsync(): Promise<{ results: SpecResult[]; other: string[] }> {
  const projectFile = join(temporaryFolder, "default.project.json");
  writeFileSync(projectFile, JSON.stringify(project));
  const { place } = await readPlaceAsync(projectFile);
  const results: SpecResult[] = [];
  const other: string[] = [];
  let done = false;
  let isJest = false;
  const log = (_type: number, text: string): void => {
    if (text === `${TAG}done`) done = true;
    else if (text === `${TAG}jest`) isJest = true;
    else if (text.startsWith(TAG)) results.push(JSON.parse(text.slice(TAG.length)));
    // Jest reports on its own as well, and React warns.
    else if (!isJest) other.push(text);
  };
  using studio = new HeadlessStudio({
    assets,
    host: { ...noNetwork, log },
    scriptTimeoutSeconds: PATIENCE_MS / 1_000,
  });
  studio.dispatch("openPlace", 0, place);
  studio.runSource("=Runner", readFileSync(join(specFolder, "Runner.luau"), "utf8"));
  const startedMs = performance.now();
  while (!done && studio.hasTimer && performance.now() - startedMs < PATIENCE_MS) await Bun.sleep(1);
  if (!done) other.push("the run did not come to its end");
  return { results, other };
}

const { results, other } = await runLibrariesAsync();

describe("npm libraries under TestEZ and Jest", () => {
  test("nothing else is printed but the warning of one test, and the run ends", () => {
    expect(other.map((text) => text.slice(0, text.indexOf("\n")))).toEqual(["Unhandled Promise rejection:"]);
    expect(results.length).toBeGreaterThan(100);
  });

  for (const { name, failure } of results) {
    test(name, () => {
      if (failure !== "") throw new Error(failure);
    });
  }
});
