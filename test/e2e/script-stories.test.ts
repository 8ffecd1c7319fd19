/** What agents do with scripts from beginning to end, over stdio, with the calls and bytes that it takes them. */
import { expect, test } from "bun:test";
import { sandbox } from "../sandbox.ts";
import type { JsonObject } from "../../src/mcp/wire/json.ts";
import { CountingAgent } from "../peers/counting-agent.ts";

const box = sandbox({ headless: true });

interface Found {
  readonly matches: readonly { readonly path: string; readonly line: number; readonly text: string }[];
  readonly total: number;
  readonly scripts: number;
}
interface Edited {
  readonly ok: boolean;
  readonly items: readonly {
    readonly ok: boolean;
    readonly path: string;
    readonly hash: string;
    readonly diff?: string;
    readonly compile?: unknown;
    readonly code?: string;
    readonly message?: string;
  }[];
  readonly undo: { readonly recorded: boolean; readonly name: string };
}
interface Read {
  readonly source: string;
  readonly hash: string;
}

const runAsync = async (code: string): Promise<unknown> => {
  const { stdout, stderr } = await box.sbAsync(["exec", "--json", code]);
  expect(stderr).toBe("");
  return JSON.parse(stdout).returnValues[0];
};

test("every call of a deprecated function is found, changed, checked and taken back by a checkpoint in five calls", async () => {
  const sources = `local sources = {}
    for _, each in game:QueryDescendants("LuaSourceContainer") do table.insert(sources, each.Source) end
    return table.concat(sources, "|")`;
  await runAsync(`for index = 1, 30 do
    local module = Instance.new("ModuleScript")
    module.Name = "Module" .. index
    module.Source = "local t = {}\\nfunction t.go()\\n\\t" .. (if index % 3 == 0 then "wait(" .. index .. ")" else "task.wait(1)") .. "\\nend\\nreturn t\\n"
    module.Parent = game.ReplicatedStorage
  end`);
  const before = await runAsync(sources);
  await using agent = await CountingAgent.openAsync(box);
  const pattern = "(?<![.\\w])wait\\(";
  await agent.askAsync("studio_checkpoint", { action: "create", name: "before" });
  const found = await agent.askAsync<Found>("studio_grep", { pattern, regex: true });
  expect([found.total, found.scripts, found.matches.length]).toEqual([10, 10, 10]);
  const edits = found.matches.map(({ path, text }) => ({
    path,
    old: text,
    new: text.replace("wait(", "task.wait("),
  }));
  const edited = await agent.askAsync<Edited>("studio_edit_script", { edits, check: true });
  expect(edited.items.map(({ ok, compile }) => [ok, compile])).toEqual(new Array(10).fill([true, undefined]));
  expect(edited).toMatchObject({ ok: true, undo: { recorded: true, name: "sb: edit 10 scripts" } });
  const left = await agent.askAsync<Found>("studio_grep", { pattern, regex: true });
  expect(left).toMatchObject({ total: 0, scripts: 0, matches: [] });
  expect(await runAsync(sources)).not.toBe(before);
  const back = { action: "restore", name: "before" };
  const { restored } = await agent.askAsync<{ readonly restored: JsonObject }>("studio_checkpoint", back);
  expect(restored).toEqual({
    name: "before",
    changes: 10,
    undo: { recorded: true, name: "sb: restore checkpoint before" },
  });
  expect(await runAsync(sources)).toBe(before);
  expect(agent.calls).toBe(5);
  expect(agent.bytes).toBeLessThan(8 * 1024);
}, 120_000);

test("of two agents with one script, the second is told that it changed, reads again and succeeds; nothing is lost", async () => {
  await runAsync(`local main = Instance.new("Script")
    main.Name = "Main" main.Source = "local speed = 1\\nlocal height = 2\\nprint(speed, height)\\n"
    main.Parent = game.ServerScriptService`);
  const path = "ServerScriptService.Main";
  await using first = await CountingAgent.openAsync(box);
  await using second = await CountingAgent.openAsync(box);
  const editAsync = (agent: CountingAgent, edit: JsonObject) =>
    agent.askAsync<Edited>("studio_edit_script", { edits: [{ path, ...edit }] });
  const [seen, seenToo] = await Promise.all([
    first.askAsync<Read>("studio_read_script", { path }),
    second.askAsync<Read>("studio_read_script", { path }),
  ]);
  const done = await editAsync(first, { startLine: 1, new: "local speed = 10", hash: seen.hash });
  expect(done).toMatchObject({ ok: true, undo: { recorded: true } });
  const refused = await editAsync(second, { startLine: 2, new: "local height = 20", hash: seenToo.hash });
  expect(refused).toMatchObject({
    ok: false,
    items: [{ ok: false, path, hash: done.items[0]?.hash, code: "PRECONDITION_FAILED" }],
    undo: { recorded: false },
  });
  const again = await second.askAsync<Read>("studio_read_script", { path });
  expect(again.hash).toBe(done.items[0]?.hash ?? "");
  const redone = await editAsync(second, { startLine: 2, new: "local height = 20", hash: again.hash });
  expect(redone.ok).toBe(true);
  const last = await first.askAsync<Read>("studio_read_script", { path });
  expect(last.source).toBe("local speed = 10\nlocal height = 20\nprint(speed, height)\n");
  expect([first.calls + second.calls, redone.items[0]?.hash]).toEqual([7, last.hash]);
  expect(first.bytes + second.bytes).toBeLessThan(4 * 1024);
}, 120_000);

test("of edits that race for one line, one wins and the others change nothing", async () => {
  await runAsync(
    `local module = Instance.new("ModuleScript", workspace) module.Name = "Race" module.Source = "return 0\\n"`,
  );
  await using first = await CountingAgent.openAsync(box);
  await using second = await CountingAgent.openAsync(box);
  const path = "Workspace.Race";
  const { hash } = await first.askAsync<Read>("studio_read_script", { path });
  const results = await Promise.all(
    [first, second, first, second].map((agent, index) =>
      agent.askAsync<Edited>("studio_edit_script", {
        edits: [{ path, source: `return ${index + 1}\n`, hash }],
      }),
    ),
  );
  expect(results.filter(({ ok }) => ok)).toHaveLength(1);
  const winner = results.findIndex(({ ok }) => ok);
  const { source } = await second.askAsync<Read>("studio_read_script", { path });
  expect(source).toBe(`return ${winner + 1}\n`);
}, 120_000);

test("edits of several scripts are made all or none, each with its verdict in the order given", async () => {
  await runAsync(`for _, name in { "A", "B" } do
    local module = Instance.new("ModuleScript", game.ServerStorage) module.Name = name module.Source = "return 1\\n"
  end`);
  await using agent = await CountingAgent.openAsync(box);
  const one = { path: "ServerStorage.A", old: "return 1", new: "return 2" };
  const refused = await agent.askAsync<Edited>("studio_edit_script", {
    edits: [
      one,
      { path: "ServerStorage.None", source: "" },
      { path: "ServerStorage", source: "" },
      { path: "ServerStorage.B", old: "return 3", new: "" },
      { path: "ServerStorage.A", startLine: 1, new: "return 4" },
    ],
  });
  expect(refused).toMatchObject({
    ok: false,
    items: [
      { index: 0, ok: true, path: "ServerStorage.A" },
      { index: 1, ok: false, path: "ServerStorage.None", code: "INSTANCE_NOT_FOUND" },
      { index: 2, ok: false, path: "ServerStorage", code: "PROPERTY_NOT_FOUND" },
      { index: 3, ok: false, path: "ServerStorage.B", code: "TEXT_NOT_FOUND" },
      { index: 4, ok: false, path: "ServerStorage.A", code: "EDITS_OVERLAP" },
    ],
    undo: { recorded: false, reason: "nothing was changed" },
  });
  const read = await agent.askAsync<Read & { id: string }>("studio_read_script", { path: one.path });
  expect(read.source).toBe("return 1\n");
  const made = await agent.askAsync<Edited>("studio_edit_script", {
    edits: [
      { ...one, path: read.id },
      { path: one.path, startLine: 2, endLine: 1, new: "-- end" },
    ],
  });
  expect(made).toMatchObject({ ok: true, undo: { name: "sb: edit ServerStorage.A" } });
  expect(made.items.map(({ path, diff }) => [path, diff])).toEqual([
    ["ServerStorage.A", "--- ServerStorage.A\n+++ ServerStorage.A\n@@ -1,1 +1,1 @@\n-return 1\n+return 2\n"],
    [
      "ServerStorage.A",
      "--- ServerStorage.A\n+++ ServerStorage.A\n@@ -1,1 +1,2 @@\n return 1\n+-- end\n\\ No newline at end of file\n",
    ],
  ]);
  const bad = await agent.requestAsync("tools/call", {
    name: "studio_edit_script",
    arguments: { edits: [{ path: "ServerStorage.A", old: "x" }] },
  });
  expect(JSON.stringify(bad)).toContain("new is missing.");
}, 120_000);
