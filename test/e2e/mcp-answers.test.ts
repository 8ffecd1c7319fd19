/** How large the answers of the tools are in a large place: 16 KB at most, with exact counts of what is left out. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { createDom } from "rbx-dom";
import type { JsonObject } from "../../src/mcp/wire/json.ts";
import { Sandbox } from "../harness.ts";
import { McpPeer } from "../peers/mcp-peer.ts";

setDefaultTimeout(120_000);

const DEFAULT_BYTES = 16 * 1024;

let box: Sandbox;
let peer: McpPeer;
beforeAll(async () => {
  box = await Sandbox.createAsync();
  await box.headlessAsync();
  await box.writeAsync("many.model.json", JSON.stringify({ className: "Folder", children: manyScripts }));
  await box.writeAsync(
    "small.rbxm",
    createDom({ className: "DataModel", children: [{ className: "Folder" }] }).toBinary(),
  );
  peer = new McpPeer(box);
  await peer.initializeAsync();
  const { structuredContent } = await peer.toolAsync("studio_exec", { script: LARGE_PLACE });
  expect(structuredContent).toMatchObject({ success: true });
});
afterAll(async () => {
  await peer[Symbol.asyncDispose]();
  await box[Symbol.asyncDispose]();
});

const manyScripts = Array.from({ length: 800 }, (_, index) => ({
  className: "ModuleScript",
  name: `Module${index}`,
}));

const LARGE_PLACE = `
  local parts = Instance.new("Folder", workspace)
  parts.Name = "Parts"
  for index = 1, 2000 do
    local part = Instance.new("Part", parts)
    part.Name = "Part" .. index
    part:SetAttribute("Note", string.rep("n", 20))
  end
  local long = Instance.new("StringValue", workspace)
  long.Name, long.Value = "Long", string.rep("0123456789", 10000)
  local lines = {}
  for index = 1, 3000 do table.insert(lines, "local name" .. index .. " = " .. index) end
  local module = Instance.new("ModuleScript", game.ReplicatedStorage)
  module.Name, module.Source = "Lines", table.concat(lines, "\\n")
`;

const long = "0123456789".repeat(10_000);
/** For each tool a call whose whole answer is large, where it can be. */
const calls: { readonly [tool: string]: JsonObject } = {
  studio_exec: {
    script:
      'for index = 1, 3000 do print("line", index) end return string.rep("r", 50000), table.create(900, "x")',
  },
  studio_logs: { count: 1_000 },
  studio_query: { path: "Workspace.Parts", depth: 1, includeAttributes: true },
  studio_read_script: { path: "ReplicatedStorage.Lines" },
  studio_grep: { pattern: "local", limit: 3_000 },
  studio_edit_script: { edits: [{ path: "ReplicatedStorage.Lines", source: long }], dryRun: true },
  studio_edit: {
    operations: Array.from({ length: 40 }, (_, index) => ({
      op: "set",
      path: "Workspace.Long",
      properties: { Value: `${index}${long}` },
    })),
    dryRun: true,
  },
  studio_select: { paths: Array.from({ length: 1_000 }, (_, index) => `Workspace.Parts.Part${index + 1}`) },
  studio_wait: { property: { path: "Workspace.Long", name: "Value", value: "" }, timeoutMs: 1 },
  studio_insert: { file: "many.model.json" },
  studio_api: { name: "Part" },
  studio_diff: { a: "edit", b: "small.rbxm" },
  // There is nothing to redo, so that the place stays.
  studio_undo: { redo: true },
  studio_result: { id: "r1" },
};

interface Answer {
  readonly facts: JsonObject;
  /** The sentence about what was cut. */
  readonly note: string;
}

async function answerAsync(tool: string, args: JsonObject): Promise<Answer> {
  const { content, structuredContent } = Object(await peer.toolAsync(tool, args));
  const [first, second] = content;
  const facts = JSON.parse(first.text);
  if (structuredContent !== undefined) expect(structuredContent).toEqual(facts);
  return { facts, note: String(second?.text ?? "") };
}

/** The whole of an answer that was cut, read part by part. */
async function wholeAsync(id: string): Promise<string> {
  let text = "";
  for (let offset: number | undefined = 0; offset !== undefined;) {
    const { facts } = await answerAsync("studio_result", { id, offset });
    expect(Buffer.byteLength(JSON.stringify(facts))).toBeLessThanOrEqual(DEFAULT_BYTES);
    text += String(facts["text"]);
    const next: unknown = facts["nextOffset"];
    offset = typeof next === "number" ? next : undefined;
  }
  return text;
}

/** `logs: 120 of 3000 items`, as the note has it. */
const CUT = /([\w.[\]]+): (\d+) of (\d+) (items|characters|keys)/g;

function memberAt(value: unknown, path: string): unknown {
  const steps = path.split(/[.[\]]+/).filter((step) => step !== "");
  return steps.reduce((member, step) => Object(member)[step], value);
}

const sizeOf = (value: unknown): number =>
  typeof value === "string" ? [...value].length : Object.keys(Object(value)).length;

test("of every tool have at most 16 KB, and what is left out is counted exactly and can be read", async () => {
  const { result } = await peer.requestAsync("tools/list");
  const names: readonly string[] = Object(result).tools.map(({ name }: { readonly name: string }) => name);
  expect(names).toEqual(expect.arrayContaining(Object.keys(calls)));
  const cut = new Set<string>();
  // The answer of this tool is a picture.
  for (const name of names.filter((each) => each !== "studio_screenshot")) {
    const { facts, note } = await answerAsync(name, calls[name] ?? {});
    const bytes = Buffer.byteLength(JSON.stringify(facts));
    expect({ name, isSmall: bytes <= DEFAULT_BYTES }).toEqual({ name, isSmall: true });
    const more = facts["more"];
    if (typeof more !== "string") continue;
    cut.add(name);
    const whole: unknown = JSON.parse(await wholeAsync(more));
    const cuts = [...note.matchAll(CUT)];
    expect({ name, cuts: cuts.length }).not.toEqual({ name, cuts: 0 });
    for (const [, path = "", kept, total] of cuts) {
      expect({ name, path, total }).toEqual({ name, path, total: String(sizeOf(memberAt(whole, path))) });
      const shown = memberAt(facts, path);
      if (Array.isArray(shown))
        expect({ name, path, kept }).toEqual({ name, path, kept: String(shown.length) });
    }
  }
  expect([...cut].toSorted()).toEqual([
    "studio_diff",
    "studio_edit",
    "studio_edit_script",
    "studio_exec",
    "studio_grep",
    "studio_insert",
    "studio_logs",
    "studio_query",
    "studio_select",
    "studio_wait",
  ]);
});

test("have as much as maxBytes says, up to 64 KB, and count verdicts that are too many", async () => {
  const wide = await answerAsync("studio_logs", { count: 1_000, maxBytes: 65_536 });
  const bytes = Buffer.byteLength(JSON.stringify(wide.facts));
  expect(bytes).toBeGreaterThan(DEFAULT_BYTES);
  expect(bytes).toBeLessThanOrEqual(65_536);
  const { facts } = await answerAsync("studio_edit", calls["studio_edit"] ?? {});
  const items = Object(facts["items"]);
  expect(items).toHaveLength(40);
  for (const [index, item] of items.entries())
    expect(item).toMatchObject({ index, ok: true, path: "Workspace.Long", id: expect.any(String) });
  const parts = Array.from({ length: 3_000 }, (_, index) => ({
    op: "create",
    className: "Part",
    parent: "Workspace.Parts",
    ...(index === 7 ? { as: "floor" } : {}),
  }));
  const many = await answerAsync("studio_edit", { operations: parts, maxBytes: 1_024 });
  expect(Buffer.byteLength(JSON.stringify(many.facts))).toBeLessThanOrEqual(1_024);
  expect(many.facts).toMatchObject({
    ok: true,
    items: [{ index: 7, as: "floor", id: expect.any(String) }],
    done: { total: 2_999, ids: [expect.stringMatching(/^@\d+-@\d+$/), expect.stringMatching(/^@\d+-@\d+$/)] },
  });
  for (const maxBytes of [10, 65_537, "all"]) {
    const { facts: refusal } = await answerAsync("studio_state", { maxBytes });
    expect(refusal["error"]).toContain("maxBytes: expected a whole number from 1024 to 65536");
  }
});
