/** The assets of headless Studio from the working tree, for development tools and tests: built when they are stale. */
import { dirname, join } from "node:path";
import type { ClassData, HeadlessAssets } from "../src/headless/assets.ts";
import { readEngineAsync } from "./build-engine.ts";
import { buildLuauAsync } from "./build-luau.ts";

const CLASS_DATA = join(dirname(import.meta.dir), "build/classes.json");

export async function readAssetsAsync(): Promise<HeadlessAssets> {
  const [wasmPath, engine, classData] = await Promise.all([
    buildLuauAsync(),
    readEngineAsync(),
    readClassDataAsync(),
  ]);
  return { luauWasm: await Bun.file(wasmPath).bytes(), engine, classData };
}

async function readClassDataAsync(): Promise<ClassData> {
  const file = Bun.file(CLASS_DATA);
  return (await file.exists()) ? await file.json() : { classes: {}, enums: {} };
}
