/** Examples of the messages of ../actions/changes.ts. */
import { request } from "./example.ts";
import type { MessageExample } from "./example.ts";

export const changeExamples: readonly MessageExample[] = [
  {
    type: "applyPatch",
    ...request,
    payload: {
      operations: [
        {
          op: "create",
          className: "Part",
          parent: "Workspace",
          name: "Floor",
          as: "floor",
          properties: { Size: [100, 1, 100], Material: "Slate", Anchored: true },
          attributes: { Zone: "Lobby" },
          tags: ["Ground"],
        },
        {
          op: "set",
          path: "$floor",
          properties: { Color: "#808080" },
          attributes: { Zone: { type: "nil" } },
        },
        { op: "delete", path: "@17", expect: { className: "Part", properties: { Anchored: true } } },
        { op: "tag", path: "Workspace.Door", add: ["Locked"], remove: ["Open"] },
      ],
      name: "sb: edit 3 instances",
      caller: { id: "c0ffee", name: "claude" },
      dryRun: false,
      exact: false,
      sliceMs: 6,
    },
  },
  {
    type: "patchResult",
    ...request,
    payload: {
      ok: false,
      items: [
        { index: 0, ok: true, path: "game.Workspace.Floor", id: "@18", className: "Part" },
        {
          index: 1,
          ok: false,
          code: "INVALID_VALUE",
          message: "Part.Color takes a Color3.",
          details: { property: "Color", className: "Part", typeName: "Color3" },
        },
      ],
      undo: { recorded: false, name: "sb: edit 2 instances", reason: "nothing was changed" },
    },
  },
  {
    type: "undo",
    ...request,
    payload: { steps: 1, redo: false, only: "c0ffee", force: false, plan: "20260314-092653-a1b2c3" },
  },
  {
    type: "undoResult",
    ...request,
    payload: {
      undone: ["sb: edit 3 instances"],
      stoppedAt: { name: "Move", by: "a person or another plugin" },
    },
  },
  { type: "listSteps", ...request, payload: {} },
  {
    type: "stepsResult",
    ...request,
    payload: {
      steps: [
        {
          name: "sb: edit 3 instances",
          by: "claude",
          callerId: "c0ffee",
          isPartial: false,
          at: 1_773_480_413_000,
          count: 3,
          paths: ["game.Workspace.Map.Floor"],
        },
      ],
      undone: [
        {
          name: "sb sync: 2 changes",
          by: "sb",
          callerId: "f00d",
          isPartial: false,
          at: 1_773_480_412_000,
          count: 2,
          paths: ["game.ReplicatedStorage.Util"],
          sync: { project: "0f1e2d3c4b5a69788796a5b4", plan: "20260314-092653-a1b2c3" },
        },
      ],
    },
  },
];
