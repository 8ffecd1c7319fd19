/** Coverage is for the mounted files of a project, without its tests and packages. */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { checksumOf } from "../../../../src/testing/coverage/checksum.ts";
import { coveredFiles, DEFAULT_COVERED } from "../../../../src/testing/coverage/covered-files.ts";

const FOLDER = "/project";
const scripts = (...paths: readonly string[]) =>
  new Map(
    paths.map((path, index) => [
      `A.${index}`,
      { file: join(FOLDER, path), names: ["A", String(index)], source: "" },
    ]),
  );
const paths = (include: readonly string[], exclude: readonly string[], ...files: readonly string[]) =>
  coveredFiles(FOLDER, scripts(...files), { include, exclude }, [join(FOLDER, "tests/setup.luau")]).map(
    ({ path }) => path,
  );

test("tests, packages, set-up scripts, snapshots and files outside of the project are left out", () => {
  expect(
    paths(
      DEFAULT_COVERED,
      [],
      "src/b.luau",
      "src/init.server.luau",
      "src/a.spec.luau",
      "src/__tests__/a.luau",
      "src/__snapshots__/a.snap.luau",
      "src/jest.config.luau",
      "src/data.json",
      "Packages/Promise.luau",
      "tests/setup.luau",
      "../other/c.luau",
    ),
  ).toEqual(["src/b.luau", "src/init.server.luau"]);
});

test("the runtime library of roblox-ts is left out, and modules of its names elsewhere are not", () => {
  expect(
    paths(
      DEFAULT_COVERED,
      [],
      "include/RuntimeLib.lua",
      "include/Promise.lua",
      "out/shop.luau",
      "out/lib/Promise.luau",
      "out/own/RuntimeLib.luau",
    ),
  ).toEqual(["out/lib/Promise.luau", "out/own/RuntimeLib.luau", "out/shop.luau"]);
});

test("include and exclude choose among the mounted files", () => {
  expect(paths(["src/**"], ["src/ui/**"], "src/a.luau", "src/ui/b.luau", "lib/c.luau")).toEqual([
    "src/a.luau",
  ]);
});

test("a file that is mounted twice has both scripts", () => {
  const files = coveredFiles(
    FOLDER,
    scripts("a.luau", "a.luau"),
    { include: DEFAULT_COVERED, exclude: [] },
    [],
  );
  expect(files).toMatchObject([
    {
      path: "a.luau",
      instances: [
        ["A", "0"],
        ["A", "1"],
      ],
    },
  ]);
});

test("scripts with the same full name are not counted", () => {
  const script = {
    file: join(FOLDER, "a.luau"),
    names: ["A", "Twin"],
    source: "",
    namesakes: ["/project/b.luau"],
  };
  const files = coveredFiles(
    FOLDER,
    new Map([["A.Twin", script]]),
    { include: DEFAULT_COVERED, exclude: [] },
    [],
  );
  expect(files).toMatchObject([{ path: "a.luau", instances: [] }]);
});

test("the checksum of a text does not depend on its line ends", () => {
  expect(checksumOf("return 1\r\nlocal x\r\n")).toBe(checksumOf("return 1\nlocal x\n"));
  const texts = ["", "a", "b", "return 1", "return 2", "1 return", "return 1\n"];
  expect(new Set(texts.map(checksumOf)).size).toBe(texts.length);
});
