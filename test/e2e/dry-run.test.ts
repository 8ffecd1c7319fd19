/** Scripts that are only tried, on the command line and over MCP, through the compiled binary. */
import { expect, test } from "bun:test";
import { sandbox } from "../sandbox.ts";
import { McpPeer } from "../peers/mcp-peer.ts";

const box = sandbox({ headless: true });

const sbAsync = (...words: readonly string[]) => box.sbAsync(words);
const structured = async (peer: McpPeer, name: string, args: object) =>
  (await peer.toolAsync(name, args))["structuredContent"];

const MAP = `local map = Instance.new("Folder") map.Name = "Map" map.Parent = workspace
for index = 1, 3 do local part = Instance.new("Part") part.Name = "P" .. index part.Parent = map end
local main = Instance.new("Script") main.Name = "Main" main.Source = "print(1)\\n" main.Parent = map`;
const CHANGE = `local map = workspace.Map
map.P1:Destroy()
map.P2.Transparency = 0.5
map.Main.Source = "print(2)\\n"
Instance.new("Part", map).Name = "New"
print("tried")`;
const LOOK = `local map = workspace.Map
return #map:GetChildren(), map:GetChildren()[1].Name, map.P2.Transparency, map.Main.Source`;

test("shows the output and what would change, and leaves the place and the undo steps as they were", async () => {
  await sbAsync("exec", MAP);
  const stepsAsync = async () => (await sbAsync("undo", "--list")).stdout.replace(/\d+s ago +/g, "");
  const steps = await stepsAsync();
  const { stdout: id } = await sbAsync("query", "Workspace.Map.P1", "--json");
  const tried = await sbAsync("exec", "--dry-run", CHANGE);
  expect(tried).toMatchObject({ exitCode: 0, stderr: "" });
  expect(tried.stdout.replaceAll(/@\d+/g, "@N")).toBe(
    [
      "tried",
      "- Workspace.Map.P1 Part",
      "~ Workspace.Map.P2 Part",
      "    Transparency: 0 -> 0.5",
      "~ Workspace.Map.Main Script",
      "--- Workspace.Map.Main",
      "+++ Workspace.Map.Main",
      "@@ -1,1 +1,1 @@",
      "-print(1)",
      "+print(2)",
      "+ Workspace.Map.New Part",
      "restored as a copy: Workspace.Map.P1 @N",
      "Undoing an earlier step does not remove or change these copies.",
      "Dry run: its changes were taken back.",
      "",
    ].join("\n"),
  );
  expect((await sbAsync("exec", LOOK)).stdout).toBe("4\nP1\n0\nprint(1)\n\n");
  expect(await stepsAsync()).toBe(steps);
  expect((await sbAsync("query", "Workspace.Map.P1", "--json")).stdout).toBe(id);

  const file = await box.writeAsync("change.luau", `${CHANGE}\nerror("no")`);
  const failed = await sbAsync("run", "--dry-run", "--json", file);
  expect(failed.exitCode).toBe(1);
  expect(JSON.parse(failed.stdout)).toMatchObject({
    success: false,
    dryRun: true,
    undo: { recorded: false, reason: "this was a dry run" },
    diff: [
      { path: "Workspace.Map.P1", className: "Part", change: "removed", properties: {} },
      {
        path: "Workspace.Map.P2",
        change: "changed",
        properties: { Transparency: { before: 0, after: 0.5 } },
      },
      { path: "Workspace.Map.Main", change: "changed", source: expect.stringContaining("+print(2)") },
      { path: "Workspace.Map.New", change: "added" },
    ],
    restoredAsCopy: [{ path: "Workspace.Map.P1", className: "Part" }],
  });
  expect((await sbAsync("exec", "--dry-run", "return 1")).stdout).toBe(
    "1\nIt would change nothing.\nDry run: its changes were taken back.\n",
  );
  const late = await sbAsync("exec", "--dry-run", `task.wait() workspace.Map.Name = "Late"`);
  expect(late.stdout).toContain("not taken back: what the script did after its first yield\n");
  await sbAsync("exec", `workspace.Late.Name = "Map"`);
});

test("a dry run that cannot hold is refused before the code runs, with the next step", async () => {
  const file = await box.writeAsync("a.luau", "print('ran')");
  const two = await sbAsync("run", "--dry-run", file, file);
  expect(two).toMatchObject({ exitCode: 2, stdout: "" });
  expect(two.stderr).toContain("Cannot use --dry-run with 2 files.");
  const own = await sbAsync(
    "exec",
    "--dry-run",
    `print("ran") game:GetService("ChangeHistoryService"):Undo()`,
  );
  expect(own).toMatchObject({ exitCode: 1, stdout: "" });
  expect(own.stderr).toContain("uses ChangeHistoryService itself");
  const server = await sbAsync("exec", "--headless", "--context", "server", "--dry-run", `print("ran")`);
  expect(server).toMatchObject({ exitCode: 1, stdout: "" });
  expect(server.stderr).toContain("--context edit");
  expect(await sbAsync("exec", "--headless", "--dry-run", "workspace.Name = 'W'")).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining('Name: "Workspace" -> "W"'),
  });
  expect((await sbAsync("exec", "--help")).stdout.replaceAll(/\s+/g, " ")).toContain(
    "files, HTTP requests, data stores and what it does after it has yielded are not held back",
  );
});

test("what cannot be taken back fails the call and is listed", async () => {
  await sbAsync("exec", "game.StarterPlayer.StarterPlayerScripts.Archivable = false");
  const lost = await sbAsync(
    "exec",
    "--dry-run",
    "--json",
    "game.StarterPlayer.StarterPlayerScripts:Destroy()",
  );
  expect(lost.exitCode).toBe(1);
  expect(`${lost.stdout}${lost.stderr}`).toContain("DRY_RUN_INCOMPLETE");
  expect(`${lost.stdout}${lost.stderr}`).toContain("StarterPlayer.StarterPlayerScripts");
});

test("over MCP studio_exec takes dryRun, and says of each call that changes something whether it is an undo step", async () => {
  await using peer = new McpPeer(box);
  await peer.initializeAsync();
  expect(await structured(peer, "studio_exec", { script: CHANGE, dryRun: true })).toMatchObject({
    success: true,
    dryRun: true,
    logs: [{ level: "Print", body: "tried" }],
    diff: [{ change: "removed" }, { change: "changed" }, { change: "changed" }, { change: "added" }],
    undo: { recorded: false },
  });
  const undoAsync = async (script: string) => Object(await structured(peer, "studio_exec", { script })).undo;
  expect(await undoAsync("workspace.Map.P1.Anchored = true")).toEqual({ recorded: true, name: "sb: exec" });
  expect(await undoAsync("return 1")).toBeUndefined();
  expect(await undoAsync("workspace.Map.P1.Anchored = false task.wait()")).toMatchObject({
    recorded: "partly",
    reason: "the script went on after its first yield",
  });
  expect(await structured(peer, "studio_play", { action: "start", mode: "server" })).toMatchObject({
    changed: true,
  });
  const inTest = await structured(peer, "studio_exec", { script: "workspace.Name = 'W'", context: "server" });
  expect(inTest).toMatchObject({ success: true, untilTestEnds: true });
  expect(inTest).not.toHaveProperty("undo");
  const made = { op: "create", className: "Folder", parent: "Workspace" };
  expect(await structured(peer, "studio_edit", { operations: [made], context: "server" })).toMatchObject({
    ok: true,
    untilTestEnds: true,
    undo: { recorded: false },
  });
  const refused = await peer.toolAsync("studio_exec", {
    script: "print(1)",
    dryRun: true,
    context: "server",
  });
  expect(refused["isError"]).toBe(true);
  expect(JSON.stringify(refused)).toContain("context: edit");
  await structured(peer, "studio_play", { action: "stop" });
});
