/** Edits of scripts that are checked for new type errors, in a place without a project. */
import { beforeAll, beforeEach, expect, test } from "bun:test";
import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { binaryPath } from "../../build.ts";
import { writeStandInAsync } from "../peers/luau-lsp-peer.ts";
import { StdioPeer } from "../peers/mcp-peer.ts";
import { sandbox } from "../sandbox.ts";

const box = sandbox({ headless: true });
const [tools, tmp, record] = ["tools", "tmp", "record.jsonl"].map((name) => join(box.folder, name));

const PLACE = `
game.ReplicatedStorage:ClearAllChildren()
local function script(name, source)
  local made = Instance.new("ModuleScript")
  made.Name = name
  made.Source = source
  made.Parent = game.ReplicatedStorage
end
script("Old", "return 1 --! TypeError: old\\n")
script("User [1]/x", "require(script.Parent.Old) --! TypeError: of the user\\n")`;

beforeAll(async () => {
  for (const folder of [tools, tmp, join(box.folder, "work/bin")])
    await mkdir(folder ?? "", { recursive: true });
  await writeStandInAsync(tools ?? "");
  await writeStandInAsync(join(box.folder, "work/bin"));
});
beforeEach(async () => {
  await rm(record ?? "", { force: true });
  const { stderr, exitCode } = await box.sbAsync(["exec", PLACE]);
  expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 0 });
}, 120_000);

const start = (folder = tools) =>
  new StdioPeer([binaryPath, "mcp", "--port", String(box.port)], {
    cwd: join(box.folder, "work"),
    env: box.env({ PATH: `${folder}:/usr/bin:/bin`, STAND_IN_RECORD: record ?? "", TMPDIR: tmp ?? "" }),
  });

const sourceAsync = async () => (await box.sbAsync(["script", "read", "ReplicatedStorage.Old"])).stdout;

async function editAsync(peer: StdioPeer, source: string, more: object = {}) {
  const edits = [{ path: "ReplicatedStorage.Old", source }];
  const { structuredContent } = await peer.toolAsync("studio_edit_script", {
    edits,
    check: "types",
    ...more,
  });
  return Object(structuredContent);
}

async function analysesAsync(): Promise<number> {
  const lines = (await Bun.file(record ?? "").text()).trim().split("\n");
  return lines.filter((line) => line.includes('"analyze"')).length;
}

test("an edit with a new type error is refused, and one with only old ones is made", async () => {
  await using peer = start();
  await peer.initializeAsync();
  const refused = await editAsync(peer, "--! TypeError: old\nreturn 2 --! TypeError: new\n");
  expect(refused).toMatchObject({
    ok: false,
    items: [
      {
        ok: false,
        code: "TYPE_ERROR",
        message: "It brings a new type error. ReplicatedStorage.Old, line 2: new",
      },
    ],
    findings: [
      { file: "ReplicatedStorage.Old", line: 2, severity: "error", code: "TypeError", message: "new" },
    ],
  });
  expect(await sourceAsync()).toBe("return 1 --! TypeError: old\n");
  const moved = await editAsync(peer, "\n\nreturn 1 --! TypeError: old\n--! LocalUnused: warned\n");
  expect(moved).toMatchObject({ ok: true, findings: [{ line: 4, severity: "warning", message: "warned" }] });
  expect(await sourceAsync()).toStartWith("\n\nreturn 1");
  expect(await readdir(tmp ?? "")).toEqual([]);
});

test("what was found after an edit is known before the next, without another check", async () => {
  await using peer = start();
  await peer.initializeAsync();
  expect(await editAsync(peer, "return 2 --! TypeError: old\n")).toMatchObject({ ok: true, findings: [] });
  expect(await analysesAsync()).toBe(2);
  expect(await editAsync(peer, "return 3 --! TypeError: old\n", { dryRun: true })).toMatchObject({
    ok: true,
  });
  expect(await analysesAsync()).toBe(3);
  expect(await sourceAsync()).toBe("return 2 --! TypeError: old\n");
});

test("nothing is changed where there is no checker, or only one in the folder of the server", async () => {
  for (const folder of [join(box.folder, "nowhere"), join(box.folder, "work/bin")]) {
    await using peer = start(folder);
    await peer.initializeAsync();
    const edits = [{ path: "ReplicatedStorage.Old", source: "return 9\n" }];
    const refused = await peer.toolAsync("studio_edit_script", { edits, check: "types" });
    expect(JSON.stringify(refused)).toContain("CHECKER_NOT_FOUND");
    expect(await sourceAsync()).toBe("return 1 --! TypeError: old\n");
  }
  expect(await Bun.file(record ?? "").exists()).toBe(false);
});

test("on the command line, --check types refuses what --check lets through", async () => {
  const words = ["script", "edit", "ReplicatedStorage.Old", "--old", "old", "--new", "new"];
  const env = { SB_LUAU_LSP: join(tools ?? "", "luau-lsp"), COLUMNS: "200" };
  const refused = await box.sbAsync([...words, "--check", "types"], { env });
  expect(refused.exitCode).toBe(1);
  expect(refused.stdout).toContain("refused: ReplicatedStorage.Old: It brings a new type error.");
  expect(refused.stdout).toContain("new error: ReplicatedStorage.Old:1 TypeError: new");
  expect(await sourceAsync()).toBe("return 1 --! TypeError: old\n");
  expect((await box.sbAsync([...words, "--check=some"], { env })).exitCode).toBe(2);
  const replaced = ["script", "replace", "old", "new", "--check", "types"];
  expect((await box.sbAsync(replaced, { env })).stdout).toContain("It brings a new type error.");
  expect((await box.sbAsync([...words, "--check"], { env })).exitCode).toBe(0);
  expect(await sourceAsync()).toBe("return 1 --! TypeError: new\n");
});
