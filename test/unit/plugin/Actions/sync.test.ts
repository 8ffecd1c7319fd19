/** syncOpen and watchTree of the plugin, on headless Studio and without a host. */
import { expect, test } from "bun:test";
import { words } from "../../../../src/protocol/words.ts";
import { BridgePeer } from "../bridge-peer.ts";

const ONE = { id: "laptop/1", name: "sb sync (process 1)" };
const OTHER = { id: "laptop/2", name: "sb sync (process 2)" };

async function luauAsync(peer: BridgePeer, script: string): Promise<void> {
  expect(await peer.askAsync("execute", { script })).toMatchObject({ success: true });
}

const pushesOf = (peer: BridgePeer) =>
  peer.inbox.filter(({ type }) => type === "treeChange").map(({ payload }) => payload);

test("a place is held by one sync at a time, and others are told by which", async () => {
  using peer = await BridgePeer.connectAsync();
  const open = await peer.askAsync("syncOpen", { holder: ONE });
  expect(open).toMatchObject({ state: "Edit", placeId: 0, gameId: 0, canMakeModels: true });
  expect(open.mark).toBeUndefined();
  expect((await peer.askAsync("syncOpen", { holder: ONE })).generation).toBe(open.generation);
  await expect(peer.askAsync("syncOpen", { holder: OTHER })).rejects.toThrow(/process 1.*SYNC_IN_PROGRESS/);

  await peer.askAsync("syncOpen", { holder: OTHER, holdMs: 0 });
  await expect(peer.askAsync("syncOpen", { holder: OTHER })).rejects.toThrow("SYNC_IN_PROGRESS");
  await peer.askAsync("syncOpen", { holder: ONE, holdMs: 0 });
  await peer.askAsync("syncOpen", { holder: OTHER });
});

test("a holder that is known to be dead, or that does not renew its hold, makes room", async () => {
  using peer = await BridgePeer.connectAsync();
  await peer.askAsync("syncOpen", { holder: ONE });
  await peer.askAsync("syncOpen", { holder: OTHER, replaces: ONE.id, holdMs: 1 });
  await peer.untilAsync(
    () =>
      peer.askAsync("syncOpen", { holder: ONE }).then(
        () => true,
        () => false,
      ),
    "end of the hold",
  );
});

test("the mark of a place is what a sync left in ServerStorage", async () => {
  using peer = await BridgePeer.connectAsync();
  await luauAsync(peer, `game.ServerStorage:SetAttribute("${words.placeMark}", "abc")`);
  expect((await peer.askAsync("syncOpen", { holder: ONE })).mark).toBe("abc");
});

async function watchAsync(peer: BridgePeer): Promise<string> {
  await peer.askAsync("subscribe", { events: ["treeChange"] });
  expect(await peer.askAsync("watchTree", { isOn: true })).toMatchObject({ isWatched: true });
  const { mark } = await peer.askAsync("readTree", { watch: true });
  if (mark === undefined) throw new Error("expected a mark");
  return mark;
}

test("readTree finds a change of what changes often, of which the engine tells nothing", async () => {
  using peer = await BridgePeer.connectAsync();
  await luauAsync(peer, `Instance.new("Sound", workspace).Name = "Wind"`);
  await peer.askAsync("watchTree", { isOn: true });
  const first = await peer.askAsync("readTree", { watch: true, hashes: true });
  const again = await peer.askAsync("readTree", { watch: true, hashes: true, since: first.mark });
  expect(again).toMatchObject({ isPartial: true, ids: "" });
  const quietly =
    'local Objects = engine("./Instances/Objects") Objects.store(Objects.data(workspace.Wind), "Volume", 3)';
  peer.studio.runSource("=Quietly", quietly);
  const changed = await peer.askAsync("readTree", { watch: true, hashes: true, since: again.mark });
  expect(changed).toMatchObject({ isPartial: true, names: "Wind" });
  const last = await peer.askAsync("readTree", { watch: true, hashes: true, since: changed.mark });
  expect(last).toMatchObject({ isPartial: true, ids: "" });
});

test("a change is told, and readTree says what it was", async () => {
  using peer = await BridgePeer.connectAsync();
  await luauAsync(peer, `local part = Instance.new("Part") part.Name = "Door" part.Parent = workspace`);
  const since = await watchAsync(peer);
  expect(pushesOf(peer)).toEqual([]);
  for (const change of [
    "workspace.Door.Transparency = 1",
    'workspace.Door:SetAttribute("Open", true)',
    'workspace.Door:AddTag("Exit")',
    'workspace.Door.Name = "Gate"',
    'Instance.new("Folder", workspace.Gate)',
    "workspace.Gate.Parent = game.ReplicatedStorage",
    "game.ReplicatedStorage.Gate:Destroy()",
  ]) {
    peer.inbox.length = 0;
    await luauAsync(peer, change);
    await peer.untilAsync(() => pushesOf(peer).length > 0, `a message about ${change}`);
    expect(pushesOf(peer)).toEqual([{ typing: [] }]);
  }
  const { isPartial, ids, removed } = await peer.askAsync("readTree", { watch: true, since });
  expect({ isPartial, ids, gone: removed.length }).toEqual({ isPartial: true, ids: "", gone: 2 });
});

test("many changes are one or two messages, and none comes after the end of the watching", async () => {
  using peer = await BridgePeer.connectAsync();
  await watchAsync(peer);
  await luauAsync(peer, `for index = 1, 500 do Instance.new("Folder", workspace).Name = tostring(index) end`);
  await peer.untilAsync(() => pushesOf(peer).length > 0, "a message");
  await peer.askAsync("watchTree", { isOn: false });
  const count = pushesOf(peer).length;
  expect(count).toBeLessThanOrEqual(2);
  await luauAsync(peer, `Instance.new("Folder", workspace) task.wait(0.3)`);
  expect(pushesOf(peer).length).toBe(count);
});

test("a message that could not be sent comes when there is a receiver again", async () => {
  using peer = await BridgePeer.connectAsync();
  await watchAsync(peer);
  await peer.askAsync("unsubscribe", { events: ["treeChange"] });
  await luauAsync(peer, `Instance.new("Folder", workspace) task.wait(0.3)`);
  expect(pushesOf(peer)).toEqual([]);
  await peer.askAsync("subscribe", { events: ["treeChange"] });
  await peer.untilAsync(() => pushesOf(peer).length > 0, "the message");
});

test("a script in which a person types counts as changed after a quiet second", async () => {
  using peer = await BridgePeer.connectAsync();
  await luauAsync(
    peer,
    `local script = Instance.new("Script") script.Parent = workspace
     game.ScriptEditorService:OpenScriptDocumentAsync(script)`,
  );
  const since = await watchAsync(peer);
  const typeAsync = () =>
    luauAsync(
      peer,
      `local document = game.ScriptEditorService:FindScriptDocument(workspace.Script)
       document:EditTextAsync("x = 1", 1, 1, 1, 1)`,
    );
  // A machine that stands still meanwhile makes the quiet second pass unseen, and gets another try.
  let [typedMs, isInTime] = [0, false];
  for (let attempt = 0; attempt < 6 && !isInTime; attempt += 1) {
    peer.inbox.length = 0;
    typedMs = performance.now();
    await typeAsync();
    await luauAsync(peer, "task.wait(0.3)");
    const before = pushesOf(peer);
    await luauAsync(peer, `Instance.new("Folder", workspace)`);
    const [during] = await peer.untilAsync(
      () => (pushesOf(peer).length > 0 ? pushesOf(peer) : false),
      "a message",
    );
    isInTime = performance.now() - typedMs < 900;
    if (isInTime) {
      expect(before).toEqual([]);
      expect(during).toEqual({ typing: [expect.stringMatching(/^@\d+$/)] });
    } else await luauAsync(peer, "task.wait(1.5)");
  }
  expect(isInTime).toBe(true);
  peer.inbox.length = 0;
  await peer.untilAsync(() => pushesOf(peer).length > 0, "a message about the script");
  expect(pushesOf(peer)).toEqual([{ typing: [] }]);
  expect(performance.now() - typedMs).toBeGreaterThan(950);
  const { sourceHashes } = await peer.askAsync("readTree", { watch: true, since });
  expect(sourceHashes.length).toBe(1);
});
