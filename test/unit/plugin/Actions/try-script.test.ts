/** tryScript of the plugin, on headless Studio and without a host: what a script changes is told and taken back. */
import { expect, test } from "bun:test";
import { BridgePeer } from "../bridge-peer.ts";
import { LOOK_AT_PLACE, placeText } from "../../../place-text.ts";
import { randomOf } from "../random.ts";

const luauAsync = (peer: BridgePeer, script: string) => peer.luauAsync(script);

const lookAsync = async (peer: BridgePeer) => placeText((await luauAsync(peer, LOOK_AT_PLACE))[0]);

const tryAsync = (peer: BridgePeer, script: string, more: object = {}) =>
  peer.askAsync("tryScript", { script, ...more });

const MAP = `
local map = Instance.new("Model") map.Name = "Map" map.Parent = workspace
for _, name in { "A", "B", "C", "D" } do
  local part = Instance.new("Part") part.Name = name part.Parent = map
end
local weld = Instance.new("WeldConstraint") weld.Part0 = map.A weld.Part1 = map.B weld.Parent = map.B
local value = Instance.new("ObjectValue") value.Name = "Target" value.Value = map.B value.Parent = map.A
map.PrimaryPart = map.B
map.B:SetAttribute("Zone", "Lobby")
map.B:AddTag("Door")
local main = Instance.new("Script") main.Name = "Main" main.Source = "print(1)\\n" main.Parent = map`;

test("tells what a script would change, and leaves the place as it was, destroyed Instances too", async () => {
  using peer = await BridgePeer.connectAsync();
  await luauAsync(peer, MAP);
  const before = await lookAsync(peer);
  const { instance } = await peer.askAsync("queryDataModel", { path: "Workspace.Map.B" });
  const result = await tryAsync(
    peer,
    `local map = workspace.Map
     map.A.Color = Color3.new(1, 0, 0)
     map.A:SetAttribute("Level", 3)
     map.B:Destroy()
     map.C.Parent = workspace
     map.D.Name = "E"
     map.Main.Source = "print(2)\\n"
     local fresh = Instance.new("Part") fresh.Name = "New" fresh.Anchored = true fresh:AddTag("Solid") fresh.Parent = map
     print("tried")
     return #map:GetChildren()`,
  );
  expect(result).toMatchObject({ success: true, returnValues: [4], undo: { recorded: false }, diffTotal: 7 });
  expect(result.notHeld).toBeUndefined();
  const changes = Object.fromEntries(result.diff.map(({ path, ...rest }) => [path, rest]));
  expect(changes).toMatchObject({
    "game.Workspace.Map.A": {
      change: "changed",
      properties: { Color: { after: { type: "Color3", value: [1, 0, 0] } } },
      attributes: { Level: { after: 3 } },
    },
    "game.Workspace.Map.B": { change: "removed", className: "Part", properties: {} },
    "game.Workspace.Map.B.WeldConstraint": { change: "removed" },
    "game.Workspace.C": {
      change: "moved",
      properties: { Parent: { before: "Workspace.Map", after: "Workspace" } },
    },
    "game.Workspace.Map.E": { change: "changed", properties: { Name: { before: "D", after: "E" } } },
    "game.Workspace.Map.Main": { source: { before: "print(1)\n", after: "print(2)\n" } },
    "game.Workspace.Map.New": {
      change: "added",
      properties: { Anchored: { after: true } },
      tags: { before: [], after: ["Solid"] },
    },
  });
  expect<unknown>(result.restoredAsCopy).toEqual([
    { path: "game.Workspace.Map.B", id: instance.id ?? "", className: "Part" },
    { path: "game.Workspace.Map.B.WeldConstraint", id: expect.any(String), className: "WeldConstraint" },
  ]);
  expect(await lookAsync(peer)).toBe(before);
  expect(
    await luauAsync(
      peer,
      "local map = workspace.Map return map.A.Target.Value == map.B, map.PrimaryPart == map.B",
    ),
  ).toEqual([true, true]);
  const again = await peer.askAsync("queryDataModel", { path: instance.id ?? "" });
  expect(again.instance.path).toBe("game.Workspace.Map.B");
  // The step that made the map is still the newest, and can be undone.
  expect((await peer.askAsync("undo", {})).undone).toEqual(["sb: exec"]);
});

test("an Instance that cannot be cloned is made anew from its values", async () => {
  using peer = await BridgePeer.connectAsync();
  await luauAsync(peer, `${MAP} map.B.Archivable = false map.B.Size = Vector3.new(1, 2, 3)`);
  const before = await lookAsync(peer);
  const { restoredAsCopy } = await tryAsync(peer, "workspace.Map.B:Destroy()");
  expect(restoredAsCopy).toHaveLength(2);
  expect(await lookAsync(peer)).toBe(before);
});

test("what cannot come back fails the call with the list of what differs", async () => {
  using peer = await BridgePeer.connectAsync();
  await luauAsync(peer, `game.StarterPlayer.StarterPlayerScripts.Archivable = false`);
  const failure = await tryAsync(
    peer,
    "game.StarterPlayer.StarterPlayerScripts:Destroy() workspace.Gravity = 1",
  ).catch(String);
  expect(failure).toContain("DRY_RUN_INCOMPLETE");
  const { details } = JSON.parse(String(failure).replace(/^Error: /, ""));
  expect(details.differences).toMatchObject([
    { path: "game.StarterPlayer.StarterPlayerScripts", change: "removed" },
  ]);
  expect(await luauAsync(peer, "return workspace.Gravity ~= 1")).toEqual([true]);
});

test("a script that empties Workspace can be tried, although Terrain cannot make room for the camera", async () => {
  using peer = await BridgePeer.connectAsync();
  const before = await lookAsync(peer);
  expect(await tryAsync(peer, "workspace:ClearAllChildren()")).toMatchObject({
    success: true,
    restoredAsCopy: [{ className: "Camera" }],
  });
  // The text leaves out the current camera, and so the copy has to be that.
  expect(await lookAsync(peer)).toBe(before);
});

test("what the script does after its first yield is not taken back, and the result says so", async () => {
  using peer = await BridgePeer.connectAsync();
  const result = await tryAsync(
    peer,
    `Instance.new("Folder", workspace).Name = "Early"
     task.wait()
     Instance.new("Folder", workspace).Name = "Late"`,
  );
  expect(result.notHeld).toEqual(["what the script did after its first yield"]);
  expect(result.diff.map(({ path }) => path)).toEqual(["game.Workspace.Early"]);
  expect(
    await luauAsync(
      peer,
      `return workspace:FindFirstChild("Early") == nil, workspace:FindFirstChild("Late") ~= nil`,
    ),
  ).toEqual([true, true]);
  const threads = await tryAsync(peer, "task.delay(0.01, function() end)");
  expect(threads.notHeld).toEqual(["what the script did after its first yield"]);
  const named = await tryAsync(
    peer,
    `game:GetService("HttpService"):GenerateGUID() return "DataStoreService"`,
  );
  expect(named.notHeld).toEqual(["HTTP requests", "data stores"]);
});

test("a script that fails or never ends is taken back too", async () => {
  using peer = await BridgePeer.connectAsync();
  await luauAsync(peer, MAP);
  const before = await lookAsync(peer);
  const failed = await tryAsync(peer, "workspace.Map.A:Destroy() error('no')");
  expect(failed).toMatchObject({ success: false, error: "Script:1: no" });
  expect(failed.diff.map(({ change }) => change)).toEqual(["removed", "removed"]);
  expect(await lookAsync(peer)).toBe(before);
  const endless = await tryAsync(peer, "workspace.Map.A.Name = 'Z' while true do end", { timeoutMs: 200 });
  expect(endless).toMatchObject({ success: false, errorInfo: { code: "TIMEOUT" }, diffTotal: 1 });
  expect(await lookAsync(peer)).toBe(before);
  const wrong = await tryAsync(peer, "local = 1");
  expect(wrong).toMatchObject({ success: false, diff: [], diffTotal: 0 });
});

test("a script that cannot be held does not run", async () => {
  using peer = await BridgePeer.connectAsync();
  const own = await tryAsync(
    peer,
    `print("ran") game:GetService("ChangeHistoryService"):ResetWaypoints()`,
  ).catch(String);
  expect(own).toContain("DRY_RUN_REFUSED");
  await luauAsync(
    peer,
    `local f = Instance.new("Folder") for i = 1, 20000 do Instance.new("Folder", f) end f.Parent = workspace`,
  );
  const large = await tryAsync(peer, `print("ran")`).catch(String);
  expect(large).toContain("more than 20000 Instances");
  expect(large).toContain('"outcome":"not_started"');
  expect(peer.log).not.toContain("ran");
});

test("random scripts leave the place as it was, property by property and in the order of children", async () => {
  using peer = await BridgePeer.connectAsync();
  await luauAsync(peer, `${MAP} for i = 1, 6 do map.A:Clone().Parent = map end`);
  const before = await lookAsync(peer);
  const random = randomOf(11);
  const any = () => `all[${1 + random(16)}]`;
  const statements = [
    () => `${any()}:Destroy()`,
    () => `${any()}.Parent = nil`,
    () => `${any()}.Parent = ${any()}`,
    () => `${any()}.Name = "N${random(4)}"`,
    () => `${any()}.Size = Vector3.new(${random(9)}, 1, 1)`,
    () => `${any()}:ClearAllChildren()`,
    () => `${any()}:SetAttribute("Zone", ${random(3)})`,
    () => `${any()}:AddTag("T${random(3)}")`,
    () => `${any()}:Clone().Parent = ${any()}`,
    () => `Instance.new("Folder", ${any()})`,
    () => `workspace.Map.A.Target.Value = ${any()}`,
    () => `game.Lighting.ClockTime = ${random(24)}`,
  ];
  for (let round = 0; round < 40; round += 1) {
    const lines = Array.from(
      { length: 1 + random(6) },
      () => statements[random(statements.length)]?.() ?? "",
    );
    const script = `local all = workspace.Map:GetDescendants() ${lines.map((line) => `pcall(function() ${line} end)`).join("\n")}`;
    await tryAsync(peer, script);
    expect({ script, place: await lookAsync(peer) }).toEqual({ script, place: before });
  }
});
