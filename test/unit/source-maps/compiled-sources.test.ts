/** The source of a compiled file: by its map, by tsconfig.json, and which maps are not used. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { CompiledSources } from "../../../src/source-maps/compiled-sources.ts";
import { mapOf } from "./sample-map.ts";

let folder = "";
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "sb-compiled-")));
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(path: string, text = ""): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

const CONFIG = JSON.stringify({ compilerOptions: { rootDir: "src", outDir: "out" } });

test("a map beside the file gives the lines of its source", () => {
  write("out/cart.luau");
  write("out/cart.luau.map", mapOf(["../src/cart.ts"], [[], [[0, 7]]]));
  const sources = new CompiledSources(folder);
  expect(sources.positionOf("out/cart.luau", 2)).toEqual({ path: "src/cart.ts", line: 7 });
  expect(sources.positionOf("out/cart.luau", 1)).toBeUndefined();
  expect(sources.sourceOf("out/cart.luau")).toBe("src/cart.ts");
  expect(sources.noteShown("out/cart.luau")).toBeUndefined();
  expect(sources.remarks()).toEqual([]);
});

test("the setting names another place for maps, or none", () => {
  write("out/shop/cart.luau");
  write("maps/out/shop/cart.json", mapOf(["../../../src/cart.ts"], [[[0, 7]]]));
  const positionBy = (wish: string | false) =>
    new CompiledSources(folder, wish).positionOf("out/shop/cart.luau", 1)?.path;
  expect(positionBy("maps/{dir}/{name}.json")).toBe("src/cart.ts");
  expect(positionBy("auto")).toBeUndefined();
  write("out/shop/cart.luau.map", mapOf(["../../src/cart.ts"], [[[0, 7]]]));
  expect(positionBy("auto")).toBe("src/cart.ts");
  expect(positionBy(false)).toBeUndefined();
});

test("a map older than its file, or out of the project, is not used, and that is told", () => {
  write("out/old.luau");
  write("out/old.luau.map", mapOf(["../src/old.ts"], [[[0, 1]]]));
  const past = new Date(Date.now() - 60_000);
  utimesSync(join(folder, "out/old.luau.map"), past, past);
  write("out/far.luau");
  write("out/far.luau.map", mapOf(["../../far.ts"], [[[0, 1]]]));
  const sources = new CompiledSources(folder);
  expect(sources.positionOf("out/old.luau", 1)).toBeUndefined();
  expect(sources.positionOf("out/far.luau", 1)).toBeUndefined();
  expect(sources.remarks()).toEqual([
    "out/old.luau.map is not used, because it is older than out/old.luau; compile again.",
    "out/far.luau.map is not used, because it names a source outside of the project.",
  ]);
});

test("without a map, tsconfig.json tells the source, also for index and .tsx, and that is told once", () => {
  write("tsconfig.json", CONFIG);
  for (const path of ["src/cart.ts", "src/shop/index.ts", "src/ui.tsx", "src/main.server.ts"]) write(path);
  const sources = new CompiledSources(folder);
  expect(sources.noteShown("out/cart.luau")).toBe("src/cart.ts");
  expect(sources.noteShown("out/shop/init.luau")).toBe("src/shop/index.ts");
  expect(sources.sourceOf("out/ui.luau")).toBe("src/ui.tsx");
  expect(sources.sourceOf("out/main.server.luau")).toBe("src/main.server.ts");
  expect(sources.sourceOf("out/gone.luau")).toBeUndefined();
  expect(sources.sourceOf("other/cart.luau")).toBeUndefined();
  expect(sources.sourceOf("../out/cart.luau")).toBeUndefined();
  expect(sources.remarks()).toEqual([
    "out/cart.luau: compiled from src/cart.ts; no source map, as 1 more file.",
  ]);
});

test("a source that has changed since it was compiled is told if a line of it was shown", () => {
  write("out/cart.luau");
  write("out/cart.luau.map", mapOf(["../src/cart.ts"], [[[0, 7]]]));
  write("src/cart.ts");
  const past = new Date(Date.now() - 60_000);
  for (const path of ["out/cart.luau", "out/cart.luau.map"]) utimesSync(join(folder, path), past, past);
  const sources = new CompiledSources(folder);
  expect(sources.positionOf("out/cart.luau", 1)?.line).toBe(7);
  expect(sources.remarks()).toEqual([]);
  sources.noteShown("out/cart.luau");
  expect(sources.remarks()).toEqual([
    "src/cart.ts has changed since out/cart.luau was compiled, so that shown lines may be wrong; compile again.",
  ]);
});

test("settings that tsconfig.json extends count, its own before theirs, from paths and packages", () => {
  write(
    "config/base.json",
    '{ "compilerOptions": { "rootDir": "../lib", "outDir": "../dist" } } // the team\n',
  );
  write(
    "node_modules/@team/tsconfig/tsconfig.json",
    '{ "compilerOptions": { "outDir": "${configDir}/out" } }',
  );
  write(
    "tsconfig.json",
    '{ "extends": ["./config/base", "@team/tsconfig"], "compilerOptions": { "rootDirs": ["src", "more"] } }',
  );
  write("more/cart.ts");
  expect(new CompiledSources(folder).sourceOf("out/cart.luau")).toBe("more/cart.ts");
  write("tsconfig.json", '{ "extends": "./tsconfig.json" }');
  expect(new CompiledSources(folder).sourceOf("out/cart.luau")).toBeUndefined();
});
