import { describe, expect, test } from "bun:test";
import { lz4Decode, lz4EncodeLiteral } from "../../../src/util/lz4-block.ts";
import { readRbxm, writeRbxm } from "../../../src/studio/rbxm.ts";
import type { RbxmInstance, RbxmValue } from "../../../src/studio/rbxm.ts";

const text = (value: string): RbxmValue => ({ type: "string", value });
const make = (
  className: string,
  properties: [string, RbxmValue][],
  children: RbxmInstance[] = [],
): RbxmInstance => ({
  className,
  properties: new Map(properties),
  children,
});
const moduleScript = (name: string, source: string) =>
  make("ModuleScript", [
    ["Name", text(name)],
    ["Source", text(source)],
  ]);

const tree = make(
  "Folder",
  [["Name", text("StudioBridge")]],
  [
    make("Script", [
      ["Name", text("Main")],
      ["Source", text('print("hi")\n')],
      ["RunContext", { type: "enum", value: 0 }],
    ]),
    moduleScript("Json", "return {}\n"),
    make("Folder", [["Name", text("actions")]], [moduleScript("Exec", "return 1\n")]),
  ],
);

const goldenAsync = (name: string) => Bun.file(`${import.meta.dir}/../../golden/rbxm/${name}`).bytes();

describe("the binary model format", () => {
  test("uncompressed output equals the golden file byte by byte", async () => {
    expect(Buffer.from(writeRbxm([tree], "none"))).toEqual(
      Buffer.from(await goldenAsync("example-raw.rbxm")),
    );
  });

  test("literal LZ4 output equals the golden file byte by byte", async () => {
    expect(Buffer.from(writeRbxm([tree]))).toEqual(Buffer.from(await goldenAsync("example-lz4lit.rbxm")));
  });

  test("both golden files read back as the tree", async () => {
    for (const name of ["example-raw.rbxm", "example-lz4lit.rbxm"]) {
      expect(readRbxm(await goldenAsync(name))).toEqual([tree]);
    }
  });

  test("every truncation is refused with an error", () => {
    const file = writeRbxm([tree]);
    const end = file.length - 25;
    for (let length = 0; length < end; length++)
      expect(() => readRbxm(file.subarray(0, length))).toThrow(Error);
  });

  test("a length field that promises gigabytes is refused without allocating them", () => {
    const lie = writeRbxm([tree]).slice();
    lie.set([0xff, 0xff, 0xff, 0x7f], 40);
    expect(() => readRbxm(lie)).toThrow("impossible size");
  });
});

describe("LZ4 blocks", () => {
  test.each([0, 1, 14, 15, 16, 269, 270, 271, 100_000])("literals of %d bytes survive", (length) => {
    const data = new Uint8Array(length).map((_, index) => index);
    expect(lz4Decode(lz4EncodeLiteral(data), length)).toEqual(data);
  });

  test("overlapping matches repeat what they just wrote", () => {
    const block = new Uint8Array([0x12, 0x61, 1, 0, 0x10, 0x62]);
    expect(new TextDecoder().decode(lz4Decode(block, 8))).toBe("aaaaaaab");
  });

  test("a match that reaches before the start is refused", () => {
    expect(() => lz4Decode(new Uint8Array([0x10, 0x61, 2, 0, 0x10, 0x62]), 6)).toThrow("outside itself");
  });
});
