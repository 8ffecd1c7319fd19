/** The assets of headless Studio from the working tree, for development tools and tests: built when they are stale. */
import type { HeadlessAssets } from "../src/headless/assets.ts";
import { buildClassesAsync } from "./build-classes.ts";
import { readEngineAsync } from "./build-engine.ts";
import { buildLuauAsync } from "./build-luau.ts";

export async function readAssetsAsync(): Promise<HeadlessAssets> {
  const [wasmPath, engine, classData] = await Promise.all([
    buildLuauAsync(),
    readEngineAsync(),
    readClassDataAsync(),
  ]);
  return { luauWasm: await Bun.file(wasmPath).bytes(), engine, classData };
}

async function readClassDataAsync(): Promise<string> {
  return Bun.file(await buildClassesAsync()).text();
}
