/** Commands that change a place, with --headless: they write the place file that they are told to, whole or not at all. */
import { beforeAll, expect, test } from "bun:test";
import { chmod, mkdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { sandbox } from "../sandbox.ts";

const box = sandbox();
const at = (name: string) => join(box.folder, name);
const sbAsync = (...words: string[]) => box.localSbAsync(words);
const patchAsync = (...words: string[]) => sbAsync(...words, "--headless", "--place", "game.rbxl");
const childrenAsync = async (file: string): Promise<string[]> => {
  const words = ["query", "Workspace.Map", "--children", "--json", "--headless", "--place", file];
  const found: { children: { name: string }[] } = JSON.parse((await sbAsync(...words)).stdout);
  return found.children.map(({ name }) => name);
};

beforeAll(async () => {
  const tree = { $className: "DataModel", Workspace: { Map: { $className: "Folder" } } };
  await box.writeAsync("default.project.json", JSON.stringify({ name: "game", tree }));
  expect((await sbAsync("build", "-o", "game.rbxl")).exitCode).toBe(0);
}, 120_000);

test("--in-place writes the place, --output another file, and a dry run none", async () => {
  const before = await readFile(at("game.rbxl"));
  expect((await patchAsync("new", "Part", "Workspace.Map", "--dry-run")).exitCode).toBe(0);
  const other = await patchAsync("new", "Part", "Workspace.Map", "Name=Other", "-o", "other.rbxlx");
  expect(other).toMatchObject({ exitCode: 0, stderr: expect.stringContaining("other.rbxlx (") });
  expect(await readFile(at("game.rbxl"))).toEqual(before);
  expect(await childrenAsync("other.rbxlx")).toEqual(["Other"]);
  expect((await patchAsync("new", "Part", "Workspace.Map", "Name=Own", "--in-place")).exitCode).toBe(0);
  expect(await childrenAsync("game.rbxl")).toEqual(["Own"]);
  const words = ["new", "Part", "Workspace.Map", "--headless", "--place", "default.project.json"];
  expect((await sbAsync(...words, "-o", "built.rbxl")).exitCode).toBe(0);
  expect(await childrenAsync("built.rbxl")).toEqual(["Part"]);
});

test("a change that fails, and one whose file cannot be written, leave every file as it was", async () => {
  await mkdir(at("folder.rbxl"));
  await box.writeAsync("taken.rbxl", "mine");
  const before = await readFile(at("game.rbxl"));
  const change = ["set", "Workspace.Map", "Name=Changed"];
  await chmod(at("game.rbxl"), 0o444);
  expect((await patchAsync(...change, "--in-place")).stderr).toContain("it is read-only");
  await chmod(at("game.rbxl"), 0o644);
  for (const [words, fault] of [
    [["set", "Workspace.Nothing", "Name=Changed", "--in-place"], "No instance found at path"],
    [[...change, "-o", "folder.rbxl"], "it is a folder"],
    [[...change, "-o", "missing/x.rbxl"], "its folder does not exist"],
    [[...change, "-o", "taken.rbxl"], "The file exists already"],
    [[...change, "-o", "model.rbxm"], "Cannot save a place as"],
    [[...change, "-o", "x.rbxl", "--in-place"], "Cannot use --in-place and --output together."],
    [[...change, "--in-place", "--context", "server"], "A place file holds the edited place"],
  ] as const) {
    const { stderr, exitCode } = await patchAsync(...words);
    expect({ words, stderr, isFailed: exitCode !== 0 }).toEqual({
      words,
      stderr: expect.stringContaining(fault),
      isFailed: true,
    });
  }
  expect(await readFile(at("game.rbxl"))).toEqual(before);
  expect(await readFile(at("taken.rbxl"), "utf8")).toBe("mine");
  expect(await stat(at("x.rbxl")).catch(() => "none")).toBe("none");
});

test("without a file to write they refuse, and the next step is one that they take", async () => {
  await box.writeAsync("main.luau", "return 1");
  expect((await patchAsync("export", "Workspace.Map", "-o", "map.rbxm")).exitCode).toBe(0);
  for (const words of [
    ["set", "Workspace.Map", "Name=X"],
    ["new", "Part", "Workspace"],
    ["rm", "Workspace.Map"],
    ["mv", "Workspace.Map", "ServerStorage"],
    ["insert", "map.rbxm"],
    ["script", "edit", "Workspace.Main", "--file", "main.luau"],
  ]) {
    expect(await sbAsync(...words, "--headless")).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining("--headless needs a place file to change"),
    });
    expect(await patchAsync(...words)).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining("would change game.rbxl and write nothing.\nhint: Add --in-place"),
    });
    expect((await sbAsync(...words, "--in-place")).stderr).toContain(
      "Cannot use --in-place without --headless.",
    );
    const { stderr } = await sbAsync(...words, "--port", String(box.port));
    expect(stderr).toContain("or patch a place file: --headless --place FILE --in-place.");
  }
  for (const command of ["undo", "redo", "select"])
    expect((await sbAsync(command, "--headless")).stderr).toContain("does not take --headless.");
});
