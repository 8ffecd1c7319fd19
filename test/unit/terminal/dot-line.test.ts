import { describe, expect, test } from "bun:test";
import { commands } from "../../../src/commands/index.ts";
import { StudioBridgeError } from "../../../src/protocol/errors.ts";
import { isDotLine, parseDotLine, splitWords } from "../../../src/terminal/dot-line.ts";

const all = await commands.allAsync();
const catalog = all.filter(({ surfaces }) => surfaces.includes("terminal"));

function failureOf(line: string): { message: string; hint: string } {
  try {
    parseDotLine(line, catalog);
  } catch (error) {
    if (error instanceof StudioBridgeError) return { message: error.message, hint: error.hint };
    throw error;
  }
  throw new Error(`${line} was understood`);
}

test.each([
  [".state", true],
  ["  .state", true],
  [".?", true],
  [".5", false],
  ["..", false],
  ["...", false],
  ["a.b", false],
  [".", false],
])("%p starts with a dot-command: %p", (text, expected) => {
  expect(isDotLine(text)).toBe(expected);
});

test.each([
  ["run a.luau", ["run", "a.luau"]],
  ['run "my file.luau" x', ["run", "my file.luau", "x"]],
  ["run 'my file.luau'", ["run", "my file.luau"]],
  ['query Workspace["My Part"].Size', ["query", 'Workspace["My Part"].Size']],
  ["query  Workspace.Part\t--attributes ", ["query", "Workspace.Part", "--attributes"]],
  ['run "open', ["run", '"open']],
  ["run C:\\scripts\\a.luau", ["run", "C:\\scripts\\a.luau"]],
  ['run ""', ["run", ""]],
])("the words of %p", (text, words) => {
  expect(splitWords(text)).toEqual(words);
});

describe("a dot-command", () => {
  const inputOf = (line: string) => {
    const { command, parsed } = parseDotLine(line, catalog);
    return [command.name, parsed.input];
  };

  test("may be of two words", () => {
    expect(inputOf(".script grep 'a b' Workspace -i")).toEqual([
      "script grep",
      { pattern: "a b", root: "Workspace", ignoreCase: true },
    ]);
    expect(failureOf(".script raed").message).toBe(
      'Unknown command ".script raed". Did you mean .script read?',
    );
    expect(failureOf(".script").hint).toStartWith("Subcommands: .script read");
  });

  test("takes the words and flags of its definition", () => {
    expect(inputOf(".logs --tail 3 --level error")).toEqual([
      "logs",
      { count: 3, direction: "tail", levels: ["Error"] },
    ]);
    expect(inputOf(".run a.luau b.luau -- --fast")).toEqual([
      "run",
      { files: ["a.luau", "b.luau"], args: ["--fast"] },
    ]);
  });

  test("knows its session, so that its words begin with what is special here", () => {
    expect(inputOf(".screenshot shot.png")).toEqual(["screenshot", { output: "shot.png" }]);
    expect(inputOf(".connect a1b2")).toEqual(["connect", { sessionId: "a1b2" }]);
    expect(failureOf(".state a1b2").message).toBe('Unexpected word "a1b2".');
  });

  test.each([
    [".sesions", { message: "Unknown dot-command .sesions. Did you mean .sessions?", hint: "See `.help`." }],
    [".zzzzz", { message: "Unknown dot-command .zzzzz.", hint: "See `.help`." }],
    [".logs --tial 3", { message: "Unknown flag --tial. Did you mean --tail?", hint: "See `.help logs`." }],
    [".run", { message: "FILE is required. Example: .run script.luau", hint: "See `.help run`." }],
    [".state --headless", { message: "--headless belongs to the command line.", hint: "See `.help state`." }],
  ])("%p is refused in the terminal's own words", (line, failure) => {
    expect(failureOf(line)).toEqual(failure);
  });
});
