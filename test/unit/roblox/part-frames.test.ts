/** Halves of a CFrame: what they make of it, and back. */
import { expect, test } from "bun:test";
import { halvesOf, isSameTurn, withWholeFrame } from "../../../src/roblox/part-frames.ts";
import { schema } from "./rojo/rojo-tree.ts";

const turn = (x: number, y: number, z: number) => ({ type: "Vector3", value: [x, y, z] }) as const;

test.each(["Orientation", "Rotation"] as const)(
  "%s of a CFrame is the turn that made it, at right angles too",
  (name) => {
    for (const x of [-90, -45, 0, 30, 89.99, 90])
      for (const y of [-180, -90, 0, 10.5, 89.99, 90, 135])
        for (const z of [-90, 0, 60, 180]) {
          const made = withWholeFrame(schema, "Part", new Map([[name, turn(x, y, z)]]));
          const frame = made.get("CFrame");
          // Studio keeps a rotation in numbers of 32 bits.
          if (frame?.type !== "CFrame") throw new Error("there is no CFrame");
          const stored = { type: "CFrame", value: frame.value.map(Math.fround) } as const;
          const found = halvesOf(stored).get(name);
          expect(found !== undefined && isSameTurn(name, turn(x, y, z), found)).toBe(true);
          expect(found !== undefined && isSameTurn(name, turn(x, y + 0.1, z), found)).toBe(false);
        }
  },
);
