import { describe, expect, test } from "bun:test";
import { actionNames, actions, isActionName } from "../../../src/protocol/actions.ts";
import type { ActionName } from "../../../src/protocol/actions.ts";
import { decodePayload } from "../../../src/protocol/codec.ts";
import { messageExamples } from "../../../src/protocol/examples.ts";
import { summaryOf } from "../../../src/protocol/summary.ts";
import type { CheckedRequest } from "../../../src/protocol/summary.ts";

const SECRET = "hunter2";

/** The request as a session sends it. */
function summarized<Name extends ActionName>(name: Name, payload: unknown, verb?: string): string {
  const checked = decodePayload(actions[name].request, { type: name, sessionId: "", payload });
  if (!checked.ok) throw new Error(checked.fault.message);
  return summaryOf(name, checked.value as CheckedRequest<Name>, verb);
}

describe("a summary", () => {
  test.each([
    [
      "execute",
      { script: SECRET, args: [SECRET], variables: [`A=${SECRET}`], input: SECRET, chunkName: SECRET },
    ],
    ["tryScript", { script: SECRET }],
    ["runInGame", { script: SECRET, chunkName: SECRET }],
    ["provideInput", { scriptId: "r1", seq: 0, text: SECRET, fault: SECRET }],
    ["complete", { text: SECRET }],
    ["checkSources", { sources: [SECRET] }],
    ["findInstances", { selector: `[$Key=${SECRET}]`, properties: [SECRET] }],
    ["queryDataModel", { path: "game", properties: [SECRET] }],
    ["wait", { condition: "until", source: SECRET }],
    ["wait", { condition: "property", path: "game", property: "Name", value: SECRET }],
    ["insertModel", { query: SECRET, name: SECRET }],
    ["insertModel", { model: SECRET, name: SECRET }],
    ["applyPatch", { name: SECRET, operations: [{ op: "source", path: "game.A", source: SECRET }] }],
    [
      "applyPatch",
      {
        name: "edit",
        operations: [
          { op: "set", path: "game.A", properties: { Name: SECRET }, attributes: { Key: SECRET } },
          { op: "tag", path: "game.B", add: [SECRET], remove: [SECRET] },
          { op: "set", path: "game.B", expect: { hash: SECRET, properties: { Name: SECRET } } },
        ],
      },
    ],
    ["savePlace", { file: `/home/${SECRET}/place.rbxl` }],
    ["savePlace", { file: `C:\\Users\\${SECRET}\\place.rbxl` }],
    ["nameRevision", { project: SECRET, name: SECRET }],
  ] as const)("of %s tells no value, source or folder", (name, payload) => {
    expect(summarized(name, payload)).not.toContain(SECRET);
  });

  test("tells what is asked for, in few words", () => {
    const set = (path: string) => ({ op: "set", path, properties: { Name: "x" } });
    expect(summarized("applyPatch", { name: "set", operations: [set("game.Workspace.Part")] }, "set")).toBe(
      "set game.Workspace.Part",
    );
    const operations = [
      set("game.A"),
      { op: "create", className: "Part", parent: "game.Workspace" },
      ...["game.B", "game.C"].map(set),
    ];
    expect(summarized("applyPatch", { name: "edit", operations }, "edit")).toBe(
      "edit 3 set, 1 create: game.A, Part in game.Workspace, game.B, … (4)",
    );
    expect(summarized("undo", { steps: 2, redo: true })).toBe("undo again 2 steps");
  });

  test("is never longer than the wire takes", () => {
    const path = `game.${"a".repeat(500)}`;
    const summary = summarized("queryDataModel", { path });
    expect(summary).toHaveLength(200);
    expect(summary.endsWith("…")).toBe(true);
  });

  test("exists for every action", () => {
    const examples = messageExamples.filter(({ type }) => isActionName(type));
    expect(new Set(examples.map(({ type }) => type))).toEqual(new Set(actionNames));
    for (const { type, payload } of examples)
      if (isActionName(type)) expect(summarized(type, payload)).toStartWith(type);
  });
});
