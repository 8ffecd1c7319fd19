/** Where classes are defined in the engine: each one in the file of its name, or in the folder of that name beside it. */
import { expect, test } from "bun:test";
import { readEngineAsync } from "../../scripts/engine-sources.ts";

const FOLDER = "Classes/";
const sources = Object.entries(await readEngineAsync());

const definitions = sources.flatMap(([path, source]) =>
  [...source.matchAll(/(?<!function )\bBehaviours\.define\((.*)/g)].map(([, rest = ""]) => ({
    path,
    className: /^"(\w+)"/.exec(rest)?.[1],
  })),
);

test("a class is defined in Classes/, in the file or the folder of its name", () => {
  const misplaced = definitions.filter(
    ({ path, className = "?" }) => path !== FOLDER + className && !path.startsWith(`${FOLDER}${className}/`),
  );
  expect(misplaced).toEqual([]);
  expect(definitions.length).toBeGreaterThan(100);
});

test("Classes/init loads every file of the folder", () => {
  const list = new Map(sources).get(`${FOLDER}init`) ?? "";
  const loaded = [...list.matchAll(/"(?:\.\/)?(\w+)"/g)].map(([, name]) => FOLDER + name);
  const files = sources.map(([path]) => path).filter((path) => /^Classes\/[A-Z]\w*$/.test(path));
  expect(loaded.sort()).toEqual(files.sort());
});
