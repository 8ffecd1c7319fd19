/** The variants of headless Studio: host, engine and documentation have the same ones, and unknown names are refused. */
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { VARIANTS, variantsIn } from "../../../src/headless/variants.ts";
import { HeadlessStudio } from "../../../src/headless/window/studio.ts";
import { assets, noNetwork } from "../../headless/run-spec.ts";

const names = VARIANTS.map(({ name }) => name);

test("names are read with blanks around them; an unknown one is refused with a list of all", () => {
  expect(variantsIn(" no-loadstring, no-recordings,")).toEqual(["no-loadstring", "no-recordings"]);
  expect(variantsIn("luau-execution=1/2@3")).toEqual(["luau-execution=1/2@3"]);
  expect(variantsIn("")).toEqual([]);
  expect(() => variantsIn("no-loadstring,no-luck")).toThrow(
    expect.objectContaining({
      code: "INVALID_INPUT",
      message: 'SB_HEADLESS_VARIANT: there is no variant "no-luck".',
      hint: `Variants: ${names.join(", ")}.`,
    }),
  );
});

test("the engine makes each variant, and each one alone changes what it says", () => {
  const lines: string[] = [];
  const run = (variants: readonly string[], source: string): void => {
    using studio = new HeadlessStudio({
      assets,
      host: { ...noNetwork, log: (_, text) => void lines.push(text) },
      variants,
    });
    studio.runSource("=variants", source);
  };
  run([], 'print(table.concat(engine("./Variants").names(), " "))');
  run(names, 'print((pcall(game.GetService, game, "PluginConnectionService")))');
  run(["no-loadstring"], 'print((pcall(game.GetService, game, "PluginConnectionService")))');
  run(["luau-execution=1/2@3"], "print(game.GameId, game.PlaceId, game.PlaceVersion)");
  run(["luau-execution"], 'print(game:GetService("RunService"):IsStudio(), game.PlaceId)');
  expect(lines).toEqual([names.toSorted().join(" "), "false", "true", "1 2 3", "false 0"]);
});

test("a place is unpublished unless an id is given", () => {
  const lines: string[] = [];
  for (const published of [{}, { placeId: 2 ** 40 }]) {
    using studio = new HeadlessStudio({
      assets,
      host: { ...noNetwork, log: (_, text) => void lines.push(text) },
      ...published,
    });
    studio.runSource("=place", "print(game.PlaceId)");
  }
  expect(lines).toEqual(["0", "1099511627776"]);
});

test("docs/headless.md has every variant with its sentence", () => {
  const page = readFileSync(join(import.meta.dir, "../../../docs/headless.md"), "utf8");
  const [, section = ""] = page.split("\n## Variants\n");
  const [own = ""] = section.split("\n## ");
  expect(
    [...own.matchAll(/^\| `([a-z-]+)` \| (.*) \|$/gm)].map(([, name, what]) => ({ name, what })),
  ).toEqual(VARIANTS.map(({ name, what }) => ({ name, what })));
});
