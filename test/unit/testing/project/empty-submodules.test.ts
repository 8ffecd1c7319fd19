/** Git submodules without files. */
import { expect, test } from "bun:test";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { emptySubmodulesAsync } from "../../../../src/testing/project/empty-submodules.ts";

test("empty and missing submodules below the folder are named, and others are not", async () => {
  const top = await mkdtemp(join(tmpdir(), "sb-submodules-"));
  const game = join(top, "game");
  await mkdir(join(top, ".git"));
  await mkdir(join(game, "Packages/TestEZ"), { recursive: true });
  await mkdir(join(top, "elsewhere"));
  await Bun.write(join(game, "Packages/Roact/init.luau"), "return {}");
  expect(await emptySubmodulesAsync(game)).toEqual([]);
  const paths = ["game/Packages/TestEZ", "game/Packages/Roact", "game/gone", "elsewhere"];
  const sections = paths.map(
    (path) => `[submodule "${path}"]\n\tpath = ${path}\n\turl = https://example.com/x\n`,
  );
  await Bun.write(join(top, ".gitmodules"), sections.join(""));
  expect(await emptySubmodulesAsync(game)).toEqual(["Packages/TestEZ", "gone"]);
  await rm(top, { recursive: true });
});
