/**
 * The command lines in the documentation and in help: each names an existing command, with words that it understands.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "bun:test";
import { routeAsync } from "../../src/cli/route.ts";
import { parseWords } from "../../src/command-kit/words/parse-words.ts";
import { commands } from "../../src/commands/index.ts";
import { shellWords } from "../../src/templates/shell-words.ts";

const ROOT = join(import.meta.dir, "../..");

/** Lines of a shell that are no single call of sb. */
const isPlain = (line: string) => !/[|<>…]|\$\(|&&/.test(line.replaceAll(/'[^']*'/g, ""));

/** The words after `sb`; what follows two blanks or a # is a remark. */
const callIn = (line: string) =>
  line
    .replace(/^\$ /, "")
    .replace(/\s{2,}.*$/, "")
    .replace(/ # .*$/, "");

function callsIn(page: string): string[] {
  const blocks = page.match(/^```\w*\n[^]*?^```/gm) ?? [];
  return blocks
    .flatMap((block) => block.split("\n"))
    .map(callIn)
    .filter((line) => /^sb \w/.test(line) && isPlain(line));
}

/** Why sb does not understand the line; undefined where it does. */
async function faultAsync(line: string): Promise<string | undefined> {
  try {
    const route = await routeAsync(shellWords(line).slice(1), commands);
    if (route.kind === "command") parseWords(route.command, route.words);
    return undefined;
  } catch (error) {
    return `${line}: ${String(error)}`;
  }
}

const faultsAsync = async (lines: readonly string[]) =>
  (await Promise.all(lines.map(faultAsync))).filter((fault) => fault !== undefined);

describe("every call of sb is understood", () => {
  test.each(["README.md", "docs/studio-tools.md", "docs/sync.md", "docs/mcp.md", "docs/headless.md"])(
    "in %s",
    async (page) => {
      const calls = callsIn(readFileSync(join(ROOT, page), "utf8"));
      expect(await faultsAsync(calls)).toEqual([]);
    },
  );

  test("among the examples in help", async () => {
    const lines = (await commands.allAsync()).flatMap(({ examples }) =>
      examples.map(({ command }) => command),
    );
    const calls = lines.filter((line) => line.startsWith("sb ") && isPlain(line));
    expect(calls.length).toBeGreaterThan(100);
    expect(await faultsAsync(calls)).toEqual([]);
  });
});

test("the page of Studio tools shows every command that works on a place", () => {
  const calls = callsIn(readFileSync(join(ROOT, "docs/studio-tools.md"), "utf8"));
  const names =
    "play,script read,script grep,script edit,edit,set,new,rm,mv,undo,exec,run,wait,diff,find,select,insert,export,api";
  const missing = names
    .split(",")
    .filter((name) => !calls.some((call) => `${call} `.startsWith(`sb ${name} `)));
  expect(missing).toEqual([]);
});
