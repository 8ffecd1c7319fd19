/** Which command a command line means, where flags stand between the words. */
import { expect, test } from "bun:test";
import { routeAsync } from "../../../src/cli/route.ts";
import { commands as catalog } from "../../../src/commands/index.ts";

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
