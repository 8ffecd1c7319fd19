import { describe, expect, test } from "bun:test";
import { lz4Decode, lz4Encode } from "../../../src/util/lz4-block.ts";

describe("LZ4 blocks", () => {
  test.each([0, 1, 14, 15, 16, 269, 270, 271, 100_000])("%d bytes survive", (length) => {
    const data = new Uint8Array(length).map((_, index) => index);
    expect(lz4Decode(lz4Encode(data), length)).toEqual(data);
  });

  test.each([15, 16, 269, 270, 5_000])("%d bytes without any repetition survive", (length) => {
    const data = new Uint8Array(
      new Uint32Array(length).map((_, index) => Math.imul(index, 2654435761)).buffer,
    );
    expect(lz4Decode(lz4Encode(data), data.length)).toEqual(data);
  });

  test("overlapping matches repeat what they just wrote", () => {
    const block = new Uint8Array([0x12, 0x61, 1, 0, 0x10, 0x62]);
    expect(new TextDecoder().decode(lz4Decode(block, 8))).toBe("aaaaaaab");
  });

  test("a match that reaches before the start is refused", () => {
    expect(() => lz4Decode(new Uint8Array([0x10, 0x61, 2, 0, 0x10, 0x62]), 6)).toThrow("outside itself");
  });
});
