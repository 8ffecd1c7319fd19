/** The screen of a run: failures with their source at any width, and counts in the last line. */
import { expect, test } from "bun:test";
import { agentText } from "../../../../src/testing/report/agent.ts";
import { fileText, summaryText } from "../../../../src/testing/report/screen.ts";
import { Reporters, type WantedReporter } from "../../../../src/testing/report/reporters.ts";
import { createStyle, plainStyle, type Style } from "../../../../src/util/style.ts";
import { cells } from "../../../../src/util/text-width.ts";
import { HARMFUL, MIXED, resultsOf, runOf, type SampleCase } from "./sample-run.ts";

const SPEC = [
  "return function()",
  "",
  '\tit("adds the tax of each item", function()',
  "\t\texpect(cart:total()).to.equal(2.38) -- a comment that is so long that it cannot fit on a terminal of sixty columns",
  "\tend)",
];
const SOURCES: Readonly<Record<string, readonly string[]>> = {
  "src/shop/Cart.spec.luau": SPEC,
  "src/shop/Cart.luau": ["function Cart:total()", "\treturn self.net + self.tax(self.net)"],
};
const sourceOf = (path: string) => SOURCES[path];
const styleOf = (columns: number, color = false): Style =>
  createStyle({ columns, color, isScreen: true, prettyJson: false });

function firstFile(style: Style, showsOutput = false): string {
  const [file] = resultsOf(MIXED);
  if (file === undefined) throw new Error("the sample has a file");
  return fileText(file, style, { sourceOf, showsOutput, showsCompiled: false });
}

test("a failure shows its position, its source, both values, the stack and the output", () => {
  expect(firstFile(styleOf(120)).split("\n")).toEqual([
    " ✗ src/shop/Cart.spec.luau  1 failed, 1 passed, 1 skipped, 1 todo  12 ms",
    "─ 1/1 ─ Cart › total › adds the tax of each item",
    "  src/shop/Cart.spec.luau:4   built-in tests",
    "",
    '    3 │   it("adds the tax of each item", function()',
    "  ▶ 4 │     expect(cart:total()).to.equal(2.38) -- a comment that is so long that it cannot fit on a terminal of sixty…",
    "    5 │   end)",
    "",
    "  expected the value to equal 2.38, but it is 2.2",
    "  expected  2.38",
    "  received  2.2   difference -0.18",
    "",
    "  at total  src/shop/Cart.luau:2  return self.net + self.tax(self.net)",
    "",
    "  output  two",
    "          three",
    "          four",
    "          (the last of 4 lines; all with --show-output)",
    "",
  ]);
  expect(firstFile(styleOf(120), true)).toContain("  output  one\n");
});

test("at 60 columns every line fits, and says the same", () => {
  const lines = firstFile(styleOf(60)).split("\n");
  for (const line of lines) expect(cells(line)).toBeLessThanOrEqual(60);
  expect(lines.join("\n")).toContain("▶ 4 │     expect(cart:total()).to.equal(2.38)");
});

test("there are colours only if the output shows them", () => {
  expect(firstFile(styleOf(120, true))).toContain("\u001b[31m2.2\u001b[39m");
  expect(firstFile(styleOf(120))).not.toContain("\u001b");
});

test("control characters in names, paths, messages, values and output are shown as text", () => {
  const bad: SampleCase = {
    names: [HARMFUL, "a\nb"],
    status: "failed",
    durationMs: 900,
    failure: {
      message: HARMFUL,
      expected: HARMFUL,
      received: HARMFUL,
      frames: [{ path: "src/shop/Cart.luau", line: 1, name: HARMFUL }],
    },
    output: [HARMFUL],
  };
  const results = resultsOf({
    "a\u001b[2J.spec.luau": [bad, { ...bad, names: ["late", HARMFUL], earlier: ["once"], status: "passed" }],
  });
  const [file] = results;
  if (file === undefined) throw new Error("the sample has a file");
  const texts = [
    fileText(file, plainStyle, { sourceOf, showsOutput: true, showsCompiled: false }),
    summaryText(results, { durationMs: 1, slowest: 3 }, plainStyle),
    agentText(results, 1, { sourceOf, maxFailures: 9 }),
  ];
  for (const text of texts) expect(text).not.toMatch(/[\u0000-\u0008\u001b\u202e]/);
  expect(texts[0]).toContain("a\\nb");
});

test("a very long line in a message is shortened, with the number of characters that are left out", () => {
  const failure = { message: `short\n${"x".repeat(10_000)}\nlast` };
  const [file] = resultsOf({ "a.spec.luau": [{ names: ["x"], status: "failed", failure }] });
  if (file === undefined) throw new Error("the sample has a file");
  const text = fileText(file, plainStyle, { sourceOf, showsOutput: false, showsCompiled: false });
  expect(text.match(/x/g)?.length).toBeLessThan(2100);
  expect(text.replaceAll(/\s+/g, " ")).toContain("x… (8000 more characters) last");
});

test("a very long stack is shortened", () => {
  const frames = Array.from({ length: 40 }, () => ({ path: "src/shop/Cart.luau", line: 2, name: "again" }));
  const [file] = resultsOf({ "a.spec.luau": [{ names: ["x"], status: "failed", failure: { frames } }] });
  if (file === undefined) throw new Error("the sample has a file");
  const text = fileText(file, plainStyle, { sourceOf, showsOutput: false, showsCompiled: false });
  expect(text.match(/ at again /g)).toHaveLength(8);
  expect(text).toContain("more calls)");
});

/** The output of a reporter during a run. */
function shown(
  name: WantedReporter["name"],
  files: Readonly<Record<string, readonly SampleCase[]>>,
): string[] {
  const texts: string[] = [];
  const reporters = new Reporters([{ name }], {
    write: (text) => void texts.push(text(styleOf(120))),
    sourceOf,
    showsOutput: false,
    showsCompiled: false,
    slowest: 3,
    maxFailures: 10,
    unwritable: (file) => new Error(file),
    github: { folder: "/repo", workspace: undefined },
    summaryFile: undefined,
    load: () => undefined,
  });
  for (const event of runOf(files)) reporters.report(event);
  return texts;
}

test.each(["line", "pretty"] as const)(
  "%s ends with the line of counts, without those that are zero",
  (name) => {
    expect(shown(name, MIXED).join("\n").split("\n").slice(-4)).toEqual([
      " Flaky    ends (try 2)",
      " No case  src/empty.spec.luau",
      " Slowest  ends 310 ms",
      " Files  2 failed, 1 passed, 1 without a case      Cases  2 failed, 1 flaky, 1 passed, 1 skipped, 1 todo      1.2 s",
    ]);
    expect(shown(name, { "a.spec.luau": [{ names: ["x"] }] }).at(-1)).toBe(
      " Files  1 passed      Cases  1 passed      1.2 s",
    );
    expect(shown(name, { "a.spec.luau": [] }).at(-1)).toBe(
      " No case  a.spec.luau\n Files  0 passed, 1 without a case      Cases  0 passed      1.2 s",
    );
  },
);

test("a few files without a case are named; files of which no case was chosen are counted", () => {
  const empty = Array.from({ length: 7 }, (_, index) => [`${index}.spec.luau`, []]);
  const files = resultsOf({ ...Object.fromEntries(empty), "other.spec.luau": [] });
  const results = files.map((file) => ({ ...file, isLeftOut: file.path === "other.spec.luau" }));
  const text = summaryText(results, { durationMs: 1, slowest: 3 }, styleOf(60));
  expect(text.split("\n").slice(0, 7)).toEqual([
    " No case  0.spec.luau",
    "          1.spec.luau",
    "          2.spec.luau",
    "          3.spec.luau",
    "          4.spec.luau",
    "          and 2 more",
    " Files  0 passed, 1 without a chosen case, 7 without a case",
  ]);
});

test("an init.spec of TestEZ that has only hooks is not counted, because people expect no case in it", () => {
  const results = resultsOf({ "src/init.spec.luau": [], "src/a.spec.luau": [{ names: ["x"] }] }).map(
    (file) => ({ ...file, framework: "testez" }),
  );
  const text = summaryText(results, { durationMs: 1, slowest: 3 }, plainStyle);
  expect(text).toBe(" Files  1 passed      Cases  1 passed      1 ms");
});

test("a case that passes in a later try is not shown as a failure", () => {
  expect(shown("line", { "a.spec.luau": [{ names: ["x"], earlier: ["once"] }] })).toHaveLength(1);
});

test("thirty failures are all on the screen, and an agent gets ten and the number of the others", () => {
  const cases = Array.from({ length: 30 }, (_, index): SampleCase => ({
    names: [`case ${index}`],
    status: "failed",
  }));
  expect(shown("line", { "a.spec.luau": cases })[0]).toContain("─ 30/30 ─ case 29");
  const [text = ""] = shown("agent", { "a.spec.luau": cases });
  expect(text.match(/^FAILED /gm)).toHaveLength(10);
  expect(text).toEndWith("20 more failures");
});

test("an agent gets the beginnings of long messages, values and output, and longer ones if fewer cases failed", () => {
  const long = (count: number) =>
    shown("agent", {
      "a.spec.luau": Array.from({ length: count }, (_, index): SampleCase => ({
        names: [`case ${index}`],
        status: "failed",
        failure: {
          message: `${"m".repeat(50_000)}${"\nline".repeat(60)}`,
          expected: "e".repeat(9000),
          frames: [],
        },
        output: ["o".repeat(9000)],
      })),
    })[0] ?? "";
  const ten = long(10);
  expect(ten.length).toBeLessThan(14_000);
  expect(ten).toContain(`\n${"m".repeat(600)}… (49495 more characters)\n(41 more lines)\n`);
  expect(ten).toContain(`\nexpected ${"e".repeat(150)}… (8850 more characters)\n`);
  expect(ten).toContain(`\noutput: ${"o".repeat(300)}… (8700 more characters)`);
  expect(long(1)).toContain("m".repeat(6000));
});

test("a green run gives an agent only the counts", () => {
  const [text = ""] = shown("agent", { "a.spec.luau": [{ names: ["x"] }, { names: ["y"] }] });
  expect(text).toBe("2 passed in 1 file, 1.2 s");
});
