/** Runs one `*.spec.luau` in a headless Studio of the working tree and gives its results. */
import { join } from "node:path";
import { takeSnapshot } from "../../scripts/build-snapshot.ts";
import { readAssetsAsync } from "../../scripts/headless-assets.ts";
import { LocalData } from "../../src/headless/data/local-data.ts";
import type { HeadlessHost } from "../../src/headless/process/host.ts";
import { HeadlessStudio } from "../../src/headless/window/studio.ts";
import { withWords } from "../../src/selftest/spec-source.ts";
import { PATIENCE_MS } from "../harness.ts";

export const SPEC_FOLDER = import.meta.dir;
const BIND = "local describe, it = _G.describe, _G.it; ";
/** Specs whose names begin with these run as with `--data`, and with `--throttle`. */
const WITH_DATA = "data-";
const THROTTLED = "data-throttled";
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

export async function runSpecAsync(file: string): Promise<readonly SpecResult[]> {
  const results: SpecResult[] = [];
  const loose: string[] = [];
  let done = false;
  const log = (_type: number, text: string): void => {
    if (text === `${TAG}done`) done = true;
    else if (text.startsWith(`${TAG}pass `)) results.push({ name: text.slice(6), failure: "" });
    else if (text.startsWith(`${TAG}fail `)) results.push(splitFailure(text.slice(6)));
    else loose.push(text);
  };
  using studio = new HeadlessStudio({
    assets,
    host: { ...noNetwork, log },
    ...(file.startsWith(WITH_DATA) ? { data: dataWithFixtures(file.startsWith(THROTTLED)) } : {}),
    scriptTimeoutSeconds: PATIENCE_MS / 1_000,
  });
  studio.runSource("=Harness", await Bun.file(join(SPEC_FOLDER, "Harness.luau")).text());
  studio.runSource(`=${file}`, BIND + withWords(await Bun.file(join(SPEC_FOLDER, file)).text()));
  studio.runSource("=runTests", "_G.runTests()");
  const startedMs = performance.now();
  while (!done && studio.hasTimer && performance.now() - startedMs < PATIENCE_MS) await Bun.sleep(1);
  const whole =
    done && results.length > 0 ? [] : [{ name: "runs to its end", failure: loose.join("\n") || "no tests" }];
  return [...results, ...whole];
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
