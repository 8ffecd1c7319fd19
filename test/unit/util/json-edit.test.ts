/** Edits of JSON texts: the value is as if it had been set in the data, and comments and other values stay. */
import { expect, test } from "bun:test";
import { jsonAt, type JsonValue, removeJson, setJson } from "../../../src/util/json-edit.ts";
import { parseJsonc, valueOf } from "../../../src/util/jsonc.ts";
import { randomFrom } from "../roblox/generated.ts";

const random = randomFrom(11);
const int = (limit: number) => Math.floor(random() * limit);
const KEYS = ["a", "b", "odd key", "__proto__"];

function valueOfDepth(depth: number): JsonValue {
  const kind = int(depth === 0 ? 3 : 5);
  if (kind === 0) return [0, -0, 1.5, 9007199254740993n][int(4)] ?? 0;
  if (kind === 1) return ["", "x // no comment", 'q"}'][int(3)] ?? "";
  if (kind === 2) return int(2) === 0;
  if (kind === 3) return Array.from({ length: int(3) }, () => valueOfDepth(depth - 1));
  return Object.fromEntries(KEYS.filter(() => int(2) === 0).map((key) => [key, valueOfDepth(depth - 1)]));
}

/** A text of a value with comments, blanks and trailing commas at random places. */
function written(value: JsonValue): string {
  const gap = () => ["", " ", "\n  ", " /* c */ ", " // c\n"][int(5)] ?? "";
  if (typeof value === "bigint" || Object.is(value, -0)) return Object.is(value, -0) ? "-0" : String(value);
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const parts = Array.isArray(value)
    ? value.map((part: JsonValue) => gap() + written(part) + gap())
    : Object.entries(value).map(
        ([key, part]) => `${gap()}${JSON.stringify(key)}:${gap()}${written(part)}${gap()}`,
      );
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  return `${open}${parts.join(",")}${parts.length > 0 && int(3) === 0 ? "," : ""}${gap()}${close}`;
}

const comments = (text: string) => text.replace(/"(?:[^"\\]|\\.)*"/g, '""').match(/\/\*|\/\//g)?.length ?? 0;

test("a value is set and removed in any text, and all comments stay", () => {
  for (let count = 0; count < 1500; count++) {
    const inner = valueOfDepth(2);
    const text = written({ first: inner, last: valueOfDepth(1) });
    const value = valueOfDepth(2);
    const set = setJson(text, ["new", "deep"], value);
    expect(jsonAt(set, ["new", "deep"])).toEqual(value);
    expect(jsonAt(set, ["first"])).toEqual(inner);
    expect(comments(set)).toBe(comments(text));
    expect(setJson(set, ["new", "deep"], value)).toBe(set);
    const removed = removeJson(set, ["new"]);
    expect(jsonAt(removed, [])).toEqual(jsonAt(text, []));
    expect(comments(removed)).toBe(comments(text));
    expect(jsonAt(setJson(text, ["last"], value), ["last"])).toEqual(value);
  }
});

test("elements of lists are set, added and removed", () => {
  const text = '{ "list": [1, 2 /* two */] }';
  expect(setJson(text, ["list", 2], 3)).toBe('{ "list": [1, 2 /* two */, 3] }');
  expect(setJson(text, ["list", 0], -1)).toBe('{ "list": [-1, 2 /* two */] }');
  expect(removeJson(text, ["list", 0])).toBe('{ "list": [2 /* two */] }');
});

test("an empty file gets the objects on the way, and one of comments keeps them", () => {
  expect(setJson("", ["a", "b"], [1, 2])).toBe('{\n  "a": {\n    "b": [1, 2]\n  }\n}\n');
  expect(setJson("// why\r\n", ["a"], 1)).toBe('// why\r\n{\r\n  "a": 1\r\n}\r\n');
});

test("numbers that a double cannot hold stay as they are", () => {
  const text = '{"a":9007199254740993,"b":1}';
  expect(setJson(text, ["a"], 9007199254740992n)).toBe('{"a":9007199254740992,"b":1}');
  expect(setJson(text, ["a"], 9007199254740993n)).toBe(text);
  expect(setJson(text, ["b"], 2)).toBe('{"a":9007199254740993,"b":2}');
});

test("what is no object or list on the way is refused", () => {
  expect(() => setJson('{"a":1}', ["a", "b"], 1)).toThrow("expected an object");
  expect(() => setJson('{"a":{}}', ["a", 0], 1)).toThrow("expected a list");
  expect(valueOf(parseJsonc(removeJson('{"a":1}', ["b"])) ?? { type: "null", offset: 0, length: 0 })).toEqual(
    { a: 1 },
  );
});
