/** Which command a command line means, where flags are between the words. */
import { expect, test } from "bun:test";
import { routeAsync } from "../../../src/cli/route.ts";
import { OTHER_WORDS } from "../../../src/command-kit/words/other-words.ts";
import { commands as catalog } from "../../../src/commands/index.ts";

test.each([
  ["ls", 'Unknown command "ls". Did you mean query or find?'],
  ["delete", 'Unknown command "delete". Did you mean rm?'],
  ["open", 'Unknown command "open". Did you mean launch or headless?'],
  ["upgrade", 'Unknown command "upgrade". Did you mean doctor?'],
  ["sesions", 'Unknown command "sesions". Did you mean sessions?'],
  ["zzzz", 'Unknown command "zzzz".'],
])("sb %s says: %s", async (word, message) => {
  expect(routeAsync([word], catalog)).rejects.toThrow(message);
});

test("every command that a word of another program leads to exists", () => {
  for (const name of Object.values(OTHER_WORDS).flat()) expect(catalog.names).toContain(name);
});

test.each([
  [["mcp", "--log-level", "info", "install"], "mcp install", ["--log-level", "info"]],
  [["mcp", "--read-only", "install", "cursor"], "mcp install", ["--read-only", "cursor"]],
  [["mcp", "--log-level=info"], "mcp", ["--log-level=info"]],
  // A family has no command of one word.
  [["script", "--port", "5", "read", "X"], "script read", ["--port", "5", "X"]],
  [["script", "--json", "grep", "X"], "script grep", ["--json", "X"]],
  [["process", "--timeout", "5", "launch", "X"], "launch", ["--timeout", "5", "X"]],
  // The value of a flag is no second word.
  [["mcp", "--log", "install"], "mcp", ["--log", "install"]],
  [["mcp", "--", "install"], "mcp", ["--", "install"]],
  // A command that reads its words itself has no flags in between.
  [["tool", "--debug", "list"], "tool", ["--debug", "list"]],
])("sb %j is sb %s", async (argv, name, words) => {
  expect(await routeAsync(argv, catalog)).toMatchObject({ kind: "command", command: { name }, words });
});
