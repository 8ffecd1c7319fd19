/** Examples of the messages of ../actions/sync.ts. */
import { SESSION, request } from "./example.ts";
import type { MessageExample } from "./example.ts";

export const syncExamples: readonly MessageExample[] = [
  {
    type: "syncOpen",
    ...request,
    payload: {
      holder: { id: "laptop/4711", name: "sb sync (process 4711)" },
      holdMs: 15_000,
      project: "0a1b2c3d4e5f",
      left: { folder: "game", open: 2, failed: 0 },
    },
  },
  {
    type: "syncOpened",
    ...request,
    payload: {
      generation: "1b4e28ba-2fa1-11d2-883f-0016d3cca427",
      state: "Edit",
      placeId: 0,
      gameId: 0,
      placeName: "Place1",
      mark: "6ba7b810-9dad-41d1-80b4-00c04fd430c8",
      revision: {
        named: "0123456789abcdef 2026-11-23",
        last: "0123456789abcdef 2026-11-23",
        lasting: "0123456789abcdef 2026-11-23",
      },
      canMakeModels: true,
    },
  },
  {
    type: "nameRevision",
    ...request,
    payload: { project: "0a1b2c3d4e5f", name: "0123456789abcdef 2026-11-23" },
  },
  { type: "revisionNamed", ...request, payload: { isWritten: true } },
  { type: "watchTree", ...request, payload: { isOn: true } },
  {
    type: "treeWatched",
    ...request,
    payload: { isWatched: true, generation: "1b4e28ba-2fa1-11d2-883f-0016d3cca427" },
  },
  { type: "treeChange", sessionId: SESSION, payload: { typing: ["@12"] } },
];
