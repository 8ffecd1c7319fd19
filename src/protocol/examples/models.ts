/** Examples of the messages of ../actions/models.ts. */
import { request } from "./example.ts";
import type { MessageExample } from "./example.ts";

export const modelExamples: readonly MessageExample[] = [
  {
    type: "insertModel",
    ...request,
    payload: {
      assetId: 1818,
      parent: "game.Workspace.Map",
      enableScripts: true,
      name: "sb: insert asset 1818",
      caller: { id: "c1", name: "sb" },
    },
  },
  {
    type: "insertModel",
    variant: "file",
    ...request,
    payload: {
      model: "PHJvYmxveCE=",
      parent: "@17",
      enableScripts: false,
      name: "sb: insert tree.rbxm",
    },
  },
  {
    type: "insertModel",
    variant: "query",
    ...request,
    payload: {
      query: "oak tree",
      parent: "game.Workspace",
      enableScripts: false,
      name: "sb: insert oak tree",
    },
  },
  {
    type: "insertResult",
    ...request,
    payload: {
      inserted: [{ path: "game.Workspace.Map.Tree", id: "@17", className: "Model" }],
      scripts: ["game.Workspace.Map.Tree.Sway", "game.Workspace.Map.Tree.Wind"],
      modules: ["game.Workspace.Map.Tree.Wind"],
      undo: { recorded: true, name: "sb: insert asset 1818" },
    },
  },
  { type: "findModels", ...request, payload: { query: "oak tree" } },
  {
    type: "modelsResult",
    ...request,
    payload: { models: [{ assetId: 1818, name: "Oak tree", creator: "Roblox" }] },
  },
  { type: "exportModel", ...request, payload: { paths: ["game.Workspace.Map.Tree"] } },
  {
    type: "exportResult",
    ...request,
    payload: {
      model: "PHJvYmxveCE=",
      roots: [{ path: "game.Workspace.Map.Tree", id: "@17" }],
      instances: 4,
      leftOut: 1,
    },
  },
];
