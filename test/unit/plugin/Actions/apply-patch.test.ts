/** applyPatch, undo and listSteps of the plugin, on headless Studio and without a host. */
import { expect, test } from "bun:test";
import type { ActionRequest } from "../../../../src/protocol/actions.ts";
import { BridgePeer } from "../bridge-peer.ts";

const CALLER = { id: "one", name: "claude" };
type Operations = ActionRequest<"applyPatch">["operations"];

function patchAsync(peer: BridgePeer, operations: Operations, rest: object = {}) {
  const name = `sb: edit ${operations.length} instances`;
  return peer.askAsync("applyPatch", { operations, name, caller: CALLER, ...rest });
}

const luauAsync = (peer: BridgePeer, script: string): Promise<unknown> => peer.luauAsync(script);

const shown = `local list = {}
  for _, child in workspace.Map:GetChildren() do table.insert(list, child.Name .. ":" .. child.ClassName) end
  table.sort(list) return table.concat(list, " ")`;

test("a patch creates, sets and names what it made, and one undo takes it all back", async () => {
  using peer = await BridgePeer.connectAsync();
  const result = await patchAsync(peer, [
    { op: "create", className: "Folder", parent: "Workspace", name: "Map", as: "map" },
    {
      op: "create",
      className: "Part",
      parent: "$map",
      as: "floor",
      properties: {
        Size: [10, 1, 10],
        Color: "#ff8000",
        Material: "Neon",
        Anchored: true,
        Transparency: 0.25,
        CFrame: [1, 2, 3],
      },
      attributes: { Zone: "Lobby", Level: 3 },
      tags: ["Ground"],
    },
    { op: "create", className: "ObjectValue", parent: "Workspace.Map", properties: { Value: "$floor" } },
    { op: "clone", path: "$floor", name: "Copy" },
    { op: "rename", path: "$floor", name: "Floor" },
    { op: "tag", path: "Workspace.Map.Floor", add: ["Wet"], remove: ["Ground"] },
  ]);
  expect(result).toMatchObject({ ok: true, undo: { recorded: true, name: "sb: edit 6 instances" } });
  expect(result.items.map(({ path }) => path)).toEqual([
    "game.Workspace.Map",
    "game.Workspace.Map.Floor",
    "game.Workspace.Map.Value",
    "game.Workspace.Map.Copy",
    "game.Workspace.Map.Floor",
    "game.Workspace.Map.Floor",
  ]);
  expect(result.items.every(({ id }) => /^@\d+$/.test(id ?? ""))).toBe(true);
  expect(
    await luauAsync(
      peer,
      `local floor = workspace.Map.Floor
       return floor.Size == Vector3.new(10, 1, 10), floor.Color:ToHex(), floor.Material.Name, floor.Position.Z,
         floor:GetAttribute("Level"), table.concat(floor:GetTags(), ","), workspace.Map.Value.Value == floor`,
    ),
  ).toEqual([true, "ff8000", "Neon", 3, 3, "Wet", true]);
  expect(await peer.askAsync("undo", { only: CALLER.id })).toEqual({ undone: ["sb: edit 6 instances"] });
  expect(await luauAsync(peer, `return workspace:FindFirstChild("Map") == nil`)).toEqual([true]);
  await peer.askAsync("undo", { redo: true });
  expect(await luauAsync(peer, shown)).toEqual(["Copy:Part Floor:Part Value:ObjectValue"]);
});

test("a patch with one wrong operation changes nothing, and has a verdict for each", async () => {
  using peer = await BridgePeer.connectAsync();
  await patchAsync(peer, [
    { op: "create", className: "Folder", parent: "Workspace", name: "Map" },
    { op: "create", className: "Part", parent: "Workspace.Map", name: "A" },
    { op: "create", className: "Part", parent: "Workspace.Map", name: "A" },
    { op: "create", className: "Part", parent: "Workspace.Map", name: "B" },
  ]);
  const { ok, items, undo } = await patchAsync(peer, [
    { op: "delete", path: "Workspace.Map.B" },
    { op: "delete", path: "Workspace.Map.A" },
    { op: "set", path: "Workspace.Map.A[2]", properties: { Size: "huge" } },
    { op: "set", path: "Workspace.Map.A[2]", properties: { Colour: 1 } },
    { op: "set", path: "@999" },
    { op: "rename", path: "Workspace.Map.A[1]", name: "C", expect: { properties: { Anchored: true } } },
    { op: "move", path: "Workspace.Map", parent: "Workspace.Map.A[1]" },
    { op: "create", className: "Workspace", parent: "Workspace" },
    { op: "delete", path: "Workspace" },
    { op: "rename", path: "Workspace.Map.A[2]", name: "D" },
  ]);
  expect(ok).toBe(false);
  expect(undo).toMatchObject({ recorded: false });
  expect(items.map(({ code }) => code)).toEqual([
    undefined,
    "AMBIGUOUS_PATH",
    "INVALID_VALUE",
    "PROPERTY_NOT_FOUND",
    "INSTANCE_NOT_FOUND",
    "PRECONDITION_FAILED",
    "EDIT_REFUSED",
    "EDIT_REFUSED",
    "EDIT_REFUSED",
    undefined,
  ]);
  expect(items[1]?.details).toMatchObject({
    candidates: [{ path: "game.Workspace.Map.A[1]" }, { path: "game.Workspace.Map.A[2]" }],
  });
  expect(items[5]?.details).toEqual({ found: { properties: { Anchored: false } } });
  expect(await luauAsync(peer, shown)).toEqual(["A:Part A:Part B:Part"]);
});

test("a dry run gives verdicts and paths, and leaves no step and no change", async () => {
  using peer = await BridgePeer.connectAsync();
  const result = await patchAsync(
    peer,
    [
      { op: "create", className: "Folder", parent: "Workspace", name: "Map", as: "map" },
      { op: "create", className: "Part", parent: "$map" },
    ],
    { dryRun: true },
  );
  expect(result).toMatchObject({ ok: true, undo: { recorded: false, reason: "this was a dry run" } });
  expect(result.items[1]?.path).toBe("game.Workspace.Map.Part");
  expect(await luauAsync(peer, `return workspace:FindFirstChild("Map") == nil`)).toEqual([true]);
  expect((await peer.askAsync("listSteps", {})).steps).toEqual([]);
});

test("sources are written with a precondition, and are part of the undo step", async () => {
  using peer = await BridgePeer.connectAsync();
  await luauAsync(
    peer,
    `local s = Instance.new("Script") s.Name = "Main" s.Source = "print(1)\\n" s.Parent = workspace`,
  );
  const hash = new Bun.CryptoHasher("sha1").update("blob 9\0print(1)\n").digest("hex");
  const wrong = await patchAsync(peer, [
    { op: "create", className: "Part", parent: "Workspace", name: "Extra" },
    { op: "source", path: "Workspace.Main", source: "print(3)", expect: { hash: "0".repeat(40) } },
  ]);
  expect(wrong.items[1]).toMatchObject({ code: "PRECONDITION_FAILED", details: { found: { hash } } });
  const right = await patchAsync(peer, [
    { op: "source", path: "Workspace.Main", source: "print(2)", expect: { hash } },
  ]);
  expect(right.ok).toBe(true);
  const read = `return workspace.Main.Source, workspace:FindFirstChild("Extra") == nil`;
  expect(await luauAsync(peer, read)).toEqual(["print(2)", true]);
  await peer.askAsync("undo", {});
  expect(await luauAsync(peer, read)).toEqual(["print(1)\n", true]);
});

test("undo stops at the step of another client or of a person, and force goes on", async () => {
  using peer = await BridgePeer.connectAsync();
  const create = (name: string): Operations => [
    { op: "create", className: "Part", parent: "Workspace", name },
  ];
  await patchAsync(peer, create("A"));
  await patchAsync(peer, create("B"), { name: "sb: other", caller: { id: "two", name: "codex" } });
  expect(await peer.askAsync("undo", { steps: 2, only: "one" })).toEqual({
    undone: [],
    stoppedAt: { name: "sb: other", by: "codex" },
  });
  await luauAsync(
    peer,
    `local history = game:GetService("ChangeHistoryService")
     task.wait()
     local id = history:TryBeginRecording("Drag")
     Instance.new("Part", workspace).Name = "C"
     history:FinishRecording(id, Enum.FinishRecordingOperation.Commit)`,
  );
  const stopped = await peer.askAsync("undo", { steps: 3 });
  expect(stopped.stoppedAt).toEqual({ name: "Drag", by: "a person or another plugin" });
  expect((await peer.askAsync("undo", { steps: 3, force: true })).undone).toEqual([
    "Drag",
    "sb: other",
    "sb: edit 1 instances",
  ]);
});

test("a patch that is sent again does not run again, and await tells what became of it", async () => {
  using peer = await BridgePeer.connectAsync();
  const payload = {
    operations: [{ op: "create", className: "Part", parent: "Workspace", name: "Once" }],
    name: "sb: edit 1 instance",
  };
  const answersAsync = (count: number) =>
    peer.untilAsync(() => {
      const found = peer.inbox.filter(({ type }) => type === "patchResult");
      return found.length === count ? found : undefined;
    }, `${count} answers`);
  peer.send("applyPatch", payload, "patch-1");
  await answersAsync(1);
  peer.send("applyPatch", payload, "patch-1");
  await answersAsync(2);
  peer.send("await", { fromSeq: 0 }, "patch-1");
  const [first, ...others] = await answersAsync(3);
  for (const other of others) expect(other.payload).toEqual(first?.payload);
  const count = `local n = 0 for _, c in workspace:GetChildren() do if c.Name == "Once" then n += 1 end end return n`;
  expect(await luauAsync(peer, count)).toEqual([1]);
});

test("a script is a step in whole, in part or not at all, and its result says so", async () => {
  using peer = await BridgePeer.connectAsync();
  const undoOfAsync = async (script: string, more: object = {}) =>
    (await peer.askAsync("execute", { script, ...more })).undo;
  const add = `Instance.new("Folder", workspace)`;
  expect(await undoOfAsync(add)).toEqual({ recorded: true, name: "sb: exec" });
  // The step before has the same name, so that only Studio's own word tells that this is none.
  expect(await undoOfAsync("return 1")).toEqual({
    recorded: false,
    name: "sb: exec",
    reason: "nothing is different from before",
  });
  const went = {
    recorded: "partly",
    name: "sb: run a.luau",
    reason: "the script went on after its first yield",
  };
  expect<unknown>(await undoOfAsync(`${add} task.wait()`, { chunkName: "a.luau" })).toEqual(went);
  expect(await undoOfAsync(`${add} task.delay(0.01, function() end)`)).toMatchObject({ recorded: "partly" });
  expect(await undoOfAsync(`${add} error("no")`)).toMatchObject({ recorded: true });
  expect(await undoOfAsync(`game:GetService("ChangeHistoryService"):SetWaypoint("Mine")`)).toEqual({
    recorded: false,
    name: "sb: exec",
    reason: "the script uses ChangeHistoryService itself",
  });
  const { steps } = await peer.askAsync("listSteps", {});
  expect(steps.filter(({ name }) => name.startsWith("sb:"))).toHaveLength(4);
});

test("a call that fails, and a dry run, keep the order of siblings, so that Part[2] stays the same Part", async () => {
  using peer = await BridgePeer.connectAsync();
  await luauAsync(
    peer,
    `for i = 1, 4 do local part = Instance.new("Part") part:SetAttribute("N", i) part.Parent = workspace end`,
  );
  const remove: Operations = [
    { op: "delete", path: "Workspace.Part[1]" },
    { op: "move", path: "Workspace.Part[2]", parent: "Lighting" },
  ];
  await patchAsync(peer, remove, { dryRun: true });
  await patchAsync(peer, [...remove, { op: "delete", path: "Workspace.Nothing" }]);
  const order = `local n = {} for _, c in workspace:GetChildren() do table.insert(n, c:GetAttribute("N")) end return table.concat(n)`;
  expect(await luauAsync(peer, order)).toEqual(["1234"]);
});

test("a patch beyond the limits is refused before it changes anything", async () => {
  using peer = await BridgePeer.connectAsync();
  const many = (count: number, operation: object) =>
    Array.from({ length: count }, () => operation) as Operations;
  const folder = { op: "create", className: "Folder", parent: "Workspace" };
  const script = (source: string) => ({
    op: "create",
    className: "Script",
    parent: "Workspace",
    properties: { Source: source },
  });
  for (const [operations, text] of [
    [many(5_001, folder), "These are 5001 operations; one patch has at most 5000."],
    [many(201, script("")), "These are 201 sources; one patch has at most 200."],
    [many(5, script("x".repeat(1024 * 1024))), "bytes of sources; one patch has at most 4194304 bytes."],
  ] as const) {
    const refusal = await patchAsync(peer, operations).catch(String);
    expect(refusal).toContain("PAYLOAD_TOO_LARGE");
    expect(refusal).toContain(text);
    expect(refusal).toContain("not_started");
  }
  expect(
    await luauAsync(
      peer,
      `return workspace:FindFirstChild("Folder") == nil, workspace:FindFirstChild("Script") == nil`,
    ),
  ).toEqual([true, true]);
  const step = { id: "long", isLast: true };
  expect((await patchAsync(peer, many(201, script("")), { step })).ok).toBe(true);
});
