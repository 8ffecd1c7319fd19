/** The assets of headless Studio from the working tree, for development tools and tests: built when they are stale. */
import type { EngineSources, HeadlessAssets } from "../src/headless/assets.ts";
import { buildClassesAsync } from "./build-classes.ts";
import { buildFontsAsync, buildOutlinesAsync } from "./build-fonts.ts";
import { readEngineAsync } from "./engine-sources.ts";
import { buildLuauAsync } from "./build-luau.ts";

export interface SourceAssets extends HeadlessAssets {
  readonly engine: { readonly sources: EngineSources };
}

export async function readAssetsAsync(): Promise<SourceAssets> {
  const [wasmFile, classesFile, fontsFile, glyphsFile] = await Promise.all([
    buildLuauAsync(),
    buildClassesAsync(),
    buildFontsAsync(),
    buildOutlinesAsync(),
  ]);
  const [luau, classData, fontData, outlines, sources] = await Promise.all([
    Bun.file(wasmFile)
      .bytes()
      .then((wasm) => WebAssembly.compile(wasm)),
    Bun.file(classesFile).text(),
    Bun.file(fontsFile).text(),
    Bun.file(glyphsFile).bytes(),
    readEngineAsync(),
  ]);
  return {
    luau,
    engine: { sources },
    classData: () => classData,
    fontData: () => fontData,
    outlineData: () => outlines,
  };
}
