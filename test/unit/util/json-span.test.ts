import { expect, test } from "bun:test";
import { jsonSpan } from "../../../src/util/json-span.ts";

const path = ["payload", "action", "payload"];

function slice(text: string, at: readonly string[] = path): string | undefined {
  JSON.parse(text);
  const span = jsonSpan(text, at);
  return span === undefined ? undefined : text.slice(span.start, span.end);
}

test.each([
  ['{"payload":{"action":{"type":"x","payload":{"a":[1,{"b":"}"}]}}}}', '{"a":[1,{"b":"}"}]}'],
  [' { "payload" : { "action" : { "payload" :  -1.5e3 , "z" : 0 } } } ', "-1.5e3"],
  ['{"payload":{"action":{"payload":"a\\"},\\\\"}}}', '"a\\"},\\\\"'],
  ['{"x":"\\\\","payload":{"y":["]"],"action":{"payload":[]}}}', "[]"],
  ['{"\\u0070ayload":{"action":{"payload":null}}}', "null"],
  ['{"payload":1,"payload":{"action":{"payload":1},"action":{"payload":2,"payload":3}}}', "3"],
  ['{"payload":{"action":{"type":"x"}}}', undefined],
  ['{"payload":{"action":[{"payload":1}]}}', undefined],
  ["{}", undefined],
  ["[]", undefined],
  ['"payload"', undefined],
])("the member of %s", (text, expected) => {
  expect(slice(text)).toBe(expected);
});

test("agrees with JSON.parse on generated text", () => {
  let seed = 42;
  const random = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    return seed % below;
  };
  const strings = ["", "a", '"', "\\", '\\"', "{", "]", ",", ":", "\n", "é😀", "payload"];
  const value = (depth: number): unknown => {
    const kind = random(depth > 3 ? 4 : 6);
    if (kind === 0) return null;
    if (kind === 1) return random(2) === 0;
    if (kind === 2) return random(1_000) - 500.25;
    if (kind === 3) return strings[random(strings.length)];
    const items = Array.from({ length: random(4) }, () => value(depth + 1));
    return kind === 4
      ? items
      : Object.fromEntries(items.map((item) => [strings[random(strings.length)], item]));
  };
  for (let round = 0; round < 500; round += 1) {
    const wanted = value(0);
    const text = JSON.stringify(
      { before: value(0), payload: { q: value(0), action: { payload: wanted, after: value(0) } } },
      null,
      random(3),
    );
    expect(JSON.parse(slice(text) ?? "")).toEqual(wanted);
  }
});
