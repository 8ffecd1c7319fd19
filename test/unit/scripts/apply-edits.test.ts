/** Edits of a source: what they replace, what they refuse, and that all of them mean the source before the call. */
import { describe, expect, test } from "bun:test";
import { planEdits, replaceIn, replaceInSource } from "../../../src/scripts/apply-edits.ts";
import type { Edit } from "../../../src/scripts/apply-edits.ts";

const text = (old: string, fresh: string, all = false): Edit => ({ kind: "text", old, new: fresh, all });
const lines = (startLine: number, endLine: number, fresh: string): Edit => ({
  kind: "lines",
  startLine,
  endLine,
  new: fresh,
});

/** The new source, or the code of each edit that is refused. */
function applied(source: string, ...edits: readonly Edit[]): string | (string | undefined)[] {
  const planned = planEdits(source, edits);
  const codes = planned.map((plan) => ("fault" in plan ? plan.fault.code : undefined));
  if (codes.some((code) => code !== undefined)) return codes;
  return replaceIn(
    source,
    planned.flatMap((plan) => ("replacements" in plan ? plan.replacements : [])),
  );
}

describe("a text", () => {
  test("is replaced where it is once, and everywhere where all are meant", () => {
    expect(applied("a b c", text("b", "x"))).toBe("a x c");
    expect(applied("a b a", text("a", "x", true))).toBe("x b x");
    expect(applied("a b a", text("a", "x"))).toEqual(["TEXT_NOT_UNIQUE"]);
    expect(applied("aaa", text("aa", "x", true))).toBe("xa");
    expect(applied("a\nb\nc", text("a\nb", ""))).toBe("\nc");
  });

  test("takes no pattern for more than text", () => {
    expect(applied("a.b $&", text("a.b", "$& $1"))).toBe("$& $1 $&");
  });

  test("that is not there is told with the lines that are like it, and with blanks that differ", () => {
    const source = "local function open(door)\n\tdoor:Open()\nend\nlocal x = 1\n";
    const [plan] = planEdits(source, [text("    door:Open()\n", "")]);
    expect(plan).toEqual({
      fault: {
        code: "TEXT_NOT_FOUND",
        message: "The source does not have this text. A line differs from it only in whitespace.",
        nearest: [{ line: 2, text: "\tdoor:Open()" }],
      },
    });
    expect(planEdits(source, [text("door:Opne", "")])).toMatchObject([
      { fault: { nearest: [{ line: 2, text: "\tdoor:Open()" }] } },
    ]);
    const long = "local started = task.wait(0.25) or os.clock()\n";
    expect(planEdits(long, [text("wiat(0.25)", "")])).toMatchObject([{ fault: { nearest: [{ line: 1 }] } }]);
    expect(planEdits(source, [text("zzzzzzzz", "")])).toMatchObject([{ fault: { nearest: [] } }]);
  });

  test("that is there several times is told with its lines", () => {
    const [plan] = planEdits("wait()\nprint()\nx = wait()", [text("wait()", "")]);
    expect(plan).toMatchObject({
      fault: {
        nearest: [
          { line: 1, text: "wait()" },
          { line: 3, text: "x = wait()" },
        ],
      },
    });
  });
});

describe("lines", () => {
  const source = "one\ntwo\nthree";

  test("are replaced, removed and inserted, and stay apart", () => {
    expect(applied(source, lines(2, 2, "2"))).toBe("one\n2\nthree");
    expect(applied(source, lines(1, 2, "1\n2\n"))).toBe("1\n2\nthree");
    expect(applied(source, lines(2, 3, ""))).toBe("one\n");
    expect(applied(source, lines(3, 3, "3"))).toBe("one\ntwo\n3");
    expect(applied(source, lines(1, 0, "zero"))).toBe("zero\none\ntwo\nthree");
    expect(applied(source, lines(4, 3, "four"))).toBe("one\ntwo\nthree\nfour");
    expect(applied("one\n", lines(2, 1, "two"))).toBe("one\ntwo");
    expect(applied("", lines(1, 0, "one"))).toBe("one");
  });

  test("that are not there are refused with how many there are", () => {
    expect(planEdits(source, [lines(2, 4, "x")])).toEqual([
      { fault: { code: "LINE_NOT_FOUND", message: "There is no line 4; the source has 3 lines." } },
    ]);
    expect(applied(source, lines(5, 5, "x"))).toEqual(["LINE_NOT_FOUND"]);
  });
});

describe("several edits", () => {
  test("mean the source before all of them", () => {
    expect(applied("a\nb\nc\n", lines(1, 1, "1\n1\n1"), lines(3, 3, "3"))).toBe("1\n1\n1\nb\n3\n");
    expect(applied("a b", text("a", "b"), text("b", "a"))).toBe("b a");
  });

  test("of the same text are refused, also where one of them is the whole source", () => {
    expect(applied("a b", text("a b", "x"), text("b", "y"))).toEqual([undefined, "EDITS_OVERLAP"]);
    expect(applied("a\nb", lines(1, 2, "x"), lines(2, 1, "y"))).toEqual([undefined, "EDITS_OVERLAP"]);
    expect(applied("a", { kind: "whole", source: "b" }, text("a", "c"))).toEqual([
      undefined,
      "EDITS_OVERLAP",
    ]);
    expect(applied("ab ab", text("ab ab", "x"), text("ab", "y", true))).toEqual([undefined, "EDITS_OVERLAP"]);
  });

  test("leave to the later ones what the earlier ones did not take", () => {
    expect(applied("local a = f(1)\nf(1)", text("local a = f(1)", "x"), text("f(1)", "y"))).toBe("x\ny");
  });

  test("at one place come in their order", () => {
    expect(applied("b\n", lines(1, 0, "1"), lines(1, 0, "2"), lines(1, 1, "B"))).toBe("1\n2\nB\n");
  });
});

test("random replacements of lines give what replacing them from the last to the first gives", () => {
  let seed = 11;
  const random = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below;
  for (let round = 0; round < 300; round += 1) {
    const old = Array.from({ length: 1 + random(12) }, (_, index) => `line ${index}`);
    const expected = [...old];
    const edits: Edit[] = [];
    for (let line = old.length; line >= 1; line -= 1) {
      if (random(3) > 0) continue;
      const fresh = Array.from({ length: 1 + random(3) }, (_, index) => `new ${line}.${index}`);
      const isInserted = random(2) === 0;
      edits.push(lines(line, isInserted ? line - 1 : line, fresh.join("\n")));
      expected.splice(line - 1, isInserted ? 0 : 1, ...fresh);
    }
    edits.sort(() => random(3) - 1);
    expect(applied(`${old.join("\n")}\n`, ...edits)).toBe(`${expected.join("\n")}\n`);
  }
});

test.each([
  ["a\nb\r\nc\r\n", "x\nb\r\nx\r\n"],
  ["a\r\nb\nc", "x\r\nb\nx"],
  ["a\r\nb\r\nc\r\n", "x\r\nb\r\nx\r\n"],
  ["a\nb\nc\n", "x\nb\nx\n"],
])("line ends of %j that are not replaced stay", (source, wanted) => {
  const letters = [0, 4].map((start) => ({ start, end: start + 1, text: "x" }));
  expect(replaceInSource(source, letters)).toBe(wanted);
});

test.each([
  ["a\nb\r\nc", 2, "a\n1\r\n2\r\nc"],
  ["a\nb\r\nc", 0, "1\n2\nb\r\nc"],
  ["a\r\nb", 2, "a\r\n1\r\n2"],
  ["a", 0, "1\n2"],
])("a new line end in %j at %d is as that of its line", (source, start, wanted) => {
  expect(replaceInSource(source, [{ start, end: start + 1, text: "1\n2" }])).toBe(wanted);
});

test("a replacement over lines takes their carriage returns along", () => {
  expect(replaceInSource("a\r\nb\r\nc", [{ start: 0, end: 4, text: "" }])).toBe("c");
});
