import { expect, test } from "bun:test";
import { commands } from "../../../src/commands/index.ts";
import { dotCommands } from "../../../src/terminal/dot-commands.ts";
import { createStyle } from "../../../src/util/style.ts";
import { cells } from "../../../src/util/text-width.ts";

test("the list of dot-commands fits a screen of 60 columns", async () => {
  const shared = (await commands.allAsync()).filter(({ surfaces }) => surfaces.includes("terminal"));
  const nothing = () => undefined;
  const catalog = dotCommands(
    { contextAsync: () => Promise.resolve(""), disconnect: nothing, clear: nothing, exit: nothing },
    shared,
  );
  const help = catalog.find(({ name }) => name === "help");
  const style = createStyle({ columns: 60, color: true, isScreen: true, prettyJson: true });
  const rows = help?.format?.({}, style).split("\n") ?? [];
  expect(rows.length).toBeGreaterThan(catalog.length);
  expect(rows.filter((row) => cells(row) > 60)).toEqual([]);
});
