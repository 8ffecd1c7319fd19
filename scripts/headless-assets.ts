/** The assets of headless Studio from the working tree, for development tools and tests: built when they are stale. */
import { dirname, join } from "node:path";
import type { HeadlessAssets } from "../src/headless/assets.ts";
import { buildClassesAsync } from "./build-classes.ts";
import { readEngineAsync } from "./build-engine.ts";
import { buildLuauAsync } from "./build-luau.ts";

const BUILD = join(dirname(import.meta.dir), "build");

export async function readAssetsAsync(): Promise<HeadlessAssets> {
  await Promise.all([buildLuauAsync(), buildClassesAsync()]);
  const [luauWasm, classData, engine] = await Promise.all([
    Bun.file(join(BUILD, "luau.wasm")).bytes(),
    Bun.file(join(BUILD, "classes.txt")).text(),
    readEngineAsync(),
  ]);
  return { luauWasm, engine, classData };
}
