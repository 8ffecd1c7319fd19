/** Runs one `*.spec.luau` in a headless Studio of the working tree and gives its results. */
import { join } from "node:path";
import { takeSnapshot } from "../../scripts/build-snapshot.ts";
import { readAssetsAsync } from "../../scripts/headless-assets.ts";
import { LocalData } from "../../src/headless/data/local-data.ts";
import type { HeadlessHost } from "../../src/headless/process/host.ts";
import { encodePluginTree } from "../../src/headless/process/plugin-tree-text.ts";
import { HeadlessStudio } from "../../src/headless/window/studio.ts";
import { StudioWindow } from "../../src/headless/window/window.ts";
import type { PluginNode } from "../../src/studio/plugin-tree.ts";
import { withWords } from "../../src/selftest/spec-source.ts";
import { PATIENCE_MS } from "../harness.ts";

export const SPEC_FOLDER = import.meta.dir;
const BIND = "local describe, it = _G.describe, _G.it; ";
/** Specs whose names begin with these run as with `--data`, and with `--throttle`. */
const WITH_DATA = "data-";
const THROTTLED = "data-throttled";
/** Specs whose names begin with this run in the client of a play test. */
const IN_CLIENT = "input-";
/** Those whose names begin with this have a touch screen. */
const ON_PHONE = "input-touch";
const TAG = "\x01";

export interface SpecResult {
  readonly name: string;
  /** Empty when the test passed. */
  readonly failure: string;
}

export const noNetwork: Omit<HeadlessHost, "log"> = {
  openSocket: refuse,
  sendSocket: refuse,
  closeSocket: refuse,
  requestHttp: refuse,
  exit: refuse,
  noted: () => {},
  testStarted: () => {},
};

function refuse(): never {
  throw new Error("no network in this test");
}

export const fresh = await readAssetsAsync();
/** The working tree's assets with its engine booted once: every studio of a test run starts in milliseconds. */
export const assets = { ...fresh, engine: { snapshot: takeSnapshot(fresh) } };

export function runSpecAsync(file: string): Promise<readonly SpecResult[]> {
  return file.startsWith(IN_CLIENT) ? runInClientAsync(file) : runInEditAsync(file);
}

async function runInClientAsync(file: string): Promise<readonly SpecResult[]> {
  const spec = await Bun.file(join(SPEC_FOLDER, file)).text();
  return runClientSpecAsync(file, spec, {
    screen: file.startsWith(ON_PHONE) ? { device: "phone" } : undefined,
  });
}

/** The plugin of the client is the spec, with `children` in it. It cannot reach the engine's modules. */
export async function runClientSpecAsync(
  file: string,
  spec: string,
  {
    screen,
    children = [],
  }: {
    readonly screen?: { readonly device: "phone" } | undefined;
    readonly children?: readonly PluginNode[];
  },
): Promise<readonly SpecResult[]> {
  const report = new SpecReport();
  const harness = await Bun.file(join(SPEC_FOLDER, "Harness.luau")).text();
  const start =
    'if game:GetService("RunService"):IsEdit() then game:GetService("StudioTestService"):ExecutePlayModeAsync({}) end';
  const source = `local function spec() ${BIND} ${withWords(spec)}
    end
    ${start}
    if game:GetService("Players").LocalPlayer == nil then return end
    do ${harness} end
    spec()
    _G.runTests()`;
  const tree = { name: file, className: "Script" as const, source, children };
  using _window = new StudioWindow({
    assets,
    host: { ...noNetwork, log: (_type, text) => report.add(text.replace(/^\[client\] /, "")) },
    settings: new Map(),
    ...(screen === undefined ? {} : { screen }),
    plugin: encodePluginTree("Place1", tree),
    cancelFlag: new Int32Array(1),
    onBusy: () => {},
    onDead: (reason) => report.add(reason),
  });
  const startedMs = performance.now();
  while (!report.isDone && performance.now() - startedMs < PATIENCE_MS) await Bun.sleep(1);
  return report.results();
}

async function runInEditAsync(file: string): Promise<readonly SpecResult[]> {
  const report = new SpecReport();
  using studio = new HeadlessStudio({
    assets,
    host: { ...noNetwork, log: (_type, text) => report.add(text) },
    ...(file.startsWith(WITH_DATA) ? { data: dataWithFixtures(file.startsWith(THROTTLED)) } : {}),
    scriptTimeoutSeconds: PATIENCE_MS / 1_000,
  });
  studio.runSource("=Harness", await Bun.file(join(SPEC_FOLDER, "Harness.luau")).text());
  studio.runSource(`=${file}`, BIND + withWords(await Bun.file(join(SPEC_FOLDER, file)).text()));
  studio.runSource("=runTests", "_G.runTests()");
  const startedMs = performance.now();
  while (!report.isDone && studio.hasTimer && performance.now() - startedMs < PATIENCE_MS) await Bun.sleep(1);
  return report.results();
}

/** What the harness has logged of one spec. */
class SpecReport {
  readonly #results: SpecResult[] = [];
  readonly #loose: string[] = [];
  isDone = false;

  add(text: string): void {
    if (text === `${TAG}done`) this.isDone = true;
    else if (text.startsWith(`${TAG}pass `)) this.#results.push({ name: text.slice(6), failure: "" });
    else if (text.startsWith(`${TAG}fail `)) this.#results.push(splitFailure(text.slice(6)));
    else this.#loose.push(text);
  }

  results(): readonly SpecResult[] {
    if (this.isDone && this.#results.length > 0) return this.#results;
    return [...this.#results, { name: "runs to its end", failure: this.#loose.join("\n") || "no tests" }];
  }
}

/** The store "Past" has versions of earlier hours, which no script can make. */
function dataWithFixtures(isThrottled: boolean): LocalData {
  const data = new LocalData(() => {}, { isThrottled });
  const [first, second] = [3, 2].map((hours) => {
    const updated = Date.now() - hours * 3_600_000;
    return JSON.stringify({ value: `${hours} hours ago`, version: `v${hours}`, created: updated, updated });
  });
  if (first !== undefined && second !== undefined)
    data.load('["standard","Past","global"]', new Map([["key", [first, second]]]));
  return data;
}

function splitFailure(text: string): SpecResult {
  const [name = "", ...lines] = text.split("\n");
  return { name, failure: lines.join("\n") };
}
