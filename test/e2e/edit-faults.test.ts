/** What becomes of a place when a process is killed in the middle of an edit, and what a call may hold. */
import { afterEach, beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { createProver, loadKeyAsync } from "../../src/auth/index.ts";
import { BridgeConnection } from "../../src/bridge/index.ts";
import type { BridgeSession } from "../../src/bridge/index.ts";
import type { ActionRequest } from "../../src/protocol/actions.ts";
import { StudioBridgeError } from "../../src/protocol/errors.ts";
import { Sandbox } from "../harness.ts";
import { LOOK_AT_PLACE, placeTextWithoutOrder } from "../place-text.ts";
import { ScriptedPlugin } from "../peers/scripted-plugin.ts";

setDefaultTimeout(120_000);

let box: Sandbox;
let inside: Disposable;
beforeEach(async () => {
  box = await Sandbox.createAsync();
  inside = box.enter();
});
afterEach(async () => {
  inside[Symbol.dispose]();
  await box[Symbol.asyncDispose]();
}, 120_000);

const CREATIONS = 1_000;
const creations = (parent: string) =>
  Array.from({ length: CREATIONS }, () => ({
    op: "create" as const,
    className: "Part",
    parent,
    properties: { Size: [4, 1, 4], Color: "#ff8800" },
  }));

async function serveAsync(...flags: string[]) {
  const host = box.spawn(["serve", "--json", ...flags]);
  await host.stdout.getReader().read();
  return host;
}

async function studioAsync(connection: BridgeConnection, ...words: string[]) {
  const studio = box.spawn(["headless", ...words]);
  const session = await connection.waitForSessionAsync(() => true, { timeoutMs: 60_000 });
  if (session === null) throw new Error("no Studio came");
  return { studio, session: connection.session(session.sessionId) };
}

async function luauAsync(session: BridgeSession, script: string): Promise<readonly unknown[]> {
  const { success, returnValues } = await session.callAsync("execute", { script });
  expect(success).toBe(true);
  return returnValues;
}

const outcomeOf = (error: unknown) => (error instanceof StudioBridgeError ? error : Promise.reject(error));

test("a bridge host that is killed in the middle of an edit: all of it is done or nothing, and the answer is true", async () => {
  const hosts = [await serveAsync(), await serveAsync("--join")];
  await using connection = await BridgeConnection.connectAsync({ port: box.port });
  const { session } = await studioAsync(connection);
  const told: string[] = [];
  // From before the request can have arrived until after its answer has been sent.
  for (const [round, delayMs] of [0, 3, 15, 40, 80].entries()) {
    const folder = `Round${round}`;
    await luauAsync(session, `Instance.new("Folder", workspace).Name = "${folder}"`);
    const request = { operations: creations(`Workspace.${folder}`), name: folder };
    const call = session.callAsync("applyPatch", request).catch(outcomeOf);
    await Bun.sleep(delayMs);
    hosts.shift()?.kill("SIGKILL");
    const answer = await call;
    const [count] = await luauAsync(session, `return #workspace.${folder}:GetChildren()`);
    const isDone = !(answer instanceof StudioBridgeError) && answer.ok;
    expect({ folder, count }).toEqual({ folder, count: isDone ? CREATIONS : 0 });
    if (answer instanceof StudioBridgeError) expect(answer.outcome).toBe("not_started");
    const { steps } = await session.callAsync("listSteps", {});
    expect(steps.some(({ name }) => name === folder)).toBe(isDone);
    told.push(isDone ? "done" : "refused");
    // The one that stood by is the host now; this one stands by next.
    hosts.push(await serveAsync("--join"));
  }
  expect(told).toHaveLength(5);
}, 120_000);

const PLACE = `<roblox version="4"><Item class="Workspace" referent="0"><Properties><string name="Name">Workspace</string></Properties>
<Item class="Model" referent="1"><Properties><string name="Name">Map</string><Ref name="PrimaryPart">2</Ref></Properties>
<Item class="Part" referent="2"><Properties><string name="Name">Wall</string><bool name="Anchored">true</bool></Properties></Item>
<Item class="Script" referent="3"><Properties><string name="Name">Main</string><ProtectedString name="Source">print(1)</ProtectedString></Properties></Item>
</Item></Item></roblox>`;

test("a headless Studio that is killed in the middle of an edit: the call fails, and its place file is as it was", async () => {
  const place = await box.writeAsync("game.rbxlx", PLACE);
  await serveAsync();
  await using connection = await BridgeConnection.connectAsync({ port: box.port });
  const { studio, session } = await studioAsync(connection, place, "--save", place);
  const request = { operations: creations("Workspace"), name: "lost" };
  const call = session.callAsync("applyPatch", request).catch(outcomeOf);
  await Bun.sleep(10);
  studio.kill("SIGKILL");
  const answer = await call;
  // An answer that was on its way already is that of an edit which was done, and went with its Studio.
  if (answer instanceof StudioBridgeError)
    expect(answer).toMatchObject({ code: "SESSION_GONE", outcome: "unknown" });
  expect(await Bun.file(place).text()).toBe(PLACE);
});

test("a client that is killed in the middle of an edit or a dry run leaves all or nothing, and the next call works", async () => {
  await serveAsync();
  await using connection = await BridgeConnection.connectAsync({ port: box.port });
  const { session } = await studioAsync(connection, "--name", "Place1");
  const isWhole = (count: unknown) => count === 0 || count === CREATIONS;
  for (const [round, delayMs] of [30, 60, 100, 180].entries()) {
    const folder = `Round${round}`;
    await luauAsync(session, `Instance.new("Folder", workspace).Name = "${folder}"`);
    const file = await box.writeAsync(`${folder}.json`, JSON.stringify(creations(`Workspace.${folder}`)));
    const client = box.spawn(["edit", file]);
    await Bun.sleep(delayMs);
    client.kill("SIGKILL");
    await client.exited;
    // It waits until the changes of the killed client have ended.
    await session.callAsync("applyPatch", { operations: [], name: "after" });
    const [count] = await luauAsync(session, `return #workspace.${folder}:GetChildren()`);
    expect({ folder, count, isWhole: isWhole(count) }).toMatchObject({ isWhole: true });
  }
  const before = await luauAsync(session, LOOK_AT_PLACE);
  const tries = box.spawn([
    "exec",
    "--dry-run",
    `print("begun") workspace.Name = "Tried" local t = os.clock() while os.clock() - t < 30 do end`,
  ]);
  const { value } = await tries.stdout.getReader().read();
  expect(new TextDecoder().decode(value)).toBe("begun\n");
  tries.kill("SIGKILL");
  const killedAt = performance.now();
  expect(await luauAsync(session, LOOK_AT_PLACE)).toEqual(before);
  expect(performance.now() - killedAt).toBeLessThan(15_000);
});

test("what is undone, and what is redone, is what a saved and loaded place has, property by property", async () => {
  const place = await box.writeAsync("game.rbxlx", PLACE);
  const saved = join(box.folder, "saved.rbxl");
  await serveAsync();
  await using connection = await BridgeConnection.connectAsync({ port: box.port });
  const lookAsync = async (session: BridgeSession) =>
    placeTextWithoutOrder((await luauAsync(session, LOOK_AT_PLACE))[0]).split("\n");
  /** The place as it is now, and as it is when it has been saved and loaded. */
  const savedAsync = async (prepareAsync: (session: BridgeSession) => Promise<void>) => {
    const { studio, session } = await studioAsync(connection, place, "--save", saved);
    await prepareAsync(session);
    const now = await lookAsync(session);
    await box.sbAsync(["close"]);
    await studio.exited;
    const { session: loaded } = await studioAsync(connection, saved);
    const later = await lookAsync(loaded);
    await box.sbAsync(["close"]);
    return { now, later };
  };
  const untouched = await savedAsync(async () => undefined);
  expect(untouched.later).toEqual(untouched.now);
  const changeAsync = async (session: BridgeSession) => {
    const operations: ActionRequest<"applyPatch">["operations"] = [
      {
        op: "set",
        path: "Workspace.Map.Wall",
        properties: { Color: "#ff8000", Size: [1, 2, 3] },
        attributes: { N: 1 },
      },
      { op: "clone", path: "Workspace.Map.Wall", name: "Copy" },
      { op: "tag", path: "Workspace.Map.Wall", add: ["Solid"] },
      { op: "move", path: "Workspace.Map.Main", parent: "ServerScriptService" },
      { op: "source", path: "ServerScriptService.Main", source: "print(2)" },
      {
        op: "create",
        className: "ObjectValue",
        parent: "Workspace",
        properties: { Value: "Workspace.Map.Copy" },
      },
    ];
    expect((await session.callAsync("applyPatch", { operations, name: "one" })).ok).toBe(true);
    const removal = [{ op: "delete" as const, path: "Workspace.Map" }];
    expect((await session.callAsync("applyPatch", { operations: removal, name: "two" })).ok).toBe(true);
  };
  const undone = await savedAsync(async (session) => {
    await changeAsync(session);
    expect((await session.callAsync("undo", { steps: 2 })).undone).toEqual(["two", "one"]);
  });
  expect(undone.now).toEqual(untouched.now);
  expect(undone.later).toEqual(untouched.now);
  const redone = await savedAsync(async (session) => {
    await changeAsync(session);
    await session.callAsync("undo", { steps: 2 });
    await session.callAsync("undo", { redo: true });
  });
  expect(redone.now).not.toEqual(untouched.now);
  expect(redone.later).toEqual(redone.now);
});

test("a plugin that is older than a command is not asked, and the error says how to update it", async () => {
  await serveAsync();
  const prover = createProver(await loadKeyAsync({ XDG_STATE_HOME: box.stateFolder }));
  const { plugin } = await ScriptedPlugin.connectAsync(box.port, prover, {
    capabilities: ["execute", "queryState"],
  });
  using _ = plugin;
  const file = await box.writeAsync("map.json", '[{ "op": "delete", "path": "Workspace.Old" }]');
  for (const words of [
    ["exec", "--dry-run", "return 1"],
    ["edit", file],
    ["undo"],
    ["select"],
    ["find", "Part"],
    ["wait", "Workspace.Door"],
    ["script", "read", "Workspace.Main"],
  ]) {
    const { exitCode, stdout, stderr } = await box.sbAsync(words);
    // 1 of sb wait says that what it waits for has not come.
    const expected = words[0] === "wait" ? 2 : 1;
    expect({ words, exitCode, stdout }).toEqual({ words, exitCode: expected, stdout: "" });
    expect(stderr).toContain("Update the studio-bridge plugin.");
    expect(stderr).toContain("sb install-plugin");
  }
  expect(plugin.inbox.map(({ type }) => type)).not.toContain("execute");
});

test("a call holds itself to its limits, and says what they are", async () => {
  await box.headlessAsync();
  const tooMany = await box.writeAsync(
    "many.json",
    JSON.stringify(Array(5_001).fill({ op: "delete", path: "@1" })),
  );
  const sourced = (count: number, size: number) =>
    JSON.stringify(
      Array(count).fill({
        op: "create",
        className: "Script",
        parent: "Workspace",
        properties: { Source: "x".repeat(size) },
      }),
    );
  const scripts = await box.writeAsync("scripts.json", sourced(201, 1));
  const large = await box.writeAsync("large.json", sourced(5, 1024 * 1024));
  await box.sbAsync(["edit", "-"], {
    stdin: sourced(1, 0).replace('""', JSON.stringify(`${"a".repeat(60)}!\n`.repeat(200))),
  });
  for (const [words, text] of [
    [["edit", tooMany], "These are 5001 operations with their children; one call takes at most 5000."],
    [["edit", scripts], "These are 201 sources; one call writes at most 200."],
    [["edit", large], "A call writes at most 4 MB of sources; these are 5.0 MB."],
    [["script", "grep", "--regex", "^(a+)+$"], "The regular expression took longer than 2 seconds."],
    [["play", "start", "--players", "9"], "expected at most 8 players"],
    [["play", "start", "--players", "0"], "players"],
  ] as const) {
    const { exitCode, stdout, stderr } = await box.sbAsync(words);
    expect({ words, isRefused: exitCode > 0, stdout }).toEqual({ words, isRefused: true, stdout: "" });
    expect(stderr).toContain(text);
  }
  expect((await box.sbAsync(["exec", "return #workspace:QueryDescendants('Script')"])).stdout).toBe("1\n");
});
