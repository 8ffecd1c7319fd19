/** Models that an agent writes below its project: which names it may give, and what is never replaced. */
import { beforeAll, describe, expect, test } from "bun:test";
import { mkdir, mkdtemp, readFile, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readBinary } from "rbx-dom";
import { McpPeer } from "../peers/mcp-peer.ts";
import { sandbox } from "../sandbox.ts";
import { describeDom } from "../unit/roblox/generated.ts";

const box = sandbox({ headless: true });
const inBox = (name: string) => join(box.folder, name);

beforeAll(async () => {
  await box.writeAsync("sb.config.json", "{}");
  await mkdir(inBox("models"));
  const { exitCode } = await box.sbAsync([
    "exec",
    `local tree = Instance.new("Model", workspace) tree.Name = "Tree" Instance.new("Part", tree).Name = "Trunk"`,
  ]);
  expect(exitCode).toBe(0);
}, 120_000);

async function exportAsync(file: string, more: { readonly [key: string]: unknown } = {}) {
  await using peer = new McpPeer(box);
  await peer.initializeAsync();
  const args = { paths: ["Workspace.Tree"], file, ...more };
  const { content, isError = false } = await peer.toolAsync("studio_export", args);
  const [block] = Array.isArray(content) ? content : [];
  return { facts: JSON.parse(block.text), isError };
}

/** Without the state folder and the programs of the sandbox, which others write to. */
const projectFilesAsync = async () =>
  (await readdir(box.folder, { recursive: true })).filter((name) => !/^(state|bin)\b/.test(name)).toSorted();

const namesAsync = async (path: string) => describeDom(readBinary(await readFile(inBox(path)))).join("\n");

test("a new file gets the model, and an existing one stays", async () => {
  const { facts, isError } = await exportAsync("models/tree.rbxm");
  expect({ facts, isError }).toMatchObject({
    facts: { file: "models/tree.rbxm", instances: 2, exported: [{ path: "Workspace.Tree" }] },
    isError: false,
  });
  expect(await namesAsync("models/tree.rbxm")).toContain("Trunk");
  const before = await readFile(inBox("models/tree.rbxm"));
  for (const more of [{}, { overwrite: true }]) {
    const again = await exportAsync("models/tree.rbxm", more);
    expect({ isError: again.isError, code: again.facts.code }).toEqual({ isError: true, code: "FILE_ERROR" });
  }
  expect(await readFile(inBox("models/tree.rbxm"))).toEqual(before);
  expect(await readdir(inBox("models"))).toEqual(["tree.rbxm"]);
});

describe("a name that leads elsewhere is refused, and nothing is written:", () => {
  test.each([
    ["/tmp/tree.rbxm", "INVALID_INPUT"],
    ["../tree.rbxm", "INVALID_INPUT"],
    ["models/../../tree.rbxm", "INVALID_INPUT"],
    [".git/tree.rbxm", "INVALID_INPUT"],
    ["models/.hidden.rbxm", "INVALID_INPUT"],
    ["models\\tree.rbxm", "INVALID_INPUT"],
    ["C:/tree.rbxm", "INVALID_INPUT"],
    ["con.rbxm", "INVALID_INPUT"],
    ["tree.luau", "INVALID_INPUT"],
    ["tree.rbxl", "INVALID_INPUT"],
    ["", "INVALID_INPUT"],
    ["missing/tree.rbxm", "FILE_ERROR"],
    ["sb.config.json/tree.rbxm", "FILE_ERROR"],
  ])("%s", async (file, code) => {
    const before = await projectFilesAsync();
    const { facts, isError } = await exportAsync(file, { overwrite: true });
    expect({ isError, code: facts.code }).toEqual({ isError: true, code });
    expect(await projectFilesAsync()).toEqual(before);
  });

  test.skipIf(process.platform === "win32")("a link to a folder outside, or to a file", async () => {
    const outside = await mkdtemp(join(tmpdir(), "sb-outside-"));
    try {
      await writeFile(join(outside, "theirs.rbxm"), "theirs");
      await symlink(outside, inBox("way"));
      await symlink(join(outside, "theirs.rbxm"), inBox("link.rbxm"));
      for (const file of ["way/tree.rbxm", "way/theirs.rbxm", "link.rbxm"])
        expect((await exportAsync(file, { overwrite: true })).isError).toBe(true);
      expect(await readdir(outside)).toEqual(["theirs.rbxm"]);
      expect(await readFile(join(outside, "theirs.rbxm"), "utf8")).toBe("theirs");
    } finally {
      await rm(inBox("way"), { force: true });
      await rm(inBox("link.rbxm"), { force: true });
      await rm(outside, { recursive: true });
    }
  });
});

describe.skipIf(Bun.which("git") === null)("a model that git keeps", () => {
  const gitAsync = async (...words: readonly string[]) => {
    const identity = ["-c", "user.name=a", "-c", "user.email=a@example.invalid", "-c", "core.autocrlf=false"];
    const child = Bun.spawn(["git", ...identity, ...words], {
      cwd: box.folder,
      env: box.env(),
      stdout: "ignore",
    });
    expect(await child.exited).toBe(0);
  };

  test("is replaced with overwrite while it is as it was committed, and only then", async () => {
    await gitAsync("init", "-q");
    await writeFile(inBox("models/kept.rbxm"), "first");
    expect((await exportAsync("models/kept.rbxm", { overwrite: true })).facts.error).toContain(
      "git has not committed it",
    );
    await gitAsync("add", "models/kept.rbxm");
    await gitAsync("commit", "-q", "-m", "a");
    expect((await exportAsync("models/kept.rbxm")).isError).toBe(true);
    await writeFile(inBox("models/kept.rbxm"), "second");
    expect((await exportAsync("models/kept.rbxm", { overwrite: true })).facts.error).toContain(
      "it has changed since it was committed",
    );
    expect(await readFile(inBox("models/kept.rbxm"), "utf8")).toBe("second");
    await writeFile(inBox("models/kept.rbxm"), "first");
    expect((await exportAsync("models/kept.rbxm", { overwrite: true })).isError).toBe(false);
    expect(await namesAsync("models/kept.rbxm")).toContain("Trunk");
  });
});

test("paths are checked, and a server that only looks has no such tool", async () => {
  expect((await exportAsync("a.rbxm", { paths: [] })).facts.error).toBe("paths is empty.");
  expect((await exportAsync("a.rbxm", { paths: ["game"] })).isError).toBe(true);
  expect((await exportAsync("a.rbxm", { paths: ["Workspace.Nothing"] })).facts.code).toBe(
    "INSTANCE_NOT_FOUND",
  );
  await using reader = new McpPeer(box, ["--read-only"]);
  await reader.initializeAsync();
  const { result } = await reader.requestAsync("tools/list");
  const names = Object(result).tools.map(({ name }: { name: string }) => name);
  expect(names).not.toContain("studio_export");
});
