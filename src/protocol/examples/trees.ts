/** Examples of the messages of ../actions/trees.ts. */
import { request } from "./example.ts";
import type { MessageExample } from "./example.ts";

export const treeExamples: readonly MessageExample[] = [
  {
    type: "readTree",
    ...request,
    payload: {
      roots: ["game.Workspace"],
      cursor: "6fa459ea-ee8a-3ca4-894e-db77e160355e/2000",
      budget: 65_536,
      sliceMs: 6,
      hashes: true,
      watch: true,
      since: "16fd2706-8baf-433b-82eb-8c7fada847da/12",
    },
  },
  {
    type: "treeResult",
    ...request,
    payload: {
      generation: "1b4e28ba-2fa1-11d2-883f-0016d3cca427",
      rootPaths: ["game.Workspace"],
      isPartial: false,
      total: 3,
      mark: "16fd2706-8baf-433b-82eb-8c7fada847da/15",
      ids: "1,2,5",
      parents: "0,1,1",
      names: "Workspace\nDoor\nOpen",
      classes: "0,1,2",
      classNames: ["Workspace", "Model", "Script"],
      hashes: "0c9b3f1a22d4e5f6,,",
      scripts: [2],
      sourceHashes: ["0c0cb0a5c4f5ca5f6d8d1ad1b2b7a0c2e3a4b5c6"],
      drafts: [],
      referrers: [1],
      referenceNames: ["PrimaryPart"],
      referenceTargets: [9],
      removed: [4],
    },
  },
  {
    type: "readItems",
    ...request,
    payload: {
      ids: [2, 5],
      aspects: ["properties", "attributes", "tags", "source"],
      saved: false,
      sliceMs: 6,
    },
  },
  {
    type: "itemsResult",
    ...request,
    payload: {
      ids: "2,5",
      classes: "0,1",
      classNames: ["Part", "Script"],
      columns: [
        { of: "properties", name: "Anchored", rows: "0", values: [true] },
        { of: "properties", name: "Size", rows: "0", type: "Vector3", numbers: "4,1.5,2" },
        { of: "attributes", name: "Zone", rows: "0-1", values: ["Lobby", "Hall"], picks: "0,1" },
        { of: "tags", name: "", rows: "0", values: [["Door"]] },
        { of: "source", name: "", rows: "1", values: ["print(1)\n"] },
        { of: "isDraft", name: "", rows: "1", values: [true] },
        { of: "hasUnsavedDraft", name: "", rows: "1", values: [false] },
      ],
    },
  },
  {
    type: "othersChanges",
    ...request,
    payload: { since: "16fd2706-8baf-433b-82eb-8c7fada847da/2" },
  },
  {
    type: "othersChangesResult",
    ...request,
    payload: {
      mark: "16fd2706-8baf-433b-82eb-8c7fada847da/3",
      isKnown: true,
      changes: [
        {
          generation: "1b4e28ba-2fa1-11d2-883f-0016d3cca427",
          id: 17,
          name: "Door",
          className: "Part",
          path: "game.Workspace.Door",
        },
      ],
    },
  },
];
