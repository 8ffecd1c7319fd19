/** A team's story: the menu of examples/menu-test is held against its pictures in CI, and a changed colour is found and shown. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { cp, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { decodePng } from "../../src/util/png.ts";
import { Sandbox } from "../harness.ts";

setDefaultTimeout(120_000);

const EXAMPLE = join(import.meta.dir, "../../examples/menu-test");
const PICTURES = "src/__pictures__/MainMenu.spec";
const IN_CI = { CI: "1" };
const GREEN = "Color3.fromRGB(46, 160, 90)";

test("the menu looks as its pictures say, and another colour fails with a picture of the difference", async () => {
  await using box = await Sandbox.createAsync();
  await cp(EXAMPLE, box.folder, { recursive: true });
  const same = await box.localSbAsync(["test", "--reporter", "line"], IN_CI);
  expect({ exitCode: same.exitCode, stdout: same.stdout }).toMatchObject({ exitCode: 0 });
  expect(same.stdout).toContain("3 passed");

  const menu = await readFile(join(EXAMPLE, "src/MainMenu.luau"), "utf8");
  expect(menu).toContain(GREEN);
  await box.writeAsync("src/MainMenu.luau", menu.replace(GREEN, "Color3.fromRGB(200, 70, 60)"));
  const red = await box.localSbAsync(["test", "--reporter", "junit=junit.xml"], IN_CI);
  expect(red.exitCode).toBe(1);
  const junit = await readFile(join(box.folder, "junit.xml"), "utf8");
  for (const name of ["menu-1280x720@1", "menu-844x390@1", "joining-1280x720@1"]) {
    const difference = `${PICTURES}/${name}.png.diff.png`;
    for (const text of [red.stdout, junit]) expect(text).toContain(difference);
    const shown = decodePng(await readFile(join(box.folder, difference)));
    const expected = decodePng(await readFile(join(EXAMPLE, PICTURES, `${name}.png`)));
    expect(shown?.width).toBe(3 * (expected?.width ?? 0));
  }

  await rm(join(box.folder, PICTURES), { recursive: true });
  const missing = await box.localSbAsync(["test"], IN_CI);
  expect(missing.exitCode).toBe(1);
  expect(missing.stdout).toContain("sb test -u writes it");
});
