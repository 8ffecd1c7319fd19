import { expect, test } from "bun:test";
import { gitBlobHash } from "../../../src/util/git-blob-hash.ts";

// As `printf 'print(1)\n' | git hash-object --stdin` says.
test("a text has the id that git gives to it", () => {
  expect(gitBlobHash("")).toBe("e69de29bb2d1d6434b8b29ae775ad8c2e48c5391");
  expect(gitBlobHash("what is up, doc?")).toBe("bd9dbf5aae1a3862dd1526723246b20206e5fc37");
  expect(gitBlobHash("ä")).toBe(gitBlobHash(new Uint8Array([0xc3, 0xa4])));
});
