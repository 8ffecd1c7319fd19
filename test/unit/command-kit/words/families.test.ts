import { expect, test } from "bun:test";
import { commandAt, familyOf, secondWordFault } from "../../../../src/command-kit/words/families.ts";

const commands = ["tool", "tool list", "script read", "script grep"].map((name) => ({ name }));
const call = (words: string) => `sb ${words}`;

test("words name the longest command that they can", () => {
  const named = (...words: string[]) => commandAt(words, commands);
  expect(named("tool", "list", "x")).toEqual({ command: { name: "tool list" }, used: 2 });
  expect(named("tool", "x")).toEqual({ command: { name: "tool" }, used: 1 });
  expect(named("script", "read")).toEqual({ command: { name: "script read" }, used: 2 });
  expect([named("script"), named("script", "x"), named()]).toEqual([undefined, undefined, undefined]);
});

test("a family is what shares the first word", () => {
  expect(familyOf("script", commands).map(({ name }) => name)).toEqual(["script read", "script grep"]);
  expect(familyOf("scri", commands)).toEqual([]);
});

test("a wrong second word is told with the near one, a missing one with all that there are", () => {
  const family = familyOf("script", commands);
  const hint = "Subcommands: sb script read, sb script grep.";
  expect(secondWordFault("script", "raed", family, call)).toEqual({
    message: 'Unknown command "sb script raed". Did you mean sb script read?',
    hint,
  });
  expect(secondWordFault("script", undefined, family, call)).toEqual({
    message: "sb script needs a second word.",
    hint,
  });
});
