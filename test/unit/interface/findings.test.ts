import { describe, expect, test } from "bun:test";
import type { Interface, InterfaceObject } from "../../../src/interface/boxes.ts";
import { findingsIn, type Rule } from "../../../src/interface/findings.ts";
import { objectLine, seenObjects } from "../../../src/interface/interface-lines.ts";

type Given = Partial<InterfaceObject> & Pick<InterfaceObject, "box">;

function interfaceOf(...given: readonly Given[]): Interface {
  const objects = given.map((each, index) => ({
    path: `Menu.O${index}`,
    id: `@${index}`,
    name: `O${index}`,
    className: "Frame",
    seen: each.box,
    isPressable: false,
    isInteractable: true,
    sinks: each.isPressable === true,
    ...each,
  }));
  return { root: "Menu", screen: [0, -58, 1280, 720], objects, total: objects.length };
}

const found = (read: Interface, ...ignored: readonly Rule[]) =>
  findingsIn(read, ignored).map(({ rule, id }) => `${rule} ${id}`);
const button = (box: InterfaceObject["box"], more: Partial<InterfaceObject> = {}) => ({
  box,
  isPressable: true,
  className: "TextButton",
  ...more,
});

describe("a finding is", () => {
  test("a text that needs more room, but not of an object without a text or without a size", () => {
    const text = { text: "long", textFits: false };
    expect(found(interfaceOf({ box: [0, 0, 9, 9], ...text }))).toEqual(["text-does-not-fit @0"]);
    expect(found(interfaceOf({ box: [0, 0, 9, 9], text: "", textFits: false }))).toEqual([]);
  });

  test("a visible object without a size that has something in it", () => {
    expect(found(interfaceOf({ box: [0, 0, 0, 9] }, { box: [0, 0, 9, 9], parent: 0 }))).toEqual([
      "zero-size @0",
    ]);
    expect(found(interfaceOf({ box: [0, 0, 0, 9], text: "a" }))).toEqual(["zero-size @0"]);
    expect(found(interfaceOf({ box: [0, 0, 0, 0] }))).toEqual([]);
  });

  test("an object off the screen, and what is in it only once", () => {
    const off = interfaceOf({ box: [1280, 0, 9, 9] }, { box: [1281, 0, 5, 5], parent: 0 });
    expect(found(off)).toEqual(["off-screen @0"]);
    expect(found(interfaceOf({ box: [0, -58, 9, 9] }, { box: [0, -70, 9, 12] }))).toEqual(["off-screen @1"]);
  });

  test("two buttons that share a quarter of the smaller one, but not a button in another", () => {
    const overlap = interfaceOf(button([0, 0, 100, 100]), button([75, 0, 100, 100]));
    expect(found(overlap, "covered")).toEqual(["buttons-overlap @1"]);
    expect(found(interfaceOf(button([0, 0, 100, 100]), button([76, 0, 100, 100])))).toEqual([]);
    expect(
      found(interfaceOf(button([0, 0, 100, 100]), button([0, 0, 50, 50], { parent: 0 })), "covered"),
    ).toEqual([]);
  });

  test("a button whose middle something above takes, but not what lets a press through or is in it", () => {
    const under = button([0, 0, 10, 10]);
    expect(found(interfaceOf(under, { box: [4, 4, 9, 9], sinks: true }))).toEqual(["covered @0"]);
    expect(found(interfaceOf(under, { box: [4, 4, 9, 9] }))).toEqual([]);
    expect(found(interfaceOf(under, { box: [6, 6, 9, 9], sinks: true }))).toEqual([]);
    expect(found(interfaceOf(under, { box: [0, 0, 9, 9], sinks: true, parent: 0 }))).toEqual([]);
  });
});

test("SbIgnore leaves out a rule, or all, of an object and of what is in it", () => {
  const text = { box: [0, 0, 9, 9] as InterfaceObject["box"], text: "long", textFits: false };
  expect(found(interfaceOf({ ...text, ignores: "all" }))).toEqual([]);
  expect(found(interfaceOf({ ...text, ignores: "text-does-not-fit" }))).toEqual([]);
  expect(found(interfaceOf({ ...text, ignores: "covered" }))).toEqual(["text-does-not-fit @0"]);
  expect(found(interfaceOf({ box: [0, 0, 9, 9], ignores: "all" }, { ...text, parent: 0 }))).toEqual([]);
});

describe("a line", () => {
  const linesOf = (read: Interface, interactiveOnly = false) =>
    seenObjects(read, interactiveOnly).map(objectLine);

  test("stays one line whatever a text is, and cuts no character in half", () => {
    const read = interfaceOf(
      { box: [0, 0, 1, 1], text: 'a\n"b"\u001b[31m\u202e' },
      { box: [0, 0, 1, 1], text: `${"x".repeat(38)}😀and more` },
    );
    expect(linesOf(read)).toEqual([
      '@0 Frame "a\\n\\"b\\"\\u001b[31m\\u202e" 0,0,1,1',
      `@1 Frame "${"x".repeat(38)}…" 0,0,1,1`,
    ]);
  });

  test("says where an object is, and why a press does not reach it", () => {
    const read = interfaceOf(
      { box: [0, 0, 400.4, 300] },
      button([10, 20, 200, 50], { text: "Play", parent: 0 }),
      button([10, 80, 60, 20], { text: "Quit", isInteractable: false }),
      button([5000, 0, 5, 5]),
      { box: [10, 20, 200, 50], sinks: true },
    );
    expect(linesOf(read)).toEqual([
      "@0 Frame O0 0,0,400,300",
      '@1 TextButton "Play" 10,20,200,50 covered by @4',
      '@2 TextButton "Quit" 10,80,60,20 not interactable',
      "@3 TextButton O3 5000,0,5,5 off screen",
      "@4 Frame O4 10,20,200,50",
    ]);
    expect(linesOf(read, true)).toHaveLength(3);
  });

  test("leaves out what is clipped away, and cuts a long text", () => {
    const read = interfaceOf(
      { box: [0, 0, 9, 9], seen: [0, 0, 0, 9] },
      button([0, 0, 9, 9], { text: `${"x".repeat(60)}\n` }),
    );
    expect(linesOf(read)).toEqual([`@1 TextButton "${"x".repeat(39)}…" 0,0,9,9 pressable`]);
  });

  test("of a hundred objects take 4 KB", () => {
    const objects = Array.from({ length: 100 }, (_, index) =>
      button([10, index * 20, 90, 18], { id: `@${1000 + index}` }),
    );
    const bytes = Buffer.byteLength(linesOf(interfaceOf(...objects)).join("\n"));
    expect(bytes).toBeLessThanOrEqual(4 * 1024 + 512);
  });
});
