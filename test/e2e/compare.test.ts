/** `sb diff` and `sb checkpoint` in the compiled binary. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { untilAsync } from "../harness.ts";
import { sandbox } from "../sandbox.ts";
import { McpPeer } from "../peers/mcp-peer.ts";

setDefaultTimeout(120_000);

const box = sandbox({ headless: true });

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
  const { differences, total }: { differences: readonly Change[]; total: number } = JSON.parse(stdout);
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
    [["edit", "checkpoint:nothing"], 'There is no checkpoint "nothing" of this place.'],
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

test("a checkpoint is restored in one step, after scripts and Destroy", async () => {
  await execAsync(`workspace.Map:ClearAllChildren()
    local door = Instance.new("Model", workspace.Map) door.Name = "Door"
    local wood = Instance.new("Part", door) wood.Name = "Wood" wood.Color = Color3.new(1, 0, 0) wood:SetAttribute("Zone", "A")
    door.PrimaryPart = wood wood:AddTag("Solid")
    local code = Instance.new("Script", door) code.Name = "Open" code.Source = "print(1)\\n"
    local mesh = Instance.new("MeshPart", workspace.Map) mesh.Name = "Stone" mesh.Size = Vector3.new(1, 2, 3)`);
  expect((await box.sbAsync(["checkpoint", "before"])).exitCode).toBe(0);
  expect(await box.sbAsync(["checkpoint", "diff", "before"])).toMatchObject({
    stdout: "Nothing differs.\n",
    exitCode: 0,
  });
  await execAsync(`workspace.Map.Door:Destroy() workspace.Map.Stone:Destroy()
    local door = Instance.new("Folder", workspace) door.Name = "New" Instance.new("Part", door)
    game.ReplicatedStorage.Config.Source = "return 3\\n" game.ReplicatedStorage.Config.Name = "Settings"
    workspace.Gravity = 50`);
  const diff = await box.sbAsync(["checkpoint", "diff", "before", "--json"]);
  expect(diff.exitCode).toBe(1);
  expect(shown(JSON.parse(diff.stdout).diff.differences)).toEqual([
    "removed Workspace.Map.Door",
    "removed Workspace.Map.Stone",
    "changed Workspace",
    "changed ReplicatedStorage.Settings",
    "added Workspace.New",
  ]);
  const below = await diffAsync("checkpoint:before", "edit", "--root", "Workspace.Map");
  expect(shown(below.differences)).toEqual(["removed Workspace.Map.Door", "removed Workspace.Map.Stone"]);
  const { stdout, stderr } = await box.sbAsync(["checkpoint", "restore", "before", "--json"]);
  expect([stderr, JSON.parse(stdout)]).toEqual([
    "",
    {
      restored: {
        name: "before",
        changes: 5,
        undo: { recorded: true, name: "sb: restore checkpoint before" },
      },
    },
  ]);
  const look = `local door = workspace.Map.Door
    return door.PrimaryPart == door.Wood, door.Wood.Color, door.Wood:GetAttribute("Zone"), door.Wood:HasTag("Solid"),
      door.Open.Source, workspace.Map.Stone.Size, workspace:FindFirstChild("New"), game.ReplicatedStorage.Config.Source,
      workspace.Gravity`;
  expect(JSON.parse((await box.sbAsync(["exec", "--json", look])).stdout).returnValues).toMatchObject([
    true,
    { value: [1, 0, 0] },
    "A",
    true,
    "print(1)\n",
    { value: [1, 2, 3] },
    { type: "nil" },
    "return 1\n",
    Math.fround(196.2),
  ]);
  expect((await box.sbAsync(["undo"])).stdout).toContain("sb: restore checkpoint before");
  expect((await box.sbAsync(["checkpoint", "diff", "before", "--json"])).exitCode).toBe(1);
  expect((await box.sbAsync(["checkpoint", "restore", "before"])).exitCode).toBe(0);
});

test("checkpoints are listed, dropped and limited, and stop at what a person changed", async () => {
  const namesAsync = async () => {
    const { checkpoints } = JSON.parse((await box.sbAsync(["checkpoint", "list", "--json"])).stdout);
    return (checkpoints as readonly { name: string }[]).map(({ name }) => name);
  };
  expect(await namesAsync()).toEqual(["before"]);
  expect((await box.sbAsync(["checkpoint"])).stdout).toMatch(
    /^Made "checkpoint-1": \d+ Instances, \d+ KB\. The place has 2 checkpoints now\.\n$/,
  );
  // What runs on when its call has ended is not that call's.
  await execAsync(
    `task.delay(1, function() workspace.Map.Door.Wood.Transparency = 0.25 print("a person was here") end)`,
  );
  await untilAsync("the other change", async () =>
    (await box.sbAsync(["logs"])).stdout.includes("a person was here") ? true : undefined,
  );
  const stopped = await box.sbAsync(["checkpoint", "restore", "checkpoint-1"]);
  expect(stopped.stderr).toContain("A person or another plugin has changed Workspace.Map.Door.Wood.");
  expect(stopped.stderr).toContain("--force");
  expect(stopped.exitCode).toBe(1);
  expect((await box.sbAsync(["checkpoint", "restore", "checkpoint-1", "--force"])).exitCode).toBe(0);

  const cases: readonly (readonly [readonly string[], string])[] = [
    [["restore"], "restore needs the name of a checkpoint."],
    [["restore", "nothing"], "Checkpoints: checkpoint-1, before."],
    [["before"], 'There is a checkpoint "before" already.'],
    [["two", "words"], "Not a subcommand of sb checkpoint: two"],
    [["lsit"], "lsit is not a subcommand of sb checkpoint; did you mean list?"],
    [["rest"], "did you mean restore?"],
    [["delete"], "`sb checkpoint create delete` makes a checkpoint of that name."],
    [["list", "--force"], "Only restore takes force"],
    [["a\u001bb"], "without control characters"],
    [["new", "--context", "server"], "No server context"],
  ];
  for (const [words, text] of cases) {
    const { stderr, exitCode } = await box.sbAsync(["checkpoint", ...words]);
    expect([words, exitCode === 0, stderr.includes(text) ? text : stderr]).toEqual([words, false, text]);
  }

  for (let index = 2; index < 10; index += 1) expect((await box.sbAsync(["checkpoint"])).exitCode).toBe(0);
  const full = await box.sbAsync(["checkpoint", "one-more"]);
  expect(full.stderr).toContain('Drop one; the oldest is "before".');
  expect((await box.sbAsync(["checkpoint", "drop", "before"])).stdout).toBe(
    'Dropped "before". The place has 9 checkpoints now.\n',
  );
  await using peer = new McpPeer(box);
  await peer.initializeAsync();
  const made = await peer.toolAsync("studio_checkpoint", { name: "by-agent" });
  expect(Object(made.structuredContent).checkpoints[0]).toMatchObject({ name: "by-agent" });
  await execAsync(`workspace.Map.Door.Wood:Destroy()`);
  expect(
    (await peer.toolAsync("studio_checkpoint", { action: "diff", name: "by-agent" })).structuredContent,
  ).toMatchObject({
    diff: {
      total: 2,
      differences: [{ change: "removed", path: "Workspace.Map.Door.Wood" }, { path: "Workspace.Map.Door" }],
    },
  });
  expect(
    (await peer.toolAsync("studio_checkpoint", { action: "restore", name: "by-agent" })).structuredContent,
  ).toMatchObject({ restored: { name: "by-agent", changes: 2 } });

  await box.sbAsync(["play", "start"]);
  const playing = await box.sbAsync(["checkpoint", "restore", "by-agent"]);
  expect(playing.stderr).toContain("while Studio plays");
  expect((await box.sbAsync(["checkpoint", "list"])).exitCode).toBe(0);
  await box.sbAsync(["play", "stop"]);
});

test.each([
  [["diff", "checkpoint:none", "edit"], 2],
  [["diff", "none.rbxl", "edit"], 2],
  [["diff", "edit", "edit"], 0],
  [["checkpoint", "diff", "none"], 2],
  [["checkpoint", "drop", "none"], 2],
  [["wait", "Workspace.None", "--session", "none"], 2],
  [["wait", "Workspace.None", "--timeout", "50"], 1],
  [["sync", "--check"], 2],
  [["sync"], 1],
  [["state", "--session", "none"], 1],
])("where 1 says that something differs, trouble is 2: %p", async (words, code) => {
  const { exitCode } = await box.sbAsync([...words]);
  expect(exitCode).toBe(code);
});
