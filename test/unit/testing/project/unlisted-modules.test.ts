/** Which test modules of a place are told because they do not run. */
import { expect, test } from "bun:test";
import { unlistedModules } from "../../../../src/testing/project/unlisted-modules.ts";
import { DEFAULT_INCLUDE } from "../../../../src/testing/discovery/find-files.ts";

const FOLDER = "/game";
const context = { kind: "edit", players: 0 } as const;

/** `fileOf` gives the file of a module; a module without one comes from a model. */
function toldOf(fileOf: Readonly<Record<string, string | undefined>>, exclude: readonly string[] = []) {
  const paths = Object.keys(fileOf).map((path) => path.split("/"));
  const scripts = new Map(
    paths.flatMap((names) => {
      const file = fileOf[names.join("/")];
      return file === undefined ? [] : [[names.join("."), { file, names, source: "" }] as const];
    }),
  );
  const place = {
    sources: { files: [], folders: [], scripts },
    modulesWhere: (fits: (name: string) => boolean) => paths.filter((names) => fits(names.at(-1) ?? "")),
  };
  const listed = {
    path: "src/Listed.spec.luau",
    absolutePath: "/game/src/Listed.spec.luau",
    framework: "script",
    why: "",
    context,
  } as const;
  const isOfFramework = (name: string): boolean => name.startsWith("A.TestEZ.");
  return unlistedModules(
    place,
    { files: [listed], isOfFramework },
    { folder: FOLDER, include: DEFAULT_INCLUDE, exclude },
  );
}

test("test modules of a model, of a file outside of the project, and of a file that git ignores are told", () => {
  expect(
    toldOf({
      "A/Listed.spec": "/game/src/Listed.spec.luau",
      "A/Twice.spec": "/game/src/Listed.spec.luau",
      "A/Cart": undefined,
      "A/Model.spec": undefined,
      "A/Shared.test": "/shared/Shared.test.luau",
      "A/Ignored.spec": "/game/out/Ignored.spec.luau",
    }),
  ).toEqual(["A.Ignored.spec", "A.Model.spec", "A.Shared.test"]);
});

test("test modules of packages and frameworks, and those that the settings leave out, are not told", () => {
  expect(
    toldOf(
      {
        "A/Packages/_Index/roact/Roact.spec": undefined,
        "A/TestEZ/Own.spec": undefined,
        "A/Vendor/x.spec": "/game/node_modules/x/x.spec.luau",
        "A/Old.spec": "/game/old/Old.spec.luau",
      },
      ["old/**"],
    ),
  ).toEqual([]);
});
