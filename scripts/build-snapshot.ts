/** Boots the engine once and saves the VM as `build/engine.snapshot`, so that `sb` neither boots it nor compiles the plugin at every start. */
import { dirname, join } from "node:path";
import { EngineVm, type HostOpHandlers } from "../src/headless/vm/engine-vm.ts";
import { classDataHandlers } from "../src/headless/window/studio.ts";
import { dataHandlers } from "../src/headless/data/data-handlers.ts";
import { encodingHandlers } from "../src/headless/bytes/encoding-handlers.ts";
import { nodeTexts } from "../src/headless/process/plugin-tree-text.ts";
import { windowHandlers } from "../src/headless/window/window-calls.ts";
import type { PluginNode } from "../src/studio/plugin-tree.ts";
import { buildLuauAsync } from "./build-luau.ts";
import { readAssetsAsync, type SourceAssets } from "./headless-assets.ts";

const ROOT = dirname(import.meta.dir);
const OUTPUT = join(ROOT, "build/engine.snapshot");
const STAMP = `${OUTPUT}.sha256`;
/** The host's side of the VM, with the numbers of its calls and events. */
const HOST_SOURCES = [
  "src/headless/bytes/host-ops.ts",
  "src/headless/process/plugin-tree-text.ts",
  "src/roblox/class-data.ts",
  "src/headless/vm/*.ts",
];

/** Makes `build/engine.snapshot` out of the working tree and the plugin, and returns its path. */
export async function buildSnapshotAsync(plugin: PluginNode): Promise<string> {
  const assets = await readAssetsAsync();
  const stamp = await stampAsync(assets, plugin);
  if ((await Bun.file(OUTPUT).exists()) && (await readStampAsync()) === stamp) return OUTPUT;
  await Bun.write(OUTPUT, takeSnapshot(assets, plugin));
  await Bun.write(STAMP, stamp);
  return OUTPUT;
}

const readStampAsync = (): Promise<string> =>
  Bun.file(STAMP)
    .text()
    .catch(() => "");

/** A hash of everything that the saved VM depends on. */
async function stampAsync({ engine, classData }: SourceAssets, plugin: PluginNode): Promise<string> {
  const hash = new Bun.CryptoHasher("sha256")
    .update(await Bun.file(await buildLuauAsync()).bytes())
    .update(JSON.stringify(engine.sources))
    .update(classData())
    .update(JSON.stringify(plugin));
  const files = HOST_SOURCES.flatMap((pattern) => [...new Bun.Glob(pattern).scanSync(ROOT)].sort());
  for (const file of files) hash.update(await Bun.file(join(ROOT, file)).text());
  return hash.digest("hex");
}

/** It stands still, so that the same sources give the same bytes whenever they are built. */
const stoppedClock = { elapsedMs: () => 0, epochMs: () => 0 };

/** Boots the engine of these assets, compiles the plugin for it, and saves the VM. */
export function takeSnapshot(assets: SourceAssets, plugin?: PluginNode): Uint8Array<ArrayBuffer> {
  const vm = new EngineVm({
    assets,
    handlers: { ...refusingHandlers(), ...classDataHandlers(assets.classData) },
    clock: stoppedClock,
    memoryLimitMb: 512,
    budgetSeconds: 60,
    cancelFlag: new Int32Array(1),
    cancelMark: 1,
  });
  if (plugin !== undefined) for (const text of nodeTexts(plugin)) vm.dispatch("prepareNode", 0, text);
  return vm.takeSnapshot();
}

/** Whatever depends on the process must wait for its start. */
function refusingHandlers(): HostOpHandlers {
  const refuse = (): never => {
    throw new Error("the engine may ask only for class data while it boots");
  };
  return {
    ...windowHandlers(undefined),
    ...encodingHandlers,
    ...dataHandlers(undefined),
    log: refuse,
    scriptUsed: refuse,
    clockTold: refuse,
    noted: refuse,
    fixtures: refuse,
    fixtureAsset: refuse,
    fixtureState: refuse,
    setFixtureState: refuse,
    variants: refuse,
    isGeometryStrict: refuse,
    walks: refuse,
    placeId: refuse,
    screen: refuse,
    readModel: refuse,
    writeModel: refuse,
    placeSaved: refuse,
    placeFailed: refuse,
    unsavedTold: refuse,
    classData: refuse,
    fontMetrics: refuse,
    drawPicture: refuse,
    enumData: refuse,
    classNames: refuse,
    enumNames: refuse,
    getSetting: refuse,
    setSetting: refuse,
    makeGuid: refuse,
    unixTime: refuse,
    openSocket: refuse,
    sendSocket: refuse,
    closeSocket: refuse,
    requestHttp: refuse,
    exit: refuse,
  };
}
