/** Which folder a command takes for its project, and which files an agent reads there. */
import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { mkdir, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { projectFolderAsync, wideFolder } from "../../../src/project/project-folder.ts";
import { checkSourcesAsync, readableFileAsync } from "../../../src/project/readable-file.ts";

let top: string;
beforeAll(async () => {
  top = await realpath(await mkdtemp(join(tmpdir(), "sb-folder-")));
});
beforeEach(async () => {
  await rm(top, { recursive: true });
  for (const name of ["games/obby", "games/tycoon", "apps"])
    await mkdir(join(top, name), { recursive: true });
});
afterAll(async () => {
  await rm(top, { recursive: true });
});

/** The root of the disk stays what it is. */
const at = (path: string) => (path === "/" ? path : join(top, path));
const write = (path: string, text = "{}") => Bun.write(at(path), text);

/** An agent whose server was started in the first folder, and whose client shares the others. */
const agent = (own: string, ...others: string[]) => ({
  fileRoots: { own: at(own), othersAsync: async () => others.map(at) },
});

const linux = { platform: "linux", home: "/srv/ada" } as const;
const windows = { platform: "win32", home: "D:\\People\\Ada" } as const;
test.each([
  ["/", linux, "the root of a disk"],
  ["/mnt/c", linux, "the root of a disk"],
  ["/Volumes/Games", { ...linux, platform: "darwin" }, "the root of a disk"],
  ["/srv/ada", linux, "a home folder"],
  ["/root", linux, "a home folder"],
  ["/home/eve", linux, "a home folder"],
  ["/srv", linux, "a folder around your home folder"],
  ["/srv/ada/game", linux, undefined],
  ["/srv/ada2", linux, undefined],
  ["/work/game", { ...linux, home: undefined }, undefined],
  ["C:\\", windows, "the root of a disk"],
  ["\\\\server\\share\\", windows, "the root of a disk"],
  ["d:\\people\\ada", windows, "a home folder"],
  ["D:\\People", windows, "a folder around your home folder"],
  ["C:\\Users\\Eve", windows, "a home folder"],
  ["D:\\People\\Ada\\Game", windows, undefined],
  ["E:\\Game", windows, undefined],
] as const)("%s", (folder, machine, kind) => {
  expect(wideFolder(folder, machine)).toBe(kind);
});

test("an agent's project is that of its server, else the only one that its client shares", async () => {
  const [obby, tycoon] = ["games/obby", "games/tycoon"];
  const refusal = { code: "INVALID_INPUT", agentHint: expect.stringContaining("sb mcp --project DIR") };
  await expect(projectFolderAsync(agent("/"))).rejects.toMatchObject(refusal);
  await expect(projectFolderAsync(agent("/", "/"))).rejects.toMatchObject(refusal);
  // No folder has a project file.
  expect(await projectFolderAsync(agent("/", obby))).toBe(at(obby));
  expect(await projectFolderAsync(agent("apps", obby))).toBe(at("apps"));
  await write(`${obby}/default.project.json`);
  expect(await projectFolderAsync(agent("apps", tycoon, obby))).toBe(at(obby));
  await write(`${tycoon}/sb.config.json`);
  await expect(projectFolderAsync(agent("apps", tycoon, obby))).rejects.toMatchObject({
    ...refusal,
    message: `The client shares several projects: ${at(tycoon)}, ${at(obby)}.`,
  });
  expect(await projectFolderAsync(agent(obby, tycoon))).toBe(at(obby));
});

test("an agent reads files of projects alone, by names that start from any of them", async () => {
  const kind = { noun: "model", names: "a model", isOne: () => true };
  await write("private.rbxm");
  await write("games/obby/map.rbxm");
  const reader = agent("/", "games/obby");
  expect(await readableFileAsync("map.rbxm", kind, reader)).toBe(at("games/obby/map.rbxm"));
  for (const name of ["private.rbxm", "../../private.rbxm", at("private.rbxm")])
    await expect(readableFileAsync(name, kind, reader)).rejects.toMatchObject({ code: "FILE_ERROR" });
  await checkSourcesAsync("a place", [at("games/obby/map.rbxm")], reader);
  await expect(checkSourcesAsync("a place", [at("private.rbxm")], reader)).rejects.toMatchObject({
    code: "FILE_ERROR",
  });
  await expect(readableFileAsync("private.rbxm", kind, agent("/"))).rejects.toMatchObject({
    agentHint: expect.stringContaining("This server has no project. Have the user start the server"),
  });
});
