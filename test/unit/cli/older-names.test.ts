/** The vocabulary of older tools still works, and each word of it means one command. */
import { expect, test } from "bun:test";
import { routeOf } from "../../../src/cli/route.ts";
import { commands } from "../../../src/commands/index.ts";

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
])("sb %s is sb %s", (older, name) => {
  const route = routeOf(["--json", ...older.split(" "), "--verbose"], commands);
  expect(route).toMatchObject({ kind: "command", command: { name }, words: ["--json", "--verbose"] });
});

test("no older name is given twice or hides a command", () => {
  const older = commands.flatMap(({ cli }) => cli.olderNames ?? []);
  expect(new Set(older).size).toBe(older.length);
  expect(older.filter((name) => commands.some((command) => command.name === name))).toEqual([]);
});

test("one word of two is told the others", () => {
  expect(() => routeOf(["console"], commands)).toThrow("sb console needs a second word.");
  expect(() => routeOf(["console", "frob"], commands)).toThrow('Unknown command "console frob".');
});
