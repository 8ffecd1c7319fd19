/** `sb diff` and `sb checkpoint` in the compiled binary. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { Sandbox } from "../harness.ts";
import { McpPeer } from "../peers/mcp-peer.ts";

setDefaultTimeout(120_000);

let box: Sandbox;
beforeAll(async () => {
  box = await Sandbox.createAsync();
  await box.headlessAsync();
});
afterAll(async () => {
  await box[Symbol.asyncDispose]();
});

interface Change {
  readonly path: string;
  readonly className: string;
  readonly change: string;
  readonly properties: { readonly [name: string]: { readonly before?: unknown; readonly after?: unknown } };
  readonly source?: string;
}

const execAsync = async (code: string, ...flags: readonly string[]): Promise<void> => {
  const { stderr, exitCode } = await box.sbAsync(["exec", ...flags, code]);
  expect([code, stderr, exitCode]).toEqual([code, "", 0]);
};

async function diffAsync(...words: readonly string[]) {
  const { stdout, stderr, exitCode } = await box.sbAsync(["diff", ...words, "--json"]);
  if (stdout === "") throw new Error(stderr);
  const { differences, total } = JSON.parse(stdout) as { differences: readonly Change[]; total: number };
  return { differences, total, exitCode, stderr };
}
const shown = (changes: readonly Change[]) => changes.map(({ change, path }) => `${change} ${path}`);

test("two sides of one place are compared", async () => {
  await execAsync(`local map = Instance.new("Folder", workspace) map.Name = "Map"
    for i = 1, 3 do local p = Instance.new("Part", map) p.Name = "Post" p.Size = Vector3.new(i, 1, 1) end
    local m = Instance.new("ModuleScript", game.ReplicatedStorage) m.Name = "Config" m.Source = "return 1\\n"
    Instance.new("Folder", game.ServerStorage).Name = "Secret"`);
  expect(await diffAsync("edit", "edit")).toMatchObject({ differences: [], total: 0, exitCode: 0 });

  const started = await box.sbAsync(["play", "start", "--players", "2"]);
  expect(started.exitCode).toBe(0);
  expect(shown((await diffAsync("edit", "server")).differences)).toEqual([]);
  expect(shown((await diffAsync("server", "client:2")).differences)).toEqual([]);
  await execAsync(
    `local p = workspace.Map:GetChildren()[2] p.Transparency = 0.5 p:SetAttribute("Hot", true) p:AddTag("New")
     local f = Instance.new("Folder", workspace) f.Name = "Added" Instance.new("Part", f)`,
    "--context",
    "server",
  );
  await execAsync(
    `workspace.Map:GetChildren()[3]:Destroy() Instance.new("Part", workspace.Map).Name = "Own"`,
    "--context",
    "client",
    "--player",
    "2",
  );
  const server = await diffAsync("edit", "server");
  expect(server).toMatchObject({
    total: 2,
    exitCode: 1,
    differences: [
      {
        path: "Workspace.Map.Post[2]",
        className: "Part",
        change: "changed",
        properties: { Transparency: { before: 0, after: 0.5 } },
        attributes: { Hot: { after: true } },
        tags: { before: [], after: ["New"] },
      },
      { path: "Workspace.Added", className: "Folder", change: "added" },
    ],
  });
  expect(shown((await diffAsync("server", "client:2")).differences)).toEqual([
    "removed Workspace.Map.Post[3]",
    "added Workspace.Map.Own",
  ]);
  expect(shown((await diffAsync("server", "client:1")).differences)).toEqual([]);
  const { stdout } = await box.sbAsync(["diff", "server", "client:2", "--root", "Workspace.Map"]);
  expect(stdout).toContain("- Workspace.Map.Post[3]");
  await box.sbAsync(["play", "stop"]);
});

test("a place is compared with a file, and sources as texts", async () => {
  const saved = await box.sbAsync(["exec", "--headless", "print(1)"]);
  expect(saved.exitCode).toBe(0);
  await box.writeAsync(
    "game.project.json",
    JSON.stringify({
      name: "Game",
      tree: {
        $className: "DataModel",
        ReplicatedStorage: { Config: { $path: "Config.luau" } },
        Workspace: { Map: { $className: "Folder", Post: { $className: "Part" } } },
      },
    }),
  );
  await box.writeAsync("Config.luau", "return 2\n");
  const file = join(box.folder, "game.project.json");
  const { differences } = await diffAsync(file, "edit", "--root", "ReplicatedStorage");
  expect(differences).toMatchObject([
    { path: "ReplicatedStorage.Config", className: "ModuleScript", change: "changed" },
  ]);
  expect(differences[0]?.source).toContain("-return 2\n+return 1\n");
  expect(shown((await diffAsync(file, file)).differences)).toEqual([]);
});

test("sides that do not exist are refused with the next step", async () => {
  const cases: readonly (readonly [readonly string[], string])[] = [
    [["edit", "server"], "Start a play test first"],
    [["edit", "nothing.rbxl"], "nothing.rbxl"],
    [["edit", "edit", "--root", "Workspace.Nothing"], "Workspace.Nothing"],
    [["edit", "ffffffff"], "ffffffff"],
  ];
  for (const [words, text] of cases) {
    const { stderr, exitCode } = await box.sbAsync(["diff", ...words]);
    expect([words, exitCode === 0, stderr.includes(text) ? text : stderr]).toEqual([words, false, text]);
  }
});

test("agents compare too, with files below the folder of the server alone", async () => {
  await using peer = new McpPeer(box);
  await peer.initializeAsync();
  const own = await peer.toolAsync("studio_diff", { a: "game.project.json", b: "game.project.json" });
  expect(own.structuredContent).toEqual({ differences: [], total: 0 });
  const outside = join(box.folder, "..", `outside-${process.pid}.txt`);
  await Bun.write(outside, "secret");
  await box.writeAsync(
    "leak.project.json",
    JSON.stringify({
      name: "Leak",
      tree: {
        $className: "DataModel",
        ReplicatedStorage: { Text: { $path: `../outside-${process.pid}.txt` } },
      },
    }),
  );
  const leak = await peer.toolAsync("studio_diff", { a: "leak.project.json", b: "edit" });
  expect(JSON.stringify(leak.content)).toContain("names files that this server may not read");
  expect(JSON.stringify(leak)).not.toContain("secret");
  await rm(outside);
  for (const a of ["/etc/nothing.rbxl", "../other.rbxl", "missing.rbxl"]) {
    const { isError, content } = await peer.toolAsync("studio_diff", { a, b: "edit" });
    expect([
      a,
      isError,
      JSON.stringify(content).includes(`There is no place, model or project file ${a}`),
    ]).toEqual([a, true, true]);
  }
});
