/** The panel of the whole plugin: what it says of its connection and of requests, and what its buttons do. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { untilAsync } from "../../../harness.ts";
import { PanelHand } from "../../../peers/panel-hand.ts";
import { admit, BridgePeer, PORT, SESSION_ID } from "../bridge-peer.ts";

setDefaultTimeout(120_000);

const CALLER = { id: "c1", name: "Claude Code" };

const readAsync = (peer: BridgePeer, luau: string): Promise<string> => new PanelHand(peer).readAsync(luau);
const textAsync = (peer: BridgePeer, path: string): Promise<string> => new PanelHand(peer).textAsync(path);
const openAsync = (peer: BridgePeer): Promise<void> => new PanelHand(peer).openAsync();
const click = (peer: BridgePeer, path: string): Promise<string> => new PanelHand(peer).clickAsync(path);
const untilTextAsync = (peer: BridgePeer, path: string, expected: RegExp): Promise<string> =>
  new PanelHand(peer).untilTextAsync(path, expected);

function ask(peer: BridgePeer, type: string, payload: object, header: object = {}): void {
  const envelope = { type, sessionId: SESSION_ID, requestId: crypto.randomUUID(), caller: CALLER };
  peer.sendRaw(JSON.stringify({ ...envelope, summary: `${type} of a test`, ...header, payload }));
}

/** The texts of the rows, the newest first: what was asked, and how it ended without the time. */
const rowsAsync = async (peer: BridgePeer): Promise<readonly string[]> =>
  JSON.parse(
    await readAsync(
      peer,
      `local rows = {} for _, o in widget.Panel.Activity.Requests:GetChildren() do
        if o:IsA("TextButton") then table.insert(rows, o) end end
      table.sort(rows, function(a, b) return a.LayoutOrder < b.LayoutOrder end)
      local texts = {} for i, o in rows do texts[i] = o.What.Text .. ": " .. string.match(o.Head.Ending.Text, "^%a[%a ]*") end
      return game:GetService("HttpService"):JSONEncode(texts)`,
    ),
  );

async function untilRowsAsync(peer: BridgePeer, expected: readonly string[]): Promise<void> {
  for (let tries = 0; ; tries++) {
    const rows = await rowsAsync(peer);
    if (JSON.stringify(rows) === JSON.stringify(expected)) return;
    if (tries > 200) expect(rows).toEqual(expected);
    await Bun.sleep(20);
  }
}

test("the panel names the host and the clients, and says why there is none and that it looks again", async () => {
  using peer = await BridgePeer.connectAsync();
  await openAsync(peer);
  expect(await untilTextAsync(peer, "Status.State", /^Connected$/)).toBe("Connected");
  expect(await textAsync(peer, "Status.Host")).toBe(`Bridge host: 127.0.0.1:${PORT}`);
  expect(await textAsync(peer, "Status.Clients")).toBe("No client uses it now.");
  peer.send("clients", { clients: [CALLER, { id: "c2", name: "sb" }, { id: "c3", name: "sb" }] });
  await untilTextAsync(peer, "Status.Clients", /^Says it is Claude Code\nSays it is sb \(2\)$/);
  peer.dropSocket();
  await peer.untilAsync(() => peer.registrations > 1, "a second registration");
  await untilTextAsync(peer, "Status.State", /^Connected$/);
});

test("without a host the panel says what to do, and Reconnect looks at once", async () => {
  let isThere = false;
  const healthy = JSON.stringify({ name: "studio-bridge", status: "ok", port: PORT });
  using peer = await BridgePeer.startAsync({
    health: () => (isThere ? { status: 200, body: healthy } : undefined),
  });
  await openAsync(peer);
  await untilTextAsync(peer, "Status.State", /^Looking for a bridge host$/);
  expect(await textAsync(peer, "Status.Host")).toContain("`sb sessions` starts one");
  await peer.untilAsync(() => peer.answersUnderWay === 0 && peer.requests.length > 0, "a first look");
  isThere = true;
  expect(await click(peer, "Status.Buttons.Reconnect")).toBe("Reconnect");
  await untilTextAsync(peer, "Status.State", /^Connected$/);
});

test("a plugin without the key is told to be installed again", async () => {
  using peer = await BridgePeer.startAsync({
    paired: false,
    respond: (host, frame) => {
      if (frame.type === "hello") host.send("error", { code: "UNPAIRED", message: "no" }, frame.requestId);
    },
  });
  await openAsync(peer);
  await untilTextAsync(peer, "Status.State", /^Not connected$/);
  expect(await textAsync(peer, "Status.Host")).toContain('Run "sb install-plugin" and restart Studio.');
});

test("each request of a client is listed with its end, refused and failed ones too", async () => {
  using peer = await BridgePeer.connectAsync();
  await openAsync(peer);
  ask(peer, "queryState", {});
  ask(peer, "execute", { script: "return 1" });
  ask(peer, "execute", { script: "error('x')" }, { summary: "exec bad.luau" });
  ask(peer, "readScript", { path: "game.Workspace.Nothing" });
  ask(peer, "execute", { script: `return string.rep("x", 2e6)` }, { summary: "exec long" });
  await peer.untilAsync(() => peer.inbox.find(({ type }) => type === "chunk"), "a long reply");
  ask(peer, "execute", { script: "task.wait(1e6)" }, { summary: "exec for ever" });
  // A request of the host itself has no caller.
  ask(peer, "subscribe", { events: ["stateChange"] }, { caller: undefined });
  await untilRowsAsync(peer, [
    "exec for ever: runs",
    "exec long: done",
    "readScript of a test: error",
    "exec bad.luau: failed",
    "execute of a test: done",
    "queryState of a test: done",
  ]);
  peer.trigger("StudioBridgeLookOnly");
  ask(peer, "execute", { script: "return 1" }, { summary: "exec again" });
  peer.trigger("StudioBridgePause");
  ask(peer, "readScript", { path: "game.Workspace" }, { summary: "read" });
  for (let tries = 0; (await rowsAsync(peer)).length < 8 && tries < 200; tries++) await Bun.sleep(20);
  expect((await rowsAsync(peer)).slice(0, 2)).toEqual(["read: paused", "exec again: refused"]);
  expect(await textAsync(peer, "Permission.Paused")).toMatch(/^Paused since /);
  peer.dropSocket();
  await untilTextAsync(peer, "Activity.Requests.Row.More", /^$/);
  for (let tries = 0; !(await rowsAsync(peer)).includes("exec for ever: no answer") && tries < 200; tries++)
    await Bun.sleep(20);
  expect(await rowsAsync(peer)).toContain("exec for ever: no answer");
});

test("requests of one command that only look make one line with their number", async () => {
  using peer = await BridgePeer.connectAsync();
  await openAsync(peer);
  const lookAsync = async (summary: string, header: object = {}) => {
    const before = peer.inbox.length;
    ask(peer, "readScript", { path: "game.Workspace" }, { summary, ...header });
    ask(peer, "queryState", {}, { summary, ...header });
    await peer.untilAsync(() => peer.inbox.length >= before + 2, "the answers");
  };
  await lookAsync("readScript");
  peer.inbox.length = 0;
  for (const path of ["A", "B"]) {
    ask(peer, "queryState", {}, { summary: `sync ${path}` });
    await peer.nextAsync("stateResult");
  }
  ask(peer, "queryState", {}, { summary: "sync C", caller: { id: "c2", name: "sb" } });
  await peer.nextAsync("stateResult");
  await untilRowsAsync(peer, [
    "sync C: done",
    "sync B (2 requests): done",
    "readScript: done",
    "readScript: error",
  ]);
});

test("a click on a request selects what it has changed, and Undo takes it back as sb undo does", async () => {
  using peer = await BridgePeer.connectAsync();
  await openAsync(peer);
  const create = { op: "create", className: "Part", parent: "game.Workspace", name: "Made" };
  ask(peer, "applyPatch", { name: "sb new", operations: [create], caller: CALLER });
  await untilRowsAsync(peer, ["applyPatch of a test: done"]);
  expect(await untilTextAsync(peer, "Activity.Undoing.Next", /Claude/)).toBe(
    "Last step: sb new (Claude Code)",
  );
  expect(await click(peer, "Activity.Requests.Row")).toBe("Row");
  expect(await untilTextAsync(peer, "Activity.Requests.Row.More", /./)).toBe(
    "applyPatch: It may change the place. Selected 1 Instance that it changed.",
  );
  expect((await peer.askAsync("select", {})).selection).toMatchObject([{ path: "game.Workspace.Made" }]);
  expect(await click(peer, "Activity.Undoing.Undo")).toBe("Undo");
  await untilTextAsync(peer, "Activity.Undoing.Told", /^Undone: sb new$/);
  expect(await readAsync(peer, `return tostring(workspace:FindFirstChild("Made"))`)).toBe("nil");
  expect(await textAsync(peer, "Activity.Undoing.Next")).toBe("Nothing that sb has changed can be undone.");
});

test("Undo stops at a step of a sync, and at what a person has done", async () => {
  using peer = await BridgePeer.connectAsync();
  await openAsync(peer);
  const create = { op: "create", className: "Part", parent: "game.Workspace", name: "Made" };
  const sync = { project: "p", plan: "q" };
  ask(peer, "applyPatch", { name: "sb sync", operations: [create], caller: CALLER, sync });
  expect(await untilTextAsync(peer, "Activity.Undoing.Next", /sync/)).toBe(
    "Last step: sb sync (Claude Code). It was made together with files: run `sb sync undo`.",
  );
  expect(await click(peer, "Activity.Undoing.Undo")).toBe("nil");
  await readAsync(
    peer,
    `local h = game:GetService("ChangeHistoryService") local id = h:TryBeginRecording("mine", "mine")
    Instance.new("Part", workspace) h:FinishRecording(id, Enum.FinishRecordingOperation.Commit) return ""`,
  );
  expect(await untilTextAsync(peer, "Activity.Undoing.Next", /person/)).toBe(
    "Last step: mine. Made by a person or another plugin: undo it with Studio's own Undo.",
  );
  expect(await click(peer, "Activity.Undoing.Undo")).toBe("nil");
});

test("what a sync has left to a person is named with its folder, until a sync leaves nothing", async () => {
  using peer = await BridgePeer.connectAsync();
  await openAsync(peer);
  await untilTextAsync(peer, "Sync.Open", /^No sync waits for an answer\.$/);
  const holder = { id: "h", name: "sb sync (process 7 on laptop)" };
  ask(peer, "syncOpen", { holder });
  await untilTextAsync(peer, "Sync.Open", /^Held by sb sync \(process 7 on laptop\)\.$/);
  ask(peer, "syncOpen", { holder, holdMs: 0, left: { folder: "game", open: 2, failed: 1 } });
  expect(await untilTextAsync(peer, "Sync.Open", /game/)).toMatch(
    /^game: 2 changes open, 1 failed since \d\d:\d\d:\d\d, by sb sync \(process 7 on laptop\)\. Answer with `sb sync` in a terminal in that folder; `sb sync status` shows it\.$/,
  );
  ask(peer, "syncOpen", { holder, holdMs: 0, left: { folder: "game", open: 0, failed: 0 } });
  await untilTextAsync(peer, "Sync.Open", /^No sync waits for an answer\.$/);
});

test("what runs is listed with Stop, under a pause too, and is told who has stopped it", async () => {
  using peer = await BridgePeer.connectAsync();
  await openAsync(peer);
  const started = peer.inbox.length;
  ask(peer, "execute", { script: "task.wait(1e6)" }, { summary: "exec for ever" });
  ask(
    peer,
    "wait",
    { condition: "until", source: "return false", timeoutMs: 1e6 },
    { summary: "wait until" },
  );
  peer.trigger("StudioBridgePause");
  await untilTextAsync(peer, "Permission.Running.Frame.What", /^Claude Code runs exec for ever, /);
  // The other requests of a client do not take what runs out of the list.
  for (let at = 0; at < 120; at++) ask(peer, "queryState", {}, { summary: `state${at} x` });
  await untilTextAsync(peer, "Permission.Running.Frame.What", /^Claude Code runs exec for ever, /);
  await new PanelHand(peer).pressAsync("Permission.Running", "Stop");
  const end = await peer.untilAsync(
    () => peer.inbox.slice(started).find(({ type }) => type === "scriptComplete"),
    "the end of the script",
  );
  expect(end.payload).toMatchObject({
    success: false,
    error: "The person at Studio has stopped this.",
    errorInfo: { code: "CANCELLED" },
  });
  await new PanelHand(peer).pressAsync("Permission.Running", "Stop");
  const waited = await peer.untilAsync(
    () => peer.inbox.slice(started).find(({ type }) => type === "error"),
    "the end of the wait",
  );
  expect(waited.payload).toMatchObject({ message: "The person at Studio has stopped this." });
  await untilAsync("nothing runs any more", async () =>
    (await readAsync(peer, "return widget.Panel.Permission.Running.Visible")) === "false" ? true : undefined,
  );
});

test("a change and a play test that wait for their turn are told who has stopped them", async () => {
  using peer = await BridgePeer.connectAsync();
  await openAsync(peer);
  const stopAsync = async (type: string, payload: object) => {
    const requestId = crypto.randomUUID();
    ask(peer, type, payload, { requestId });
    await untilTextAsync(peer, "Permission.Running.Frame.What", new RegExp(`runs ${type} of a test`));
    await new PanelHand(peer).pressAsync("Permission.Running", "Stop");
    const isEnd = (frame: { type: string; requestId?: string }) =>
      frame.type === "error" && frame.requestId === requestId;
    return (await peer.untilAsync(() => peer.inbox.find(isEnd), `the end of ${type}`)).payload;
  };
  const stopped = { code: "CANCELLED", message: "The person at Studio has stopped this." };
  const operations = [{ op: "set", path: "game.Workspace", properties: { Gravity: 1 } }];
  // An open step keeps the turn of changes.
  ask(peer, "applyPatch", { name: "x", operations, step: { id: "s", isLast: false } });
  expect(await stopAsync("undo", {})).toMatchObject({ ...stopped, outcome: "not_started" });
  expect(await stopAsync("startTest", { mode: "run" })).toMatchObject({ ...stopped, outcome: "not_started" });
});

test("of two copies of the level the stricter one holds, the panel says so, and a choice goes to the host", async () => {
  using peer = await BridgePeer.connectAsync({
    respond: (host, frame) => {
      if (frame.type !== "register") return admit(host, frame);
      const payload = { sessionId: SESSION_ID, capabilities: ["execute"], permission: "look" };
      host.send("registered", payload, frame.requestId, "");
    },
  });
  await openAsync(peer);
  expect(await untilTextAsync(peer, "Permission.Notice", /./)).toBe(
    "Studio had lost the level, and the bridge host had kept it. It holds until you choose.",
  );
  await untilTextAsync(peer, "Permission.Means", /^Requests may look/);
  const hand = new PanelHand(peer);
  await hand.pressAsync("Permission", "Use for other places too");
  expect((await peer.nextAsync("permissionChosen")).payload).toEqual({ permission: "look", isDefault: true });
  await hand.pressAsync("Permission.Levels", "Everything");
  expect((await peer.nextAsync("permissionChosen")).payload).toEqual({
    permission: "everything",
    isDefault: false,
  });
  await untilTextAsync(peer, "Permission.Notice", /^$/);
  // The host's copy is older than what the person has chosen in this window.
  peer.dropSocket();
  expect((await peer.nextAsync("permissionChosen")).payload).toMatchObject({ isDefault: true });
  expect((await peer.nextAsync("permissionChosen")).payload).toMatchObject({ permission: "everything" });
  await untilTextAsync(peer, "Permission.Means", /^Requests may change/);
});
