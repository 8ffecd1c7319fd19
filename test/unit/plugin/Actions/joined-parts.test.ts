/** applyPatch, tryScript and undo on parts that joints hold together: each part ends where it belongs. */
import { expect, test } from "bun:test";
import type { PatchOperation } from "../../../../src/protocol/fields/patches.ts";
import { joinedRig, RIG_NAMES } from "../../../joined-rig.ts";
import { BridgePeer } from "../bridge-peer.ts";

const TOLERANCE = 1e-4;
const WELDED = ["WeldConstraint", "Weld", "Motor6D", "WeldConstraint"];
const MOTORS = ["Motor6D", "Motor6D", "Motor6D", "Motor6D"];

/** The CFrames of all parts, and the offsets of all joints. */
const LOOK = `
local frames = {}
for _, each in game:GetDescendants() do
  if each:IsA("BasePart") and not each:IsA("Terrain") then
    frames[each.Name] = { each.CFrame:GetComponents() }
  elseif each:IsA("JointInstance") then
    frames[each.Name .. ".C0"] = { each.C0:GetComponents() }
    frames[each.Name .. ".C1"] = { each.C1:GetComponents() }
  end
  if each:IsA("JointInstance") or each:IsA("WeldConstraint") then
    frames[each.Name .. ".Active"] = { if each.Active then 1 else 0 }
  end
end
return game:GetService("HttpService"):JSONEncode(frames)`;

type Places = Readonly<Record<string, readonly number[]>>;

const luauAsync = (peer: BridgePeer, script: string) => peer.luauAsync(script);

const lookAsync = async (peer: BridgePeer): Promise<Places> =>
  JSON.parse(String((await luauAsync(peer, LOOK))[0])) as Places;

function off(actual: Places, expected: Places): readonly string[] {
  expect(Object.keys(actual).sort()).toEqual(Object.keys(expected).sort());
  return Object.keys(expected).filter((name) =>
    (expected[name] ?? []).some(
      (value, index) => !(Math.abs(value - (actual[name]?.[index] ?? NaN)) <= TOLERANCE),
    ),
  );
}

const place = (name: string, frame: readonly number[] | undefined): PatchOperation => ({
  op: "set",
  path: `Workspace.Rig.${name}`,
  properties: { CFrame: { type: "CFrame", value: [...(frame ?? [])] } },
});

const patchAsync = (peer: BridgePeer, operations: readonly PatchOperation[], more: object = {}) =>
  peer.askAsync("applyPatch", { operations: [...operations], name: "sb: edit", ...more });

/** What scripts do to a rig, from mild to wild. */
const ACTS = [
  `workspace.Rig.Root.CFrame = CFrame.fromOrientation(1, 2, 3) + Vector3.new(40, 50, 60)`,
  `workspace.Rig.Hand.CFrame *= CFrame.Angles(0.4, 0.5, 0.6)`,
  `workspace.Rig.Arm.Position += Vector3.new(0, 30, 0)`,
  `workspace.Rig.Head.Orientation = Vector3.new(89, 20, -50)`,
  `workspace.Rig.Hand.CFrame += Vector3.new(9, 9, 9) workspace.Rig.Head.Position -= Vector3.new(5, 5, 5)`,
  `workspace.Rig.Arm:FindFirstChildWhichIsA("JointInstance", true).C0 *= CFrame.new(3, 4, 5)`,
  `for _, each in workspace.Rig:GetDescendants() do if each:IsA("JointInstance") then each.C1 *= CFrame.Angles(1, 0, 0) end end`,
  `local rig, hand = workspace.Rig, workspace.Rig.Hand
   hand.Parent = game.ServerStorage rig.Root.CFrame += Vector3.new(7, 7, 7) hand.CFrame *= CFrame.Angles(1, 1, 1)
   hand.Parent = rig`,
  `local rig, joint = workspace.Rig, workspace.Rig.Hand.ToHand
   joint.Parent = game.ServerStorage rig.Root.CFrame += Vector3.new(7, 7, 7)
   if joint:IsA("JointInstance") then joint.C0 = CFrame.new(1, 2, 3) end
   joint.Parent = rig.Hand rig.Tail.CFrame *= CFrame.Angles(1, 1, 1)`,
  `local hand = workspace.Rig.Hand
   hand.Parent = game.ServerStorage workspace.Rig.Root.CFrame += Vector3.new(7, 7, 7) hand.CFrame *= CFrame.Angles(1, 1, 1)`,
  `local joint = workspace.Rig.Hand.ToHand
   joint.Parent = game.ServerStorage workspace.Rig.Root.CFrame += Vector3.new(7, 7, 7)`,
  `local joint = workspace.Rig.Hand.ToHand joint.Enabled = false
   joint.Parent.CFrame += Vector3.new(7, 7, 7) joint.Part0 = workspace.Rig.Root joint.Enabled = true
   workspace.Rig.Root.CFrame *= CFrame.Angles(1, 1, 1)`,
  `workspace.Rig.Arm.Anchored = true workspace.Rig.Tail.Anchored = true workspace.Rig.Arm.CFrame += Vector3.one`,
];

for (const [name, kinds] of Object.entries({ welded: WELDED, Motor6D: MOTORS })) {
  test(`undo, redo and a dry run give back each place of a ${name} assembly`, async () => {
    using peer = await BridgePeer.connectAsync();
    await luauAsync(peer, joinedRig(kinds));
    const before = await lookAsync(peer);
    for (const act of ACTS.filter((each) => name !== "welded" || !each.includes("Arm:Find"))) {
      const tried = await peer.askAsync("tryScript", { script: act });
      expect(tried.success).toBe(true);
      expect(off(await lookAsync(peer), before)).toEqual([]);
      await peer.executeAsync(act, { name: "sb: act" });
      const after = await lookAsync(peer);
      expect(off(after, before)).not.toEqual([]);
      await luauAsync(peer, `game:GetService("ChangeHistoryService"):Undo()`);
      expect(off(await lookAsync(peer), before)).toEqual([]);
      await luauAsync(peer, `game:GetService("ChangeHistoryService"):Redo()`);
      expect(off(await lookAsync(peer), after)).toEqual([]);
      await luauAsync(peer, `game:GetService("ChangeHistoryService"):Undo()`);
    }
  });

  test(`an exact patch puts each part of a ${name} assembly where it says, in any order`, async () => {
    for (const order of [RIG_NAMES, [...RIG_NAMES].reverse(), ["Hand", "Root", "Tail", "Arm", "Head"]]) {
      using peer = await BridgePeer.connectAsync();
      await luauAsync(peer, joinedRig(kinds));
      const before = await lookAsync(peer);
      for (const act of ACTS.slice(0, 5)) {
        await luauAsync(peer, act);
        const { ok, movedAlong } = await patchAsync(
          peer,
          order.map((each) => place(each, before[each])),
          { exact: true },
        );
        expect<unknown>({ ok, movedAlong }).toEqual({ ok: true, movedAlong: undefined });
        const wrong = off(await lookAsync(peer), before);
        expect(wrong.filter((each) => RIG_NAMES.includes(each))).toEqual([]);
      }
    }
  });
}

test("a part that a patch moves takes its assembly along, and the answer names what moved", async () => {
  using peer = await BridgePeer.connectAsync();
  await luauAsync(peer, joinedRig(WELDED));
  const { Root: root = [], ...before } = await lookAsync(peer);
  const moved = root.map((value, index) => (index === 1 ? value + 10 : value));
  const tried = await patchAsync(peer, [place("Root", moved)], { dryRun: true });
  const others = ["Arm", "Hand", "Head", "Tail"].map((name) => `game.Workspace.Rig.${name}`).sort();
  expect(tried.movedAlong).toEqual(others);
  expect(off(await lookAsync(peer), { Root: root, ...before })).toEqual([]);
  const { movedAlong } = await patchAsync(peer, [place("Root", moved)]);
  expect(movedAlong).toEqual(others);
  const after = await lookAsync(peer);
  expect((after["Tail"]?.[1] ?? 0) - (before["Tail"]?.[1] ?? 0)).toBeCloseTo(10, 3);
});

test("an exact patch leaves the parts where they were that joints would move along", async () => {
  using peer = await BridgePeer.connectAsync();
  await luauAsync(peer, joinedRig(WELDED));
  const before = await lookAsync(peer);
  const moved = (before["Hand"] ?? []).map((value, index) => (index === 1 ? value + 10 : value));
  const { movedAlong } = await patchAsync(peer, [place("Hand", moved)], { exact: true });
  expect(movedAlong).toBeUndefined();
  const wrong = off(await lookAsync(peer), { ...before, Hand: moved });
  expect(wrong.filter((name) => RIG_NAMES.includes(name))).toEqual([]);
});

test("a new joint that brings its parts together is named with what it moved", async () => {
  using peer = await BridgePeer.connectAsync();
  await luauAsync(
    peer,
    `for index, name in { "Base", "Loose" } do
       local part = Instance.new("Part") part.Name = name part.Anchored = index == 1
       part.Position = Vector3.new(index * 20, 0, 0) part.Parent = workspace
     end`,
  );
  const weld: PatchOperation = { op: "create", className: "Weld", parent: "Workspace.Base", as: "weld" };
  const joined: PatchOperation = {
    op: "set",
    path: "$weld",
    properties: {
      Part0: { type: "Instance", path: "Workspace.Base" },
      Part1: { type: "Instance", path: "Workspace.Loose" },
    },
  };
  const { ok, movedAlong } = await patchAsync(peer, [weld, joined]);
  expect({ ok, movedAlong }).toEqual({ ok: true, movedAlong: ["game.Workspace.Loose"] });
});

test("an exact patch also works in a Studio in which a Position takes the assembly along", async () => {
  using peer = await BridgePeer.connectAsync({ variants: ["joined-positions"] });
  await luauAsync(peer, joinedRig(WELDED));
  const before = await lookAsync(peer);
  await luauAsync(peer, ACTS[0] ?? "");
  await patchAsync(peer, [place("Hand", before["Hand"])], { exact: true });
  await patchAsync(
    peer,
    RIG_NAMES.map((each) => place(each, before[each])),
    { exact: true },
  );
  const wrong = off(await lookAsync(peer), before);
  expect(wrong.filter((each) => RIG_NAMES.includes(each))).toEqual([]);
});
