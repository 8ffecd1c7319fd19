/** The pages that `sb help` shows: those of docs/, without a word about files that the owner of a binary lacks. */
import { expect, test } from "bun:test";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { describeCommand } from "../../../../src/command-kit/words/command-help.ts";
import { helpPageAsync, helpPages, withoutFiles } from "../../../../src/command-kit/words/help-pages.ts";
import { commands } from "../../../../src/commands/index.ts";

const docs = join(import.meta.dir, "..", "..", "..", "..", "docs");
const files = (await readdir(docs)).filter((name) => name.endsWith(".md"));
const filesIn = (text: string): string[] => files.filter((name) => text.includes(name));

test("each page is the file of its name", async () => {
  expect(helpPages.length).toBeGreaterThan(5);
  for (const { name } of helpPages) {
    const source = await Bun.file(join(docs, `${name}.md`)).text();
    const page = (await helpPageAsync(name)) ?? "";
    expect(page.split("\n")[0]).toBe(source.split("\n")[0] ?? "");
    expect(page.length).toBeGreaterThan(source.length * 0.9);
  }
  expect(await helpPageAsync("toString")).toBeUndefined();
});

test("no page and no help of a command points to a file of the checkout", async () => {
  for (const { name } of helpPages)
    expect([name, filesIn((await helpPageAsync(name)) ?? "")]).toEqual([name, []]);
  for (const command of await commands.allAsync())
    expect([command.name, filesIn(JSON.stringify(describeCommand(command)))]).toEqual([command.name, []]);
});

test.each([
  ["See [sync.md](sync.md).", "See `sb help sync`."],
  ["[How](docs/sync.md#undo) it ends", "How (`sb help sync`) it ends"],
  ["[the errors](errors.md), [SECURITY.md](../SECURITY.md)", "the errors, SECURITY"],
  ["[Rojo](https://rojo.space)", "[Rojo](https://rojo.space)"],
  ["above, [below](#below)", "above, below"],
  ["<!-- home: x -->\ntext\n<!-- /home -->", "text"],
])("%s becomes %s", (markdown, text) => {
  expect(withoutFiles(markdown)).toBe(text);
});
