import { afterAll, expect, test } from "bun:test";
import { mkdtemp, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { newToClientAsync } from "../../../src/check/told-findings.ts";
import type { Finding } from "../../../src/check/finding.ts";

const folder = await mkdtemp(join(tmpdir(), "sb-told-"));
afterAll(() => rm(folder, { recursive: true }));

async function fileAsync(name: string, mtime: Date): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, "");
  await utimes(path, mtime, mtime);
  return path;
}
const finding = (file: string, message: string): Finding => ({
  file,
  line: 1,
  column: 1,
  endLine: 1,
  endColumn: 1,
  severity: "error",
  code: "TypeError",
  message,
});
const PAST = new Date(Date.now() - 3_600_000);
const FUTURE = new Date(Date.now() + 3_600_000);

test("a client is told all at first and then what is new, until that is mended", async () => {
  const [a, b, c] = [await fileAsync("a", PAST), await fileAsync("b", PAST), await fileAsync("c", FUTURE)];
  const tellAsync = async (client: string, paths: readonly string[], findings: readonly Finding[]) =>
    (await newToClientAsync(client, "types", { paths, nameOf: basename, findings })).map(
      ({ file, message }) => `${file} ${message}`,
    );
  expect(await tellAsync("one", [a], [finding("a", "old")])).toEqual(["a old"]);
  expect(await tellAsync("one", [a], [finding("a", "old")])).toEqual([]);
  const later = [
    finding("a", "old"),
    finding("a", "new"),
    finding("b", "there before"),
    finding("c", "made since"),
  ];
  expect(await tellAsync("one", [a, b, c], later)).toEqual(["a new", "b there before", "c made since"]);
  expect(await tellAsync("one", [a, b, c], later)).toEqual(["a new", "c made since"]);
  expect(await tellAsync("two", [a], [finding("a", "old")])).toEqual(["a old"]);
});
