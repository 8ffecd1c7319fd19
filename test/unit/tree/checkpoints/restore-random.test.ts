/** Random changes by patches and by Luau: restoring a checkpoint gives the place back, property by property. */
import { expect, test } from "bun:test";
import type { RestoreLink } from "../../../../src/tree/checkpoints/apply-operations.ts";
import { takeCopyAsync } from "../../../../src/tree/checkpoints/checkpoint-copy.ts";
import { restoreAsync } from "../../../../src/tree/checkpoints/restore-checkpoint.ts";
import { LOOK_AT_PLACE, placeTextWithoutOrder } from "../../../place-text.ts";
import { BridgePeer } from "../../plugin/bridge-peer.ts";
import { randomOf } from "../../plugin/random.ts";
import { sessionInfo } from "../../command-kit/sessions/sessions-fixture.ts";

/** Seeded by `seed`: builds where there is little, and changes whatever there is. */
const change = (seed: number, count: number) => `
local random = Random.new(${seed})
local function below(limit) return random:NextInteger(1, limit) end
local classes = { "Part", "Folder", "Model", "StringValue", "ObjectValue", "ModuleScript", "Script", "TextLabel", "WeldConstraint", "MeshPart" }
local function all()
  local list = { workspace, game.ReplicatedStorage, game.Lighting }
  for _, service in { workspace, game.ReplicatedStorage, game.Lighting } do
    for _, each in service:GetDescendants() do
      if each ~= workspace.CurrentCamera and each ~= workspace.Terrain then table.insert(list, each) end
    end
  end
  return list
end
local function pick(list) return list[below(#list)] end
local function set(each, name, value) pcall(function() each[name] = value end) end
local changes = {
  function(list)
    local made = Instance.new(pick(classes))
    made.Name = pick({ "A", "B", "a.b", "C", "@1", "" })
    set(made, "Size", if made:IsA("GuiObject") then UDim2.fromScale(1, 0.5) else Vector3.new(below(9), 1, 2))
    made.Parent = pick(list)
  end,
  function(list) set(pick(list), "Anchored", below(2) == 1) end,
  function(list) set(pick(list), "Color", Color3.fromRGB(below(255), 0, 0)) end,
  function(list) set(pick(list), "CFrame", CFrame.new(below(9), 2, 3) * CFrame.Angles(0.5, below(3), 0)) end,
  function(list) set(pick(list), "Material", pick({ Enum.Material.Neon, Enum.Material.Grass })) end,
  function(list) set(pick(list), "CustomPhysicalProperties", if below(2) == 1 then PhysicalProperties.new(below(9), 0.5, 0.5) else nil) end,
  function(list) set(pick(list), "Source", "return " .. below(99)) end,
  function(list) set(pick(list), "Text", "text \\n" .. below(9)) end,
  function(list) set(pick(list), "Value", "value " .. below(9)) end,
  function(list) set(pick(list), "Value", pick(list)) end,
  function(list) set(pick(list), "PrimaryPart", workspace:FindFirstChildWhichIsA("Part", true)) end,
  function(list) set(pick(list), "Part0", workspace:FindFirstChildWhichIsA("Part", true)) end,
  function(list) pick(list):SetAttribute("N", pick({ below(9), "text", Vector3.new(1, 2, 3), true })) end,
  function(list) pick(list):SetAttribute("N", nil) end,
  function(list) pick(list):AddTag("T" .. below(3)) end,
  function(list) pick(list):RemoveTag("T" .. below(3)) end,
  function(list) local each = pick(list) if each.Parent ~= game then each.Name = pick({ "A", "B", "D" }) end end,
  function(list) local each = pick(list) if each.Parent ~= game then pcall(function() each.Parent = pick(list) end) end end,
  function(list) local each = pick(list) if each.Parent ~= game then each:Destroy() end end,
  function(list) local each = pick(list) if each.Parent ~= game then each.Parent = nil end end,
  function(list) local each = pick(list) if each.Parent ~= game then local copy = each:Clone() copy.Parent = pick(list) end end,
}
for index = 1, ${count} do pick(changes)(all()) end`;

const contextOf = (peer: BridgePeer): RestoreLink => ({
  session: sessionInfo({ origin: "headless" }),
  caller: { id: "one", name: "test" },
  status: () => {},
  callAsync: (name, request) => peer.askAsync(name, request),
});

const runAsync = async (peer: BridgePeer, script: string): Promise<unknown> =>
  (await peer.luauAsync(script))[0];

const luauAsync = async (peer: BridgePeer, script: string) => String(await runAsync(peer, script));
const lookAsync = async (peer: BridgePeer) => placeTextWithoutOrder(await runAsync(peer, LOOK_AT_PLACE));

for (const seed of [1, 2, 3, 5, 7, 12])
  test(`the place of seed ${seed} is as it was after a restore`, async () => {
    using peer = await BridgePeer.connectAsync();
    const random = randomOf(seed);
    const context = contextOf(peer);
    await luauAsync(peer, change(seed, 120));
    const before = await lookAsync(peer);
    const { mark } = await peer.askAsync("othersChanges", {});
    const copy = await takeCopyAsync(context);
    for (const round of [1, 2]) {
      await luauAsync(peer, change(seed * 100 + round, 20 + random(60)));
      const changed = await lookAsync(peer);
      expect(changed).not.toBe(before);
      const restored = await restoreAsync({ name: "c", mark, copy, force: false }, context);
      expect(restored).toMatchObject({ undo: { recorded: true } });
      expect(restored.remaining).toBeUndefined();
      expect((await lookAsync(peer)).split("\n")).toEqual(before.split("\n"));
      // It was one step, which a person can take back too.
      expect((await peer.askAsync("undo", { steps: 1 })).undone).toEqual(["sb: restore checkpoint c"]);
      expect((await lookAsync(peer)).split("\n")).toEqual(changed.split("\n"));
      expect(
        (await restoreAsync({ name: "c", mark, copy, force: false }, context)).remaining,
      ).toBeUndefined();
    }
  });

test("a restore of more than one patch holds is one step too", async () => {
  using peer = await BridgePeer.connectAsync();
  const context = contextOf(peer);
  const build = `local map = Instance.new("Folder", workspace) map.Name = "Map"
    for index = 1, 1100 do
      local part = Instance.new("Part", map) part.Name = "Part" .. index part.Anchored = index % 2 == 0
      if index % 5 == 0 then
        local code = Instance.new("ModuleScript", part) code.Source = "return " .. index
        local pointer = Instance.new("ObjectValue", part) pointer.Value = map:FindFirstChild("Part" .. index - 4)
      end
    end`;
  await luauAsync(peer, build);
  const before = await lookAsync(peer);
  const { mark } = await peer.askAsync("othersChanges", {});
  const copy = await takeCopyAsync(context);
  await luauAsync(peer, "workspace.Map:Destroy()");
  const restored = await restoreAsync({ name: "large", mark, copy, force: false }, context);
  expect(restored).toMatchObject({ changes: 1, undo: { recorded: true } });
  expect(restored.remaining).toBeUndefined();
  expect(await lookAsync(peer)).toBe(before);
  expect((await peer.askAsync("undo", {})).undone).toEqual(["sb: restore checkpoint large"]);
  expect(await luauAsync(peer, `return workspace:FindFirstChild("Map") == nil`)).toBe("true");
}, 120_000);
