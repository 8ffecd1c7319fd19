/** What must hold for the repository as a whole; each test names the command that fixes it. */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { checkAsync, checkNames } from "../../scripts/check-all.ts";

const root = join(import.meta.dir, "..", "..");

// They run at once, as `npm run check` does. luau.test.ts tells what the Luau analyzer finds.
const results = new Map(checkNames.filter((name) => name !== "luau").map((name) => [name, checkAsync(name)]));

test.each([...results.keys()])("npm run check has nothing to say about: %s", async (name) => {
  expect((await results.get(name))?.fault).toBe("");
});

test("zod is loaded in one place (src/protocol/schema.ts)", async () => {
  const importers: string[] = [];
  for await (const path of new Bun.Glob("**/*.ts").scan({ cwd: join(root, "src") }))
    if (/^(import (?!type)[^;]*|\}) from "zod"/m.test(await Bun.file(join(root, "src", path)).text()))
      importers.push(path);
  expect(importers).toEqual(["protocol/zod.ts"]);
});

test("what `using` holds is not let go while work with it goes on (return await …Async())", async () => {
  const faults: string[] = [];
  for await (const path of new Bun.Glob("{src,test,scripts}/**/*.ts").scan({ cwd: root }))
    faults.push(...earlyReleases(await Bun.file(join(root, path)).text()).map((line) => `${path}: ${line}`));
  expect(faults).toEqual([]);
});

/** As the code is formatted, a block goes on until a line that is indented less. */
function earlyReleases(text: string): string[] {
  const blocks = text.matchAll(/^( +)(?:await )?using .*((?:\n\1.*|\n)*)/gm);
  return [...blocks].flatMap(([, , rest = ""]) =>
    rest.split("\n").filter((line) => /\breturn (?!.*(?:\bawait\b|=>)).*Async\(/.test(line)),
  );
}

test("a promise that is returned past `using` is found, and an awaited one is not", () => {
  const body = (result: string) =>
    `async () => {\n  await using box = openAsync();\n\n  return ${result};\n};\n`;
  const [late, early] = [body("await workAsync(box)"), body("workAsync(box)")];
  expect(earlyReleases(late + early + "  return otherAsync();\n")).toEqual(["  return workAsync(box);"]);
});
