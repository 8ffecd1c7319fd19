import { describe, expect, test } from "bun:test";
import { nodeAt, parseJsonc, valueOf } from "../../../src/util/jsonc.ts";
import { placeOf, TextFault } from "../../../src/util/text-fault.ts";

function read(text: string): unknown {
  const node = parseJsonc(text);
  return node === undefined ? undefined : valueOf(node);
}

function faultOf(text: string): string {
  try {
    parseJsonc(text);
  } catch (error) {
    if (!(error instanceof TextFault)) throw error;
    const { line, column } = placeOf(text, error.offset);
    return `${line}:${column} ${error.message}`;
  }
  throw new Error(`accepted ${text}`);
}

describe("parseJsonc", () => {
  test("agrees with JSON on JSON", () => {
    const value = {
      text: 'a"\\\n\u00e9😀',
      numbers: [0, -1, 1.5, 2e3, -0.25e-2],
      nested: { empty: {}, list: [], yes: true, no: false, nothing: null },
    };
    for (const indent of [0, 2, "\t"]) expect(read(JSON.stringify(value, null, indent))).toEqual(value);
  });

  test("takes comments, trailing commas and a byte order mark", () => {
    expect(read('\ufeff// one\r\n{ /* two */ "a": [1, 2,], // three\n "b": "//",\n}\n/* four */')).toEqual({
      a: [1, 2],
      b: "//",
    });
  });

  test("gives nothing for a text without a value", () => {
    expect([read(""), read(" \n"), read("// only a comment")]).toEqual([undefined, undefined, undefined]);
  });

  test("takes the last of several members with one name, and __proto__ as a name", () => {
    expect(JSON.stringify(read('{"a": 1, "a": 2, "__proto__": 3}'))).toBe('{"a":2,"__proto__":3}');
  });

  test.each([
    ['{\n  "a" 1\n}', '2:7 expected ":", found "1"'],
    ["{ a: 1 }", '1:3 expected a value, or a name in double quotes, found "a"'],
    ["{ 1: 1 }", '1:3 expected a name in double quotes or "}", found "1"'],
    ['{"a": 1', '1:8 expected "," or "}", found the end of the file'],
    ["[1 2]", '1:4 expected ",", found "2"'],
    ["[1", '1:3 expected "," or "]", found the end of the file'],
    ["[,]", '1:2 expected a value, found ","'],
    ['["a\nb"]', "1:2 a string that does not end"],
    ['["\\x"]', "1:2 a string that is not well formed"],
    ["1 /* no end", "1:3 a comment that does not end"],
    ["1 2", "1:3 unexpected text after the end"],
    ["[01]", '1:3 expected ",", found "1"'],
    ["'a'", `1:1 expected a value, or a name in double quotes, found "'a'"`],
  ])("refuses %j with its place", (text, fault) => {
    expect(faultOf(text)).toBe(fault);
  });

  test("refuses a depth that would exhaust the stack", () => {
    expect(faultOf("[".repeat(100_000))).toEndWith("nested too deeply");
  });

  test("finds the place of a value, or of what is closest to it", () => {
    const text = '{ "a": [1, { "b": true }] }';
    const root = parseJsonc(text);
    if (root === undefined) throw new Error("no value");
    const textAt = (...path: PropertyKey[]) => {
      const { offset, length } = nodeAt(root, path);
      return text.slice(offset, offset + length);
    };
    expect([textAt("a", 1, "b"), textAt("a", 1, "c"), textAt("a", 0, "x"), textAt()]).toEqual([
      "true",
      '{ "b": true }',
      "1",
      text,
    ]);
  });
});
