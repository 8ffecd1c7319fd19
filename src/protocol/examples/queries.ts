/** Examples of the messages of ../actions/queries.ts. */
import { request } from "./example.ts";
import type { MessageExample } from "./example.ts";

const spawnLocation = {
  name: "SpawnLocation",
  className: "SpawnLocation",
  path: "game.Workspace.SpawnLocation",
  properties: { Position: { type: "Vector3", value: [0, 4, 0] }, Anchored: true },
  attributes: { Team: "Red" },
  childCount: 0,
};

export const queryExamples: readonly MessageExample[] = [
  {
    type: "queryDataModel",
    ...request,
    payload: {
      path: "game.Workspace.SpawnLocation",
      depth: 0,
      properties: ["Position", "Anchored"],
      allProperties: false,
      includeAttributes: true,
      listServices: false,
    },
  },
  {
    type: "dataModelResult",
    ...request,
    payload: {
      instance: { ...spawnLocation, childCount: 1, children: [{ ...spawnLocation, attributes: {} }] },
    },
  },
  {
    type: "findInstances",
    ...request,
    payload: {
      selector: "Part.Enemy[$Health = 10]",
      path: "game.Workspace",
      limit: 100,
      properties: ["Anchored"],
      includeAttributes: true,
    },
  },
  {
    type: "instancesResult",
    ...request,
    payload: {
      instances: [
        {
          path: "game.Workspace.Enemy",
          id: "@3",
          name: "Enemy",
          className: "Part",
          properties: { Anchored: true },
          attributes: { Health: 10 },
        },
      ],
      total: 1,
      missing: [],
    },
  },
  {
    type: "wait",
    ...request,
    payload: {
      condition: "property",
      path: "game.Workspace.Door",
      property: "Transparency",
      value: 1,
      timeoutMs: 30_000,
      holdsTest: false,
    },
  },
  {
    type: "wait",
    variant: "until",
    ...request,
    payload: {
      condition: "until",
      source: "workspace:GetAttribute('Ready')",
      timeoutMs: 5_000,
      holdsTest: false,
    },
  },
  {
    type: "waitResult",
    ...request,
    payload: { met: true, waitedMs: 120.5, evidence: { value: true } },
  },
];
