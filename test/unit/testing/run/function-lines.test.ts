/** The lines of functions in Luau sources that are hard to read without a parser. */
import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readLinesAsync } from "../../../../src/headless/index.ts";
import { functionsIn } from "../../../../src/testing/run/function-lines.ts";

const linesOf = (source: string): string[] =>
  functionsIn(source).map(({ first, last }) => `${first}-${last}`);

describe("functions end", () => {
  test.each<readonly [what: string, source: string, lines: readonly string[]]>([
    ["on the line of their end", 'it("a", function()\n\tf()\nend)\n', ["1-3"]],
    ["on their only line", 'it("a", function() f() end) it("b", function() end)', ["1-1", "1-1"]],
    ["behind blocks in them", "function f()\nif a then\nwhile b do c() end\nend\nend\ng()", ["1-5"]],
    ["behind a repeat", "function f()\nrepeat local x = 1 until x\nend\ng()", ["1-3"]],
    ["where the outer one ends later", "function f()\n\tg(function()\n\tend)\nend", ["1-4", "2-3"]],
    ["whatever the indent is", "function f()\n if a then\n\t\tend\n  end\ng()", ["1-4"]],
    ["with CRLF at the ends of lines", "function f()\r\n\tg()\r\nend\r\ng()\r\n", ["1-3"]],
    [
      "where a comment has an end",
      "function f()\n-- end\n--[[ end\nend ]] g()\n--[==[ end ]] ]==]\nend",
      ["1-6"],
    ],
    ["where a string has an end", "function f()\nlocal s = 'end\\'end' .. \"\\\"end\"\nend\ng()", ["1-3"]],
    ["where a long string has an end", "function f()\nlocal s = [[\nend\n]] .. [=[ ]] end ]=]\nend", ["1-5"]],
    ["where a string goes on over lines", 'function f()\nlocal s = "a\\z\n  end \\\n end"\nend', ["1-5"]],
    [
      "behind a string with values",
      "function f()\nlocal s = `end {g(function() return `{1} end` end)} \\` end`\nend",
      ["1-3", "2-2"],
    ],
    [
      "behind an if that is a value",
      "function f()\nlocal x = if a then b else c\nreturn x\nend\ng()",
      ["1-4"],
    ],
    [
      "behind such values within each other",
      "function f()\nlocal x = if a then if b then 1 else 2 elseif c then 3 else if d then 4 else 5\nif x then return if y then 1 else 2 else if z then g(if a then b else c) end end\nend\ng()",
      ["1-4"],
    ],
    [
      "where an if stands behind a type",
      "function f()\nlocal a: Array<string>\nif a then g() end\nend\nh()",
      ["1-4"],
    ],
    ["where an index is within another", "function f()\nlocal x = a[b[1]]\nend\nh()", ["1-3"]],
    ["with the source that breaks off", "function f()\n\tg(", ["1-2"]],
  ])("%s", (_, source, lines) => {
    expect(linesOf(source)).toEqual([...lines]);
  });
});

test("functions begin where Luau's compiler says, in all sources of the harness and the engine's classes", async () => {
  const root = join(import.meta.dir, "../../../..");
  const sources = ["src/testing/harness", "src/headless/engine/Classes", "plugin/src/Changes"]
    .flatMap((folder) => readdirSync(join(root, folder)).map((name) => join(root, folder, name)))
    .filter((path) => path.endsWith(".luau"))
    .map((path) => readFileSync(path));
  const compiled = await readLinesAsync(sources);
  expect(sources.length).toBeGreaterThan(100);
  for (const [index, source] of sources.entries()) {
    const text = source.toString();
    const found = functionsIn(text).map(({ first }) => first);
    const known = compiled[index]?.functions.map(({ line }) => line) ?? [];
    expect(known.filter((line) => !found.includes(line))).toEqual([]);
    const lines = text.split("\n");
    const ends = functionsIn(text).map(({ last }) => lines[last - 1]);
    expect(ends.filter((line) => !/\bend\b/.test(line ?? ""))).toEqual([]);
  }
});
