/** Numbers as Luau writes them, read here and by the plugin alike. */
import { expect, test } from "bun:test";
import { isInDigits, luauNumber } from "../../../src/util/luau-number.ts";
import { BridgePeer } from "../plugin/bridge-peer.ts";

const numbers: readonly (readonly [text: string, number: number])[] = [
  [".5", 0.5],
  ["+.3", 0.3],
  ["-2.", -2],
  ["1e3", 1_000],
  ["-1.5E-2", -0.015],
  ["0x1F", 31],
  ["0b101", 5],
  ["1_000_000", 1_000_000],
  ["007", 7],
  ["inf", Number.POSITIVE_INFINITY],
  ["-math.huge", Number.NEGATIVE_INFINITY],
];
const others = [
  "1e999",
  "-1e999",
  "",
  ".",
  "+",
  "1e",
  "0x",
  "0b2",
  "_1",
  "1 2",
  "five",
  "Infinity",
  "0x1p4",
  "1.2.3",
];

test("a number is read as Luau means it, and what is none or too large is refused", () => {
  for (const [text, number] of numbers) expect([text, luauNumber(text)]).toEqual([text, number]);
  for (const text of others) expect([text, luauNumber(text)]).toEqual([text, undefined]);
  expect(["1e999", "007", "0x1F", "inf", "five"].map(isInDigits)).toEqual([true, true, true, false, false]);
});

test("the plugin reads the same numbers for a property, alone and as parts of a value", async () => {
  using peer = await BridgePeer.connectAsync();
  const askAsync = async (properties: object) => {
    const create = { op: "create", className: "CFrameValue", parent: "Workspace", properties };
    const { items } = await peer.patchAsync([create]);
    return items[0]?.code;
  };
  for (const [text, number] of numbers) {
    const vector = `${text},0,0`;
    const create = [
      {
        op: "create",
        className: "NumberValue",
        parent: "Workspace",
        as: "n",
        properties: { Value: text },
      },
      { op: "set", path: "$n", properties: {}, expect: { properties: { Value: asJson(number) } } },
    ];
    const { items } = await peer.patchAsync(create);
    expect([text, items.map(({ ok, message }) => message ?? ok)]).toEqual([text, [true, true]]);
    expect([vector, await askAsync({ Value: vector })]).toEqual([vector, undefined]);
  }
  for (const text of others)
    expect([text, await askAsync({ Value: `${text},0,0` })]).toEqual([text, "INVALID_VALUE"]);
});

const asJson = (number: number): unknown =>
  Number.isFinite(number) ? number : { type: "number", value: number > 0 ? "inf" : "-inf" };
