/** studio_sync, and atlas_sync with get_script, over stdio: a project, a headless Studio, and a client that shows forms. */
import { beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { binaryPath } from "../../build.ts";
import { sandbox } from "../sandbox.ts";
import { SyncProject } from "./sync-project.ts";

// A Studio, and several servers one after the other.
setDefaultTimeout(120_000);

const files = {
  "shared/Config.luau": "return 1\n",
  "shared/Door.model.json": '{ "className": "Configuration", "attributes": { "Speed": 1 } }',
  "server/Main.server.luau": 'print("main")\n',
};

const box = sandbox({ headless: "Lobby" });
let project: SyncProject;
beforeAll(async () => {
  project = await SyncProject.createAsync(box, files);
}, 120_000);

type Answer = { readonly action: string; readonly content?: { readonly [field: string]: string } };
interface Way {
  readonly words?: readonly string[];
  readonly mode?: "legacy" | { readonly pin: string };
  readonly cwd?: string;
  /** What the person at the client answers to a form. */
  readonly answer?: (form: { readonly [name: string]: unknown }) => Answer;
}

/** Closing the client ends its server. */
async function connectAsync({ words = [], mode = "legacy", answer, cwd = box.folder }: Way = {}) {
  const capabilities = answer === undefined ? {} : { elicitation: {} };
  const client = new Client({ name: "test", version: "1" }, { capabilities, versionNegotiation: { mode } });
  if (answer !== undefined)
    client.setRequestHandler("elicitation/create", async ({ params }) => Object(answer(Object(params))));
  await client.connect(
    new StdioClientTransport({
      command: binaryPath,
      args: ["mcp", "--port", String(box.port), ...words],
      env: box.env(),
      cwd,
    }),
  );
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.close() });
}

async function syncAsync(client: Client, args: { [key: string]: unknown } = {}) {
  const { structuredContent } = await client.callTool({ name: "studio_sync", arguments: args });
  return Object(structuredContent);
}

const conflictAsync = async (number: number): Promise<void> => {
  await project.writeAsync({ "shared/Config.luau": `return ${number}\n` });
  await box.sbAsync(["exec", `game.ReplicatedStorage.Config.Source = "return -${number}\\n"`]);
};

test("an agent looks, syncs, and meets a conflict that it decides with an override", async () => {
  await using client = await connectAsync();
  expect(await syncAsync(client, { mode: "dryrun" })).toMatchObject({
    status: "dryrun",
    counts: { push: 3 },
  });
  expect(await syncAsync(client)).toMatchObject({ status: "success", counts: { push: 3 } });
  expect(await syncAsync(client)).toMatchObject({ status: "empty", items: [] });
  await conflictAsync(2);
  const { status, items } = await syncAsync(client);
  expect([status, items]).toMatchObject(["fastfail_unresolved", [{ reason: "both_changed" }]]);
  const [{ id, studioHash }] = items;
  const overrides = [{ id, direction: "pull", studioHash }];
  expect(await syncAsync(client, { overrides })).toMatchObject({
    status: "success",
    overrides: [{ answer: "applied" }],
  });
  expect(await project.filesAsync()).toMatchObject({ "shared/Config.luau": "return -2\n" });
});

test.each([
  { mode: "legacy", number: 3 },
  { mode: { pin: "2026-07-28" }, number: 33 },
] as const)("a person at a client with forms decides, $mode", async ({ mode, number }) => {
  await conflictAsync(number);
  const forms: unknown[] = [];
  await using client = await connectAsync({
    mode,
    answer: (form) => {
      forms.push(form);
      const [field = ""] = Object.keys(Object(form["requestedSchema"]).properties);
      return { action: "accept", content: { [field]: "push" } };
    },
  });
  expect(await syncAsync(client)).toMatchObject({ status: "success", counts: { push: 1 } });
  expect(forms).toMatchObject([{ message: expect.stringContaining("differ in 1 place") }]);
  const { stdout } = await box.sbAsync(["exec", "return game.ReplicatedStorage.Config.Source"]);
  expect(stdout).toContain(`return ${number}`);
});

test("a person who declines leaves both sides as they are", async () => {
  await project.writeAsync({ "shared/Config.luau": "return 4\n" });
  await using client = await connectAsync({ answer: () => ({ action: "decline" }) });
  expect(await syncAsync(client, { mode: "manual" })).toMatchObject({ status: "rejected" });
  await using mute = await connectAsync();
  expect(await syncAsync(mute, { mode: "manual" })).toMatchObject({ status: "rejected" });
  expect(await syncAsync(mute)).toMatchObject({ status: "success", counts: { push: 1 } });
});

test("an agent takes its own sync back on both sides, by studio_undo and by the mode undo", async () => {
  const sourceAsync = async () =>
    (
      await box.sbAsync([
        "exec",
        "return game.ReplicatedStorage.Config.Source, #game.ReplicatedStorage:GetChildren()",
      ])
    ).stdout;
  const [before, source] = [await project.filesAsync(), await sourceAsync()];
  await using client = await connectAsync();
  const changeAsync = async () => {
    await project.writeAsync({ "shared/Config.luau": "return 40\n", "shared/New.luau": "return {}\n" });
    await box.sbAsync(["exec", `game.ServerScriptService.Main.Source = 'print("undone")\\n'`]);
    const edited = await project.filesAsync();
    expect(await syncAsync(client)).toMatchObject({ status: "success", counts: { push: 2, pull: 1 } });
    return edited;
  };
  const undoAsync = async (by: Client, args: { [key: string]: unknown } = {}) =>
    Object((await by.callTool({ name: "studio_undo", arguments: args })).structuredContent);
  const edited = await changeAsync();
  // The server of another folder reaches no file of this project.
  await using stranger = await connectAsync({ cwd: import.meta.dir });
  expect(await undoAsync(stranger)).toMatchObject({ undone: [], stoppedAt: { name: "sb sync: 2 changes" } });
  expect(await undoAsync(stranger, { force: true })).toMatchObject({
    undone: [],
    stoppedAt: { reason: "sync_elsewhere" },
  });
  expect(await undoAsync(client, { steps: 2 })).toMatchObject({ stoppedAt: { reason: "sync_among_others" } });
  expect(await undoAsync(client)).toMatchObject({
    undone: ["sb sync: 2 changes"],
    sync: { fileSteps: 1, studioChanges: 2 },
  });
  expect([await project.filesAsync(), await sourceAsync()]).toEqual([edited, source]);
  expect(await undoAsync(client, { redo: true })).toMatchObject({
    redone: [],
    stoppedAt: { reason: "sync_redo" },
  });
  // What was taken back waits for an answer.
  expect(await syncAsync(client)).toMatchObject({ status: "fastfail_unresolved", counts: { unresolved: 3 } });
  const overrides = [
    { path: "ReplicatedStorage.Config", direction: "push" },
    { path: "ReplicatedStorage.New", direction: "push" },
    { path: "ServerScriptService.Main", direction: "pull" },
  ];
  expect(await syncAsync(client, { overrides })).toMatchObject({ counts: { push: 2, pull: 1 } });
  await using other = await connectAsync();
  await expect(other.callTool({ name: "studio_sync", arguments: { mode: "undo" } })).resolves.toMatchObject({
    isError: true,
  });
  expect(await syncAsync(client, { mode: "undo" })).toMatchObject({
    status: "undone",
    mode: "undo",
    undo: { isWhole: true, fileSteps: 1, studioChanges: 2 },
  });
  expect([await project.filesAsync(), await sourceAsync()]).toEqual([edited, source]);
  await project.writeAsync(before);
  await project.removeAsync("shared/New.luau");
  const [, , main] = overrides;
  expect(await syncAsync(client, { overrides: [main] })).toMatchObject({
    status: "success",
    counts: { pull: 1 },
  });
});

test("no argument lifts a limit, and --read-only only looks", async () => {
  await using client = await connectAsync({ words: ["--read-only"] });
  for (const key of [
    "project",
    "from",
    "allowRemovals",
    "allowOverwrites",
    "allowOutside",
    "safeNames",
    "overridesFile",
    "mode",
  ])
    expect(await client.callTool({ name: "studio_sync", arguments: { [key]: "fastfail" } })).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining(key) }],
    });
  await project.writeAsync({ "shared/Config.luau": "return 5\n" });
  expect(await syncAsync(client)).toMatchObject({ status: "dryrun", counts: { push: 1 } });
  expect((await project.reportAsync()).changes).toEqual(["push edit ReplicatedStorage.Config: done"]);
});

test("atlas_sync and get_script speak as their clients expect", async () => {
  await using client = await connectAsync({ words: ["--tools", "compat"] });
  const callAsync = async (name: string, args: { [key: string]: unknown } = {}) => {
    const { content, isError = false } = await client.callTool({ name, arguments: args });
    const [block] = content;
    return { text: block?.type === "text" ? block.text : "", isError };
  };
  const blockOf = (text: string) => JSON.parse(text.split("\n<json>\n")[1]?.split("\n</json>")[0] ?? "");

  expect(await callAsync("atlas_sync", { mode: "dryrun" })).toEqual({
    text: "Files and Studio agree, so nothing was changed.",
    isError: false,
  });
  await conflictAsync(6);
  await project.writeAsync({
    "shared/Door.model.json": '{ "className": "Configuration", "attributes": { "Speed": 2 } }',
  });
  const failed = await callAsync("atlas_sync", { mode: "fastfail" });
  expect(failed.isError).toBe(true);
  expect(failed.text.split("\n").slice(0, 5)).toEqual([
    "Nothing was changed, because some changes need an override.",
    "",
    "Presented changes:",
    "- [unresolved] ReplicatedStorage/Config (Edit, ModuleScript, fs=shared/Config.luau)",
    "- [push] ReplicatedStorage/Door (Edit, Configuration, fs=shared/Door.model.json)",
  ]);
  const { status, changes } = blockOf(failed.text);
  expect(status).toBe("fastfail_unresolved");
  const [config, door] = changes;
  expect(config).toMatchObject({ direction: "unresolved", defaultSelection: null, properties: {} });
  expect(door).toEqual({
    path: "ReplicatedStorage/Door",
    direction: "push",
    id: expect.stringMatching(/^@\d+$/),
    className: "Configuration",
    patchType: "Edit",
    studioHash: expect.stringMatching(/^[0-9a-f]{40}$/),
    defaultSelection: "push",
    fsPath: "shared/Door.model.json",
    properties: { Speed: { current: 1, incoming: 2 } },
  });

  const script = await callAsync("get_script", { fsPath: "shared/Config.luau" });
  expect(script.text).toStartWith(
    `Script source for ReplicatedStorage.Config (ModuleScript):\nHash: ${config.studioHash}\n\n<json>\n`,
  );
  expect(blockOf(script.text)).toMatchObject({
    status: "success",
    source: "return -6\n",
    studioHash: config.studioHash,
    id: config.id,
    fsPath: "shared/Config.luau",
  });
  expect(await callAsync("get_script", { fsPath: "shared/None.luau" })).toMatchObject({ isError: true });

  const { id, studioHash } = config;
  const stale = [{ id, direction: "pull", studioHash: "0".repeat(40) }];
  const refused = await callAsync("atlas_sync", { overrides: stale });
  expect(refused.isError).toBe(true);
  expect(refused.text).toContain(`\n${id}: Override 1 was not used: the source has changed since then.\n`);
  expect(blockOf(refused.text).unusedOverrides).toEqual([{ id, answer: "hash_mismatch", found: studioHash }]);
  expect(await callAsync("atlas_sync", { overrides: [{ id, direction: "ignore" }] })).toMatchObject({
    isError: true,
    text: expect.stringContaining("push or pull"),
  });
  const done = await callAsync("atlas_sync", { overrides: [{ id, direction: "pull", studioHash }] });
  expect(done).toMatchObject({ isError: false, text: expect.stringContaining("\nChanges:\n- [pull] ") });
  expect(await project.filesAsync()).toMatchObject({ "shared/Config.luau": "return -6\n" });
  const late = await callAsync("atlas_sync", { overrides: [{ id: "@4711", direction: "pull" }] });
  expect(late.text).toStartWith(
    "Files and Studio agree, so nothing was changed.\n@4711: Override 1 was not used: the plan has no change of @4711.\n",
  );
});
