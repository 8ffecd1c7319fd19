/** othersChanges of the plugin: what changes while no call of sb runs is another's, also before a reload of the plugin. */
import { expect, test } from "bun:test";
import type { RestoreLink } from "../../../../src/tree/checkpoints/apply-operations.ts";
import { takeCopyAsync } from "../../../../src/tree/checkpoints/checkpoint-copy.ts";
import { restoreAsync } from "../../../../src/tree/checkpoints/restore-checkpoint.ts";
import { BridgePeer } from "../bridge-peer.ts";
import { sessionInfo } from "../../command-kit/sessions/sessions-fixture.ts";

async function luauAsync(peer: BridgePeer, script: string): Promise<unknown> {
  const { reply } = await peer.executeAsync(script);
  expect(reply.payload).toMatchObject({ success: true });
  return Object(reply.payload).returnValues;
}

/** Runs a second later, when the call that starts it has ended and no other runs: as what a person does. */
async function asPersonAsync(peer: BridgePeer, script: string): Promise<void> {
  const done = crypto.randomUUID();
  await luauAsync(peer, `task.delay(1, function() ${script} print("${done}") end)`);
  await peer.untilAsync(() => peer.log.find((line) => line.includes(done)), "what the person does");
}

const contextOf = (peer: BridgePeer): RestoreLink => ({
  session: sessionInfo({ origin: "headless" }),
  caller: { id: "one", name: "test" },
  status: () => {},
  callAsync: (name, request) => peer.askAsync(name, request),
});

test("changes of calls are sb's, all others are not", async () => {
  using peer = await BridgePeer.connectAsync();
  await luauAsync(
    peer,
    `for _, name in { "A", "B", "C" } do Instance.new("Part", workspace).Name = name end`,
  );
  const { mark } = await peer.askAsync("othersChanges", {});
  await luauAsync(
    peer,
    `workspace.A.Anchored = true workspace.B:AddTag("T") task.wait() workspace.A.Name = "A2"`,
  );
  await peer.askAsync("applyPatch", {
    operations: [{ op: "set", path: "Workspace.C", attributes: { N: 1 } }],
    name: "step",
  });
  expect(await peer.askAsync("othersChanges", { since: mark })).toMatchObject({ isKnown: true, changes: [] });
  await asPersonAsync(peer, `workspace.B.Transparency = 0.5 workspace.C:Destroy()`);
  const { mark: second, changes } = await peer.askAsync("othersChanges", { since: mark });
  expect(changes).toMatchObject([
    { name: "B", className: "Part", path: "game.Workspace.B" },
    { name: "C", className: "Part" },
  ]);
  expect(await peer.askAsync("othersChanges", { since: second })).toMatchObject({ changes: [] });
  expect(await peer.askAsync("othersChanges", { since: "other/3" })).toMatchObject({
    isKnown: false,
    changes: [],
  });
});

test("what a reading finds changed without an event is not another's", async () => {
  using peer = await BridgePeer.connectAsync();
  const { mark } = await peer.askAsync("othersChanges", {});
  await peer.askAsync("readTree", { watch: true });
  await luauAsync(peer, "game.Lighting.Brightness = 7");
  // Until no call is open any more.
  await asPersonAsync(peer, "");
  await peer.askAsync("readTree", { watch: true });
  expect(await peer.askAsync("othersChanges", { since: mark })).toMatchObject({ isKnown: true, changes: [] });
});

test("a restore stops at what a person changed, names it, and goes on with force", async () => {
  using peer = await BridgePeer.connectAsync();
  const context = contextOf(peer);
  await luauAsync(
    peer,
    `for _, name in { "A", "B", "C" } do Instance.new("Part", workspace).Name = name end`,
  );
  const { mark } = await peer.askAsync("othersChanges", {});
  const copy = await takeCopyAsync(context);
  const wish = { name: "c", mark, copy, force: false };
  await luauAsync(peer, `workspace.A:Destroy() local f = Instance.new("Folder", workspace) f.Name = "New"`);
  await asPersonAsync(
    peer,
    `Instance.new("Part", workspace.New).Name = "Theirs" workspace.B.Anchored = true`,
  );
  expect(await restoreAsync(wish, context).catch((error: unknown) => error)).toMatchObject({
    code: "CHANGED_BY_OTHERS",
    message: "A person or another plugin has changed Workspace.B, Workspace.New. Nothing was restored.",
    data: { paths: ["Workspace.B", "Workspace.New"] },
  });
  expect(await luauAsync(peer, `return workspace:FindFirstChild("A") == nil`)).toEqual([true]);
  expect(await restoreAsync({ ...wish, force: true }, context)).toMatchObject({ changes: 3 });
  expect(await luauAsync(peer, `return workspace.A.ClassName, workspace.B.Anchored`)).toEqual([
    "Part",
    false,
  ]);
});

test("a reload of the plugin loses neither the checkpoint nor what a person changed before it", async () => {
  using peer = await BridgePeer.connectAsync();
  const context = contextOf(peer);
  await luauAsync(
    peer,
    `for _, name in { "A", "B", "C", "C" } do Instance.new("Part", workspace).Name = name end
     local model = Instance.new("Model", workspace) model.PrimaryPart = Instance.new("Part", model)`,
  );
  const { mark } = await peer.askAsync("othersChanges", {});
  const copy = await takeCopyAsync(context);
  const wish = { name: "c", mark, copy, force: false };
  await luauAsync(peer, `workspace.A:Destroy() workspace.Model.PrimaryPart = nil`);
  peer.reload();
  await peer.untilAsync(() => peer.registrations > 1, "second registration");
  expect(await restoreAsync(wish, context)).toMatchObject({ changes: 2, undo: { recorded: true } });
  await asPersonAsync(peer, `workspace.B.Anchored = true`);
  peer.reload();
  await peer.untilAsync(() => peer.registrations > 2, "third registration");
  expect(await restoreAsync(wish, context).catch((error: unknown) => error)).toMatchObject({
    code: "CHANGED_BY_OTHERS",
    data: { paths: ["Workspace.B"] },
  });
});
