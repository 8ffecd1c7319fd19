/** What counts of several Studios and of several moments come to. */
import { expect, test } from "bun:test";
import { difference, NOTHING_COUNTED, sumOf } from "../../../src/protocol/caveats.ts";

const counted = (touched: number, meshes: number) => ({
  neverFires: touched === 0 ? [] : [{ event: "BasePart.Touched", connections: touched }],
  approximated: meshes === 0 ? [] : [{ class: "MeshPart", count: meshes }],
});

test("a difference leaves out what has not grown", () => {
  expect(difference(counted(5, 2), counted(3, 2))).toEqual(counted(2, 0));
  expect(difference(counted(5, 2), NOTHING_COUNTED)).toEqual(counted(5, 2));
});

test("a sum has each event once, most connections first", () => {
  const ended = { neverFires: [{ event: "Sound.Ended", connections: 4 }], approximated: [] };
  expect(sumOf([counted(1, 2), ended, counted(2, 1)])).toEqual({
    neverFires: [
      { event: "Sound.Ended", connections: 4 },
      { event: "BasePart.Touched", connections: 3 },
    ],
    approximated: [{ class: "MeshPart", count: 3 }],
  });
});
