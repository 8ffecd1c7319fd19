/** Boots the engine once and saves the VM as `build/engine.snapshot`, so that `sb` doesn't boot it at every start. */
import { dirname, join } from "node:path";
import type { HeadlessAssets } from "../src/headless/assets.ts";
import { EngineVm, type HostOpHandlers } from "../src/headless/vm/engine-vm.ts";
import { classDataHandlers } from "../src/headless/studio.ts";
import { encodingHandlers } from "../src/headless/encoding-handlers.ts";
import { windowHandlers } from "../src/headless/window-calls.ts";
import { readAssetsAsync } from "./headless-assets.ts";

const ROOT = dirname(import.meta.dir);
const OUTPUT = join(ROOT, "build/engine.snapshot");
const STAMP = `${OUTPUT}.sha256`;
/** The host's side of the VM, with the numbers of its calls and events. */
const HOST_SOURCES = "src/headless/{host-ops,class-data,vm/*}.ts";
const ZSTD_LEVEL = 19;

/** Makes `build/engine.snapshot` out of the working tree, unless it was made of the same, and returns its path. */
export async function buildSnapshotAsync(): Promise<string> {
  const assets = await readAssetsAsync();
  const stamp = await stampAsync(assets);
  if ((await Bun.file(OUTPUT).exists()) && (await readStampAsync()) === stamp) return OUTPUT;
  await Bun.write(OUTPUT, Bun.zstdCompressSync(takeSnapshot(assets), { level: ZSTD_LEVEL }));
  await Bun.write(STAMP, stamp);
  return OUTPUT;
}

const readStampAsync = (): Promise<string> =>
  Bun.file(STAMP)
    .text()
    .catch(() => "");

/** A hash of everything that the saved VM depends on. */
async function stampAsync({ luauWasm, engine, classData }: HeadlessAssets): Promise<string> {
  const hash = new Bun.CryptoHasher("sha256")
    .update(luauWasm)
    .update(JSON.stringify(engine))
    .update(classData);
  for (const file of [...new Bun.Glob(HOST_SOURCES).scanSync(ROOT)].sort())
    hash.update(await Bun.file(join(ROOT, file)).text());
  return hash.digest("hex");
}

/** Boots the engine of these assets and saves the VM. */
export function takeSnapshot(assets: HeadlessAssets): Uint8Array<ArrayBuffer> {
  const vm = new EngineVm({
    assets,
    handlers: { ...refusingHandlers(), ...classDataHandlers(assets.classData) },
    memoryLimitMb: 512,
    budgetSeconds: 60,
    cancelFlag: new Int32Array(1),
  });
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
    log: refuse,
    readModel: refuse,
    writeModel: refuse,
    placeSaved: refuse,
    classData: refuse,
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

if (import.meta.main) await buildSnapshotAsync();
