/** The plugin's modules, tested in Luau: every spec in `test/plugin`, with `bridge` bound to the plugin's root. */
import { describe, test } from "bun:test";
import { join } from "node:path";
import { withWords } from "../../../src/selftest/spec-source.ts";
import { PATIENCE_MS } from "../../harness.ts";
import type { PluginNode } from "../../../src/studio/plugin-tree.ts";
import { noNetwork, runClientSpecAsync, type SpecResult } from "../../headless/run-spec.ts";
import { openPluginStudioAsync, readPluginTreeAsync } from "./plugin-studio.ts";

const SPEC_FOLDER = join(import.meta.dir, "../../plugin");
const HARNESS = join(import.meta.dir, "../../headless/Harness.luau");
const BIND =
  "local describe, it = _G.describe, _G.it; " +
  'local bridge = engine("./Classes/Plugin").container().StudioBridge; ';
/** Specs below this folder run in the client of a play test, as it alone has a player. */
const IN_CLIENT = "Actions/Input/";
const TAG = "\x01";

/** The plugin's modules are loaded, its boot script is not. */
async function runSpecAsync(file: string): Promise<readonly SpecResult[]> {
  const tree = { ...(await readPluginTreeAsync()), className: "Folder", source: "" } as const;
  return file.startsWith(IN_CLIENT) ? runInClientAsync(file, tree) : runInEditAsync(file, tree);
}

async function runInClientAsync(file: string, tree: PluginNode): Promise<readonly SpecResult[]> {
  const spec = `local bridge = script.${tree.name}; ${await Bun.file(join(SPEC_FOLDER, file)).text()}`;
  return runClientSpecAsync(file, spec, { children: [tree] });
}

async function runInEditAsync(file: string, tree: PluginNode): Promise<readonly SpecResult[]> {
  const results: SpecResult[] = [];
  const loose: string[] = [];
  let done = false;
  const log = (_type: number, text: string): void => {
    const [, outcome, name = "", failure = ""] = /^\x01(pass|fail|done) ?([^\n]*)\n?([^]*)$/.exec(text) ?? [];
    if (outcome === undefined) loose.push(text);
    else if (outcome === "done") done = true;
    else results.push({ name, failure: outcome === "fail" ? failure : "" });
  };
  const { studio, start } = await openPluginStudioAsync({ ...noNetwork, log }, tree);
  using _studio = studio;
  start();
  studio.runSource("=Harness", await Bun.file(HARNESS).text());
  studio.runSource(`=${file}`, BIND + withWords(await Bun.file(join(SPEC_FOLDER, file)).text()));
  studio.runSource("=runTests", "_G.runTests()");
  const startedMs = performance.now();
  while (!done && studio.hasTimer && performance.now() - startedMs < PATIENCE_MS) await Bun.sleep(1);
  const whole = done && results.length > 0 ? [] : [{ name: "runs to its end", failure: `no end ${TAG}` }];
  return [...results, ...whole.map((result) => ({ ...result, failure: loose.join("\n") || result.failure }))];
}

// Specs of the panel and of questions wait in real time, so that all files run at once.
const files = [...new Bun.Glob("**/*.spec.luau").scanSync(SPEC_FOLDER)].sort();
const ran = await Promise.all(files.map(async (file) => ({ file, results: await runSpecAsync(file) })));

for (const { file, results } of ran) {
  describe(file, () => {
    for (const { name, failure } of results) {
      test(name, () => {
        if (failure !== "") throw new Error(failure);
      });
    }
  });
}
