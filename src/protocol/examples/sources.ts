/** Examples of the messages of ../actions/sources.ts. */
import { request } from "./example.ts";
import type { MessageExample } from "./example.ts";

export const sourceExamples: readonly MessageExample[] = [
  { type: "checkSources", ...request, payload: { sources: ["return 1", "return = 1"] } },
  {
    type: "sourcesChecked",
    ...request,
    payload: {
      isChecked: true,
      faults: [{ index: 1, line: 1, message: "Expected identifier when parsing expression, got '='" }],
    },
  },
  { type: "readScript", ...request, payload: { path: "game.ServerScriptService.Items", saved: false } },
  {
    type: "scriptResult",
    ...request,
    payload: {
      path: "game.ServerScriptService.Items",
      id: "@1",
      className: "ModuleScript",
      isDraft: true,
      hasUnsavedDraft: true,
      source: "return {}\n",
    },
  },
  {
    type: "readScripts",
    ...request,
    payload: {
      path: "game.ServerScriptService",
      className: "ModuleScript",
      saved: false,
      generation: "1b4e28ba-2fa1-11d2-883f-0016d3cca427",
      revisions: [3, 4],
    },
  },
  {
    type: "scriptsResult",
    ...request,
    payload: {
      generation: "1b4e28ba-2fa1-11d2-883f-0016d3cca427",
      paths: ["game.ServerScriptService.Items", "game.ServerScriptService.Items.Sword"],
      revisions: [4, 3],
      newRevisions: [4],
      newSizes: [10],
      newTexts: "return {}\n",
    },
  },
];
