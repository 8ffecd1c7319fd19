/** Damaged and hostile files: each is read or refused with an Error, soon, and without asking for the memory it claims. */
import { describe, expect, test } from "bun:test";
import { readBinaryModel } from "../../../src/roblox/binary-reader.ts";
import { readXmlModel } from "../../../src/roblox/xml-reader.ts";
import { generatedDom, mutated } from "./generated.ts";

const MUTATIONS = 300;
/** Of the processor's time, which other programs do not lengthen. */
const MAX_MS = 500;

function outcome(read: () => unknown): string {
  const before = process.cpuUsage();
  const found = plainOutcome(read);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000 < MAX_MS ? found : "slow";
}

function plainOutcome(read: () => unknown): string {
  try {
    read();
    return "read";
  } catch (error) {
    // What a reader did not foresee shows as an error of the language.
    return error instanceof TypeError || error instanceof ReferenceError ? String(error.stack) : "refused";
  }
}

const tally = (outcomes: readonly string[]) => [...new Set(outcomes)].sort();

describe("mutated files", () => {
  for (const compression of ["none", "lz4", "zstd"] as const) {
    test(`binary, ${compression}`, () => {
      const file = generatedDom(11, 60).toBinary({ compression });
      const outcomes = Array.from({ length: MUTATIONS }, (_, seed) =>
        outcome(() => readBinaryModel(mutated(file, seed))),
      );
      expect(tally(outcomes)).toEqual(["read", "refused"]);
    });
  }

  test("XML", () => {
    const file = generatedDom(12, 40).toXml();
    const outcomes = Array.from({ length: MUTATIONS }, (_, seed) =>
      outcome(() => readXmlModel(new TextDecoder().decode(mutated(file, seed)))),
    );
    expect(tally(outcomes)).toEqual(["read", "refused"]);
  });

  test("every truncation of a binary file is refused", () => {
    const file = generatedDom(13, 25).toBinary();
    const end = file.lastIndexOf("PRNT");
    for (let length = 0; length < end; length += 7)
      expect(outcome(() => readBinaryModel(file.subarray(0, length)))).toBe("refused");
  });
});

describe("hostile files", () => {
  const chunk = (name: string, claimed: number, data: Uint8Array, isPacked: boolean): Buffer => {
    const head = Buffer.alloc(16);
    head.write(name, "latin1");
    head.writeUInt32LE(isPacked ? data.length : 0, 4);
    head.writeUInt32LE(claimed, 8);
    return Buffer.concat([head, data]);
  };
  const header = Buffer.concat([Buffer.from("<roblox!\x89\xff\r\n\x1a\n", "latin1"), Buffer.alloc(18)]);
  const readWith =
    (...chunks: Buffer[]) =>
    () =>
      readBinaryModel(Buffer.concat([header, ...chunks]));
  const instances = (count: number): Buffer => {
    const data = Buffer.concat([Buffer.from("\0\0\0\0\x04\0\0\0Part\0", "latin1"), Buffer.alloc(4)]);
    data.writeUInt32LE(count, data.length - 4);
    return chunk("INST", data.length, data, false);
  };

  test("a count of four thousand million Instances is refused at once", () => {
    expect(readWith(instances(0xffff_ffff))).toThrow("the file is cut short");
  });

  test("a part that claims to unpack to gigabytes is refused before it does", () => {
    expect(readWith(chunk("INST", 0xf000_0000, Buffer.alloc(20), true))).toThrow("more than 512 MB");
    expect(readWith(chunk("INST", 0x1000_0000, Buffer.alloc(20), true))).toThrow("impossible size");
  });

  test("a Zstandard part that unpacks to more than it claims is refused", () => {
    const bomb = Bun.zstdCompressSync(Buffer.alloc(100 * 1024 * 1024));
    expect(readWith(chunk("INST", 1000, bomb, true))).toThrow("a compressed part is damaged");
  });

  test("Instances that are their own ancestors are refused", () => {
    const inst = Buffer.from("\0\0\0\0\x04\0\0\0Part\0\x02\0\0\0\0\0\0\0\0\0\0\x02", "latin1");
    const parents = Buffer.from("\0\x02\0\0\0\0\0\0\0\0\0\0\x02\0\0\0\0\0\0\x02\x01", "latin1");
    expect(
      readWith(chunk("INST", inst.length, inst, false), chunk("PRNT", parents.length, parents, false)),
    ).toThrow("their own ancestors");
  });

  test("XML that is nested without end is refused", () => {
    const source = '<roblox version="4">' + '<Item class="Folder">'.repeat(50_000);
    expect(outcome(() => readXmlModel(source))).toBe("refused");
  });
});
