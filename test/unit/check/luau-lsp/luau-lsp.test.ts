import { afterAll, expect, test } from "bun:test";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findLuauLspAsync } from "../../../../src/check/luau-lsp/find-luau-lsp.ts";
import { luauLspAsync } from "../../../../src/check/luau-lsp/luau-lsp.ts";
import { writeStandInAsync } from "../../../peers/luau-lsp-peer.ts";

const folder = await mkdtemp(join(tmpdir(), "sb-luau-lsp-"));
afterAll(() => rm(folder, { recursive: true }));
const { signal } = new AbortController();
const search = { folder, forbidden: [], signal };

test("a checker that hangs is ended at the time limit", async () => {
  const program = await writeStandInAsync(folder, "hang");
  const file = join(folder, "a.luau");
  await writeFile(file, "return 1\n");
  const checker = await luauLspAsync({ ...search, environment: { SB_LUAU_LSP: program } });
  const job = { folder, files: [file], sourcemap: undefined, definitions: "--#METADATA#{}", signal };
  expect(checker.checkAsync({ ...job, timeoutMs: 300 })).rejects.toMatchObject({
    code: "CHECK_FAILED",
    message: "luau-lsp did not check: it did not end within 0.3 seconds.",
  });
});

test("an agent starts no program that lies in the project, neither by PATH nor by a link", async () => {
  const [project, outside] = [join(folder, "project"), join(folder, "outside")];
  await mkdir(join(project, "bin"), { recursive: true });
  await mkdir(outside);
  await mkdir(join(folder, "links"));
  const inside = await writeStandInAsync(join(project, "bin"));
  const other = await writeStandInAsync(outside);
  await symlink(inside, join(folder, "links", "luau-lsp"));
  const forbidden = { ...search, forbidden: [project] };
  const path = (...parts: readonly string[]) => ({ PATH: parts.join(":") });
  const refused = [join(project, "bin"), join(folder, "links"), "bin", ""];
  expect(findLuauLspAsync({ ...forbidden, environment: path(...refused) })).rejects.toMatchObject({
    code: "CHECKER_NOT_FOUND",
  });
  expect(findLuauLspAsync({ ...forbidden, environment: { SB_LUAU_LSP: inside } })).rejects.toThrow(
    `it lies in ${project}, and an agent starts nothing from there.`,
  );
  const found = await findLuauLspAsync({ ...forbidden, environment: path(...refused, outside) });
  expect(found).toEqual({ program: other, version: "1.70.0" });
  // A person may.
  expect(await findLuauLspAsync({ ...search, environment: path(join(project, "bin")) })).toMatchObject({
    program: inside,
  });
});
