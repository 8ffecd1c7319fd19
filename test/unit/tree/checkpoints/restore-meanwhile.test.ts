/** What changes while a restore is prepared is not overwritten: nothing is restored, and the next restore sees the change. */
import { expect, test } from "bun:test";
import type { RestoreLink } from "../../../../src/tree/checkpoints/apply-operations.ts";
import { takeCopyAsync } from "../../../../src/tree/checkpoints/checkpoint-copy.ts";
import { restoreAsync } from "../../../../src/tree/checkpoints/restore-checkpoint.ts";
import { LOOK_AT_PLACE, placeTextWithoutOrder } from "../../../place-text.ts";
import { BridgePeer } from "../../plugin/bridge-peer.ts";
import { sessionInfo } from "../../command-kit/sessions/sessions-fixture.ts";

const SETUP = `
local part = Instance.new("Part")
part.Name, part.Parent = "Door", workspace
part:SetAttribute("Speed", 1)
local code = Instance.new("ModuleScript")
code.Name, code.Source, code.Parent = "Code", "return 1", game.ReplicatedStorage
local link = Instance.new("ObjectValue")
link.Name, link.Value, link.Parent = "Link", part, workspace`;

/** What the restore takes back. */
const CHANGE = `
workspace.Door.Transparency = 0.5
workspace.Door:SetAttribute("Speed", 2)
game.ReplicatedStorage.Code.Source = "return 2"
workspace.Link.Value = nil
game.ReplicatedStorage.Code.Parent = workspace
workspace.Door.Name = "Gate"
Instance.new("Folder", workspace).Name = "New"`;

async function runAsync(peer: BridgePeer, script: string): Promise<unknown> {
  const { reply } = await peer.executeAsync(script);
  expect(reply.payload).toMatchObject({ success: true });
  return Object(reply.payload).returnValues[0];
}

const lookAsync = async (peer: BridgePeer) => placeTextWithoutOrder(await runAsync(peer, LOOK_AT_PLACE));

/** `meanwhile` runs right before the patch that `at` counts. */
class Meanwhile {
  /** How many operations each patch had. */
  readonly sent: number[] = [];
  /** The place once a person has changed it. */
  place = "";
  readonly context: RestoreLink;

  constructor(peer: BridgePeer, script: string, at = 1) {
    const callAsync: RestoreLink["callAsync"] = async (name, request) => {
      const operations: unknown = Object(request).operations;
      if (Array.isArray(operations) && this.sent.push(operations.length) === at) {
        await runAsync(peer, script);
        this.place = await lookAsync(peer);
      }
      return peer.askAsync(name, request);
    };
    const session = sessionInfo({ origin: "user" });
    this.context = { session, caller: { id: "one", name: "test" }, status: () => {}, callAsync };
  }
}

async function wishAsync(peer: BridgePeer, context: RestoreLink) {
  const { mark } = await peer.askAsync("othersChanges", {});
  return { name: "before", mark, copy: await takeCopyAsync(context), force: true };
}

test.each([
  ["a property", "workspace.Gate.Transparency = 0.7"],
  ["an attribute", "workspace.Gate:SetAttribute('Speed', 3)"],
  ["a source", "workspace.Code.Source = 'return 3'"],
  ["a reference", "workspace.Link.Value = workspace.Code"],
  ["a name", "workspace.Gate.Name = 'Third'"],
  ["a parent", "workspace.Code.Parent = game.ServerStorage"],
  ["what is below an Instance that would go", "Instance.new('Folder', workspace.New)"],
])("%s", async (_, script) => {
  using peer = await BridgePeer.connectAsync();
  await runAsync(peer, SETUP);
  const before = await lookAsync(peer);
  const meanwhile = new Meanwhile(peer, script);
  const wish = await wishAsync(peer, meanwhile.context);
  await runAsync(peer, CHANGE);
  await expect(restoreAsync(wish, meanwhile.context)).rejects.toMatchObject({
    code: "CHANGED_BY_OTHERS",
    message: expect.stringContaining("Nothing was restored."),
  });
  expect((await lookAsync(peer)) === meanwhile.place).toBe(true);
  expect((await restoreAsync(wish, meanwhile.context)).remaining).toBeUndefined();
  expect((await lookAsync(peer)) === before).toBe(true);
});

test("a reference to what was destroyed leads to the restored Instance again", async () => {
  using peer = await BridgePeer.connectAsync();
  await runAsync(peer, SETUP);
  const before = await lookAsync(peer);
  const { context } = new Meanwhile(peer, "", 0);
  const wish = await wishAsync(peer, context);
  await runAsync(peer, "workspace.Door:Destroy()");
  expect((await restoreAsync(wish, context)).remaining).toBeUndefined();
  expect((await lookAsync(peer)) === before).toBe(true);
});

test("a restore in parts takes back the parts that it has made", async () => {
  using peer = await BridgePeer.connectAsync();
  await runAsync(
    peer,
    `for index = 1, 450 do
      local part = Instance.new("Part", workspace)
      part.Name = "Part" .. index
    end`,
  );
  const meanwhile = new Meanwhile(peer, "", 0);
  const wish = await wishAsync(peer, meanwhile.context);
  // A person who changes the last part while the first ones are restored.
  await runAsync(
    peer,
    `for index = 1, 450 do workspace["Part" .. index].Transparency = 0.5 end
    local last = workspace.Part450
    workspace.Part1:GetPropertyChangedSignal("Transparency"):Once(function()
      task.defer(function() last.Transparency = 0.7 end)
    end)`,
  );
  await expect(restoreAsync(wish, meanwhile.context)).rejects.toMatchObject({ code: "CHANGED_BY_OTHERS" });
  // Studio's window would stall while it read larger requests.
  expect(meanwhile.sent).toEqual([200, 200, 50, 0]);
  const countAsync = (value: number) =>
    runAsync(
      peer,
      `local count = 0
      for _, part in workspace:GetChildren() do
        if part.ClassName == "Part" and math.abs(part.Transparency - ${value}) < 0.01 then count += 1 end
      end
      return count`,
    );
  // Studio's undo takes along what a person did while the step was recorded.
  expect([await countAsync(0.5), await countAsync(0.7)]).toEqual([450, 0]);
  expect((await restoreAsync(wish, meanwhile.context)).remaining).toBeUndefined();
  expect(await countAsync(0)).toBe(450);
});
