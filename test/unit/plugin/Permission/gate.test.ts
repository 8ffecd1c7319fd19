/** What the plugin refuses where the person at Studio lets requests look only, or has paused them. */
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { actionNames, actions } from "../../../../src/protocol/actions.ts";
import type { ActionName } from "../../../../src/protocol/actions.ts";
import { classOf } from "../../../../src/protocol/classes.ts";
import { messageExamples } from "../../../../src/protocol/examples.ts";
import { words } from "../../../../src/protocol/words.ts";
import { BridgePeer, SESSION_ID } from "../bridge-peer.ts";

setDefaultTimeout(120_000);

/** Written by hand from what each request may do, apart from the classes in the action table. */
const JUDGED: { readonly [Name in ActionName]: "look" | "change" | "run" | "follow" } = {
  queryState: "look",
  queryCaveats: "look",
  readInterface: "look",
  setViewport: "look",
  input: "run",
  queryLogs: "look",
  queryDataModel: "look",
  checkSources: "look",
  readScript: "look",
  readScripts: "look",
  readTree: "look",
  readItems: "look",
  othersChanges: "look",
  findInstances: "look",
  select: "look",
  wait: "look",
  captureScreenshot: "look",
  complete: "look",
  execute: "run",
  tryScript: "run",
  runInGame: "run",
  provideInput: "follow",
  applyPatch: "change",
  insertModel: "change",
  exportModel: "look",
  findModels: "look",
  queryPlaceFile: "look",
  savePlace: "change",
  endStudio: "change",
  startTest: "run",
  stopTest: "run",
  undo: "change",
  listSteps: "look",
  syncOpen: "look",
  nameRevision: "change",
  watchTree: "look",
  subscribe: "look",
  unsubscribe: "look",
};
const payloads: { readonly [Name in ActionName]?: object } = {
  select: {},
  wait: { condition: "exists", path: "game.Workspace" },
  insertModel: { model: "", name: "x" },
};

const payloadOf = (name: ActionName): object =>
  payloads[name] ?? Object(messageExamples.find(({ type }) => type === name)?.payload);

const others: readonly [ActionName, object, "change" | "run"][] = [
  ["select", { paths: ["game.Workspace"] }, "change"],
  ["select", { paths: [] }, "change"],
  ["select", { focus: true }, "change"],
  ["wait", { condition: "until", source: "return workspace:Destroy()" }, "run"],
  ["wait", { condition: "state", state: "Edit", holdsTest: true }, "run"],
  ["insertModel", { model: "", name: "x", enableScripts: true }, "run"],
  ["applyPatch", { name: "x", operations: [], dryRun: true }, "change"],
];

describe("the class", () => {
  test.each(actionNames)("of %s is what it may do", (name) => {
    expect(classOf(actions[name].class, payloadOf(name))).toBe(JUDGED[name]);
  });

  test.each(others)("of %s %p is %s", (name, payload, expected) => {
    expect(classOf(actions[name].class, payload)).toBe(expected);
  });

  test("of a payload that is none, or is full of surprises, is that of the request", () => {
    for (const payload of [undefined, null, 1, "x", [], { __proto__: { focus: true } }])
      expect(classOf(actions.select.class, payload)).toBe("look");
  });
});

const settings = (value: string) => ({ [words.permissionSetting]: JSON.stringify(value) });

async function codeAsync(peer: BridgePeer, name: ActionName, payload: object, header: object = {}) {
  const requestId = crypto.randomUUID();
  peer.sendRaw(JSON.stringify({ type: name, sessionId: SESSION_ID, requestId, ...header, payload }));
  const isOurs = (frame: { readonly requestId?: string }) => frame.requestId === requestId;
  const answer = await peer.untilAsync(() => peer.inbox.find(isOurs), `an answer to ${name}`);
  return answer.type === "error" ? String(Object(answer.payload).code) : answer.type;
}

test("look only refuses exactly what changes the place or runs in it", async () => {
  using peer = await BridgePeer.connectAsync({ settings: settings("look") });
  const wishes = actionNames.map((name) => [name, payloadOf(name), JUDGED[name]] as const);
  for (const [name, payload, judged] of [...wishes, ...others]) {
    const code = await codeAsync(peer, name, payload);
    if (judged === "change" || judged === "run") expect([name, code]).toEqual([name, "DENIED"]);
    else expect([name, code]).not.toEqual([name, "DENIED"]);
  }
});

test("what was denied leaves nothing behind: no change, no recording, no selection, no undo step", async () => {
  using peer = await BridgePeer.connectAsync();
  const tree = async () => {
    const { mark: _, generation: __, ...rest } = await peer.askAsync("readTree", { roots: ["game"] });
    return rest;
  };
  const [before, steps] = [await tree(), await peer.askAsync("listSteps", {})];
  peer.trigger("StudioBridgeLookOnly");
  await peer.untilAsync(() => peer.log.find((line) => line.includes("Look only")), "the level");
  const create = { op: "create", className: "Part", parent: "game.Workspace" };
  expect(await codeAsync(peer, "applyPatch", { name: "x", operations: [create] })).toBe("DENIED");
  expect(await codeAsync(peer, "select", { paths: ["game.Workspace"] })).toBe("DENIED");
  expect(await codeAsync(peer, "execute", { script: "workspace.Name = 'W' print('ran')" })).toBe("DENIED");
  expect(await codeAsync(peer, "undo", {})).toBe("DENIED");
  expect(await tree()).toEqual(before);
  expect(await peer.askAsync("listSteps", {})).toEqual(steps);
  expect((await peer.askAsync("select", {})).selection).toEqual([]);
  expect(peer.log.filter((line) => line.includes("ran"))).toEqual([]);
});

test("the person switches levels by actions of Studio, which the host hears of at once", async () => {
  using peer = await BridgePeer.connectAsync();
  const heartbeatAsync = async () => Object((await peer.nextAsync("heartbeat")).payload);
  peer.trigger("StudioBridgeLookOnly");
  expect(await heartbeatAsync()).toMatchObject({ permission: "look" });
  expect(await codeAsync(peer, "execute", { script: "return 1" })).toBe("DENIED");
  peer.trigger("StudioBridgeLookOnly");
  expect(await heartbeatAsync()).toMatchObject({ permission: "everything" });
  expect(await codeAsync(peer, "execute", { script: "return 1" })).toBe("scriptComplete");
  peer.trigger("StudioBridgePause");
  expect(await heartbeatAsync()).toMatchObject({ pausedSince: expect.any(Number) });
  expect(await peer.askAsync("queryState", {})).toMatchObject({ pausedSince: expect.any(Number) });
  peer.trigger("StudioBridgePause");
  expect((await heartbeatAsync()).pausedSince).toBeUndefined();
  expect(await codeAsync(peer, "execute", { script: "return 1" })).toBe("scriptComplete");
});

test("a pause lets pass what ends or keeps something, and what runs goes on", async () => {
  using peer = await BridgePeer.connectAsync();
  const holder = { id: "c1", name: "sync" };
  const caller = { id: "c1", name: "sb" };
  expect(await codeAsync(peer, "syncOpen", { holder })).toBe("syncOpened");
  peer.send("execute", { script: "return sb.readLine()" }, "r1");
  await peer.nextAsync("inputWanted");
  peer.send("execute", { script: "task.wait(1e6)" }, "r2");
  peer.trigger("StudioBridgePause");
  await peer.nextAsync("heartbeat");
  const passing = ["queryState", "provideInput", "unsubscribe"];
  for (const name of actionNames.filter((each) => !passing.includes(each)))
    expect([name, await codeAsync(peer, name, payloadOf(name), { caller })]).toEqual([name, "PAUSED"]);
  expect(await codeAsync(peer, "queryState", {})).toBe("stateResult");
  expect(await codeAsync(peer, "unsubscribe", { events: ["logPush"] })).toBe("unsubscribeResult");
  expect(await codeAsync(peer, "syncOpen", { holder })).toBe("syncOpened");
  // The host renews subscriptions in its own name.
  expect(await codeAsync(peer, "subscribe", { events: ["logPush"] })).toBe("subscribeResult");
  expect(await codeAsync(peer, "provideInput", { scriptId: "r1", seq: 0, text: "x\n", isLast: true })).toBe(
    "provideInputResult",
  );
  const ended = await peer.untilAsync(() => peer.inbox.find(({ requestId }) => requestId === "r1"), "r1");
  expect(Object(ended.payload).returnValues).toEqual(["x"]);
  peer.send("cancel", {}, "r2");
  const stopped = await peer.untilAsync(() => peer.inbox.find(({ requestId }) => requestId === "r2"), "r2");
  expect(Object(stopped.payload).errorInfo.code).toBe("CANCELLED");
});

test("a pause outlives the link: what runs is told of on the next one, and what is new is refused", async () => {
  using peer = await BridgePeer.connectAsync();
  peer.send("execute", { script: 'print("before") return sb.readLine()' }, "r1");
  await peer.nextAsync("inputWanted");
  peer.trigger("StudioBridgePause");
  const since = Object((await peer.nextAsync("heartbeat")).payload).pausedSince;
  peer.dropSocket();
  expect((await peer.nextAsync("register")).payload).toMatchObject({ pausedSince: since });
  await peer.untilAsync(() => peer.registrations > 1, "registration");
  expect(await codeAsync(peer, "subscribe", { events: ["logPush"] })).toBe("subscribeResult");
  const caller = { id: "c1", name: "sb" };
  expect(await codeAsync(peer, "execute", { script: "return 1" }, { caller })).toBe("PAUSED");
  peer.inbox.length = 0;
  // The host asks so for every request that it had sent; a request that never came is not taken for a paused one.
  peer.send("await", { fromSeq: 0 }, "r1");
  peer.send("await", { fromSeq: 0, ageMs: 0 }, "never came");
  const isError = ({ type }: { readonly type: string }) => type === "error";
  const error = await peer.untilAsync(() => peer.inbox.find(isError), "an error");
  expect(error).toMatchObject({ requestId: "never came", payload: { code: "NOT_RECEIVED" } });
  expect(peer.inbox.map(({ type }) => type)).toContain("running");
  await codeAsync(peer, "provideInput", { scriptId: "r1", seq: 0, text: "x\n", isLast: true });
  const { lines, reply } = await peer.outcomeAsync("r1");
  expect([lines, Object(reply.payload).returnValues]).toEqual([["before"], ["x"]]);
});

test("a pause and a level outlive a reload of the plugin", async () => {
  using peer = await BridgePeer.connectAsync();
  peer.trigger("StudioBridgePause");
  peer.trigger("StudioBridgeLookOnly");
  const { pausedSince } = await peer.askAsync("queryState", {});
  expect(pausedSince).toBeNumber();
  peer.reload();
  await peer.untilAsync(() => peer.registrations > 1, "registration");
  expect(await peer.askAsync("queryState", {})).toMatchObject({ permission: "look", pausedSince });
});

test("of two levels that are kept the stricter one holds", async () => {
  using peer = await BridgePeer.connectAsync({ settings: settings("everything") });
  peer.trigger("StudioBridgeLookOnly");
  await peer.nextAsync("heartbeat");
  peer.reload();
  await peer.untilAsync(() => peer.registrations > 1, "registration");
  expect(await peer.askAsync("queryState", {})).toMatchObject({ permission: "look" });
});
