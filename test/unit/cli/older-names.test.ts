/** The vocabulary of older tools still works, and each word of it means one command. */
import { expect, test } from "bun:test";
import { routeAsync } from "../../../src/cli/route.ts";
import { commands as catalog } from "../../../src/commands/index.ts";

const commands = await catalog.allAsync();

test.each([
  ["console exec", "exec"],
  ["console logs", "logs"],
  ["explorer query", "query"],
  ["viewport screenshot", "screenshot"],
  ["process list", "sessions"],
  ["process info", "state"],
  ["process launch", "launch"],
  ["process run", "run"],
  ["process close", "close"],
  ["plugin install", "install-plugin"],
  ["plugin uninstall", "uninstall-plugin"],
])("sb %s is sb %s", async (older, name) => {
  const route = await routeAsync(["--json", ...older.split(" "), "--verbose"], catalog);
  expect(route).toMatchObject({ kind: "command", command: { name }, words: ["--json", "--verbose"] });
});

test("no older name is given twice or begins like a command", () => {
  const older = commands.flatMap(({ cli }) => cli.olderNames ?? []);
  expect(new Set(older).size).toBe(older.length);
  const firstWords = older.map((name) => name.split(" ")[0] ?? "");
  expect(firstWords.filter((word) => catalog.names.includes(word))).toEqual([]);
});

test("one word of two is told the others", async () => {
  await expect(routeAsync(["console"], catalog)).rejects.toThrow("sb console needs a second word.");
  await expect(routeAsync(["console", "frob"], catalog)).rejects.toThrow('Unknown command "console frob".');
});
