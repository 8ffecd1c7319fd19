/** The modules that a file outside of the place requires, and the errors of wrong paths. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { StringRequires } from "../../../../src/testing/discovery/string-requires.ts";

let folder = "";
const writeAsync = async (path: string, text: string): Promise<void> => {
  const file = join(folder, "game", path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
};
const linksAsync = async (path: string, source: string) => {
  await writeAsync(path, source);
  const requires = new StringRequires(join(folder, "game"), (file) =>
    file.endsWith("src/Mounted.luau") ? ["ReplicatedStorage", "Mounted"] : undefined,
  );
  const modules = await requires.modulesOfAsync(path);
  return { links: modules[path]?.links ?? {}, paths: Object.keys(modules) };
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "sb-requires-"));
  await writeAsync("src/Cart.luau", 'return require("./Tax")');
  await writeAsync("src/Tax.lua", 'return require("../lib")');
  await writeAsync("src/Mounted.luau", 'return require("./Gone")');
  await writeAsync("lib/init.luau", 'return { require("@self/part"), require("./src/Cart") }');
  await writeAsync("lib/part.luau", "return 1");
  await writeAsync("both/x.luau", "return 1");
  await writeAsync("both/x/init.luau", "return 1");
  await writeAsync(".luaurc", '{ "aliases": { "Lib": "lib", "up": "..", } } // trailing');
  await writeAsync("tests/.luaurc", '{ "aliases": { "lib": "../both" } }');
  await writeAsync("faulty/.luaurc", "{");
  await writeFile(join(folder, "outside.luau"), "return 1");
  await symlink(join(folder, "outside.luau"), join(folder, "game/src/Linked.luau"));
});
afterAll(() => rm(folder, { recursive: true }));

test("modules are found through other modules, init.luau stands for its folder, and circles end", async () => {
  const { paths } = await linksAsync("tests/a.luau", "local Cart = require('../src/Cart')");
  expect(paths.toSorted()).toEqual([
    "lib/init.luau",
    "lib/part.luau",
    "src/Cart.luau",
    "src/Tax.lua",
    "tests/a.luau",
  ]);
});

test("a module that the project mounts becomes a link to its script in the place", async () => {
  const { links, paths } = await linksAsync("tests/a.luau", 'require("../src/Mounted")');
  expect(links).toEqual({ "../src/Mounted": { instance: ["ReplicatedStorage", "Mounted"] } });
  expect(paths).toEqual(["tests/a.luau"]);
});

test("the nearest alias counts, in any letter case, and comments and @game are ignored", async () => {
  const source =
    'require("@LIB/x") require "@game/Workspace" -- require("./no")\n--[[ require("./no") ]] require(`@up/y`)';
  const { links } = await linksAsync("tests/deep/a.luau", source);
  expect(Object.keys(links)).toEqual(["@LIB/x", "@up/y"]);
  expect(links["@LIB/x"]).toEqual({ fault: "@LIB/x could be both/x.luau or both/x/init.luau" });
  expect((await linksAsync("src/b.luau", 'require("@lib/part")')).links).toEqual({
    "@lib/part": { module: "lib/part.luau" },
  });
});

test("a path that leads to no module is an error that lists the tried files", async () => {
  const faultAsync = async (text: string, path = "tests/a.luau") => {
    const { links } = await linksAsync(path, `require("${text}")`);
    return Object(links[text]).fault;
  };
  expect(await faultAsync("./Gone")).toBe(
    "there is no module ./Gone: tried tests/Gone.luau, tests/Gone.lua, tests/Gone/init.luau, tests/Gone/init.lua",
  );
  expect(await faultAsync("../../outside")).toBe("../../outside leads out of the folder of the project");
  expect(await faultAsync("@up/outside")).toBe("@up/outside leads out of the folder of the project");
  expect(await faultAsync("../src/Linked")).toContain("there is no module ../src/Linked");
  expect(await faultAsync("@pkg/x")).toBe("there is no alias @pkg for @pkg/x: tried tests/.luaurc, .luaurc");
  expect(await faultAsync("@self/x")).toBe("@self/x is for init.luau, which has modules below itself");
  expect(await faultAsync("Cart")).toBe('"Cart" is not a path: begin it with ./, ../ or the @ of an alias');
  expect(await faultAsync("@x/y", "faulty/a.luau")).toStartWith("faulty/.luaurc cannot be read: ");
});
