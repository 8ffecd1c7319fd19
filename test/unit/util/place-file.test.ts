/** New files: whole, under names that must be free. */
import { expect, test } from "bun:test";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { placeFileAsync } from "../../../src/util/place-file.ts";
import { systemCodeOf } from "../../../src/util/system-error.ts";
import { writeNewFileAsync } from "../../../src/util/whole-file.ts";

async function inFolderAsync(use: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "sb-place-"));
  try {
    await use(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

const codeOfAsync = async (act: Promise<void>) => systemCodeOf(await act.catch((error: unknown) => error));

test("a file moves to a free name, and stays where the name is taken", () =>
  inFolderAsync(async (folder) => {
    const [one, two] = [join(folder, "one"), join(folder, "two")];
    await writeFile(one, "1");
    await placeFileAsync(one, two);
    expect(await readdir(folder)).toEqual(["two"]);
    await writeFile(one, "other");
    expect(await codeOfAsync(placeFileAsync(one, two))).toBe("EEXIST");
    expect(await readFile(two, "utf8")).toBe("1");
    expect(await readFile(one, "utf8")).toBe("other");
  }));

test("a new file replaces none, and leaves nothing else behind", () =>
  inFolderAsync(async (folder) => {
    const path = join(folder, "new");
    await writeNewFileAsync(path, Buffer.from("1"), 0o600);
    expect(await codeOfAsync(writeNewFileAsync(path, Buffer.from("2")))).toBe("EEXIST");
    expect(await readFile(path, "utf8")).toBe("1");
    expect(await readdir(folder)).toEqual(["new"]);
  }));
