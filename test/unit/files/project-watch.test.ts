/** Which changes on disk a watched sync hears of. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdir, mkdtemp, realpath, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { ProjectWatch } from "../../../src/files/project-watch.ts";
import { PATIENCE_MS } from "../../harness.ts";

let folder: string;
let told: string[][];
let toldAtMs: number[];
let watching: ProjectWatch;

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "sb-watch-")));
  await mkdir(join(folder, "src", "deep"), { recursive: true });
  await mkdir(join(folder, "src", ".git"), { recursive: true });
  await writeFile(join(folder, "default.project.json"), "{}");
  told = [];
  toldAtMs = [];
  const paths = {
    folders: [join(folder, "src"), join(folder, "src", "deep")],
    files: [join(folder, "default.project.json")],
  };
  watching = new ProjectWatch(paths, (changed) => {
    told.push(changed.map((path) => relative(folder, path)).sort());
    toldAtMs.push(performance.now());
  });
});
afterEach(async () => {
  watching[Symbol.dispose]();
  await rm(folder, { recursive: true, force: true });
});

async function untilToldAsync(path: string): Promise<void> {
  const startedMs = performance.now();
  while (!told.some((paths) => paths.includes(path))) {
    if (performance.now() - startedMs > PATIENCE_MS) throw new Error(`no ${path} in ${JSON.stringify(told)}`);
    await Bun.sleep(1);
  }
}

const writeAsync = (path: string, text: string) => writeFile(join(folder, path), text);

test("hears of files in folders of any depth, also of new ones, and of files that take the place of others", async () => {
  await writeAsync("src/a.luau", "1");
  await untilToldAsync("src/a.luau");
  await mkdir(join(folder, "src/new/newer"), { recursive: true });
  await writeAsync("src/new/newer/b.luau", "1");
  await untilToldAsync("src/new/newer/b.luau");
  await writeAsync("src/deep/c.tmp", "1");
  await rename(join(folder, "src/deep/c.tmp"), join(folder, "src/deep/c.luau"));
  await untilToldAsync("src/deep/c.luau");
  await rm(join(folder, "src/deep/c.luau"));
  await writeAsync("default.project.json", "{ }");
  await untilToldAsync("default.project.json");
});

test("tells many changes together, and the next ones a tenth of a second later at the earliest", async () => {
  const names = [...Array.from({ length: 50 }, (_, index) => `src/f${index}.luau`), "src/later.luau"];
  await Promise.all(names.slice(0, -1).map((name) => writeAsync(name, "1")));
  await untilToldAsync("src/f49.luau");
  await writeAsync("src/later.luau", "1");
  for (const name of names) await untilToldAsync(name);
  expect(told.length).toBeGreaterThan(1);
  const gapsMs = toldAtMs.slice(1).map((atMs, index) => atMs - (toldAtMs[index] ?? 0));
  expect(Math.min(...gapsMs)).toBeGreaterThan(95);
});

test("hears of files in a folder that was removed and made again, or put in the place of the watched one", async () => {
  const src = join(folder, "src");
  await rm(src, { recursive: true });
  await untilToldAsync("src");
  await mkdir(src);
  const untilHeardAsync = async (path: string) => {
    for (let count = 0; !told.flat().includes(path); count++) {
      await writeAsync(path, String(count));
      await Bun.sleep(20);
    }
  };
  await untilHeardAsync("src/again.luau");
  await mkdir(join(folder, "other"));
  await rename(src, join(folder, "old"));
  await rename(join(folder, "other"), src);
  await untilHeardAsync("src/replaced.luau");
});

test("does not hear of git's files, of neighbours of the project file, or of anything after its end", async () => {
  await writeAsync("src/.git/index", "1");
  await writeAsync("notes.txt", "1");
  await writeAsync("src/last.luau", "1");
  await untilToldAsync("src/last.luau");
  expect(told.flat().filter((path) => path !== "src/last.luau")).toEqual([]);
  watching[Symbol.dispose]();
  await writeAsync("src/after.luau", "1");
  await Bun.sleep(50);
  expect(told.flat()).not.toContain("src/after.luau");
});

test("an empty file is told when its writer has had time to fill it", async () => {
  const startedMs = performance.now();
  await writeAsync("src/empty.luau", "");
  await untilToldAsync("src/empty.luau");
  expect(performance.now() - startedMs).toBeGreaterThan(95);
});

test("a folder that cannot be watched is an error that names it", () => {
  const missing = join(folder, "missing");
  expect(() => new ProjectWatch({ folders: [missing], files: [] }, () => undefined)).toThrow(
    expect.objectContaining({
      code: "FILE_ERROR",
      message: `Could not watch ${missing}: a part of the path does not exist`,
      hint: expect.stringContaining("--watch"),
    }),
  );
});
