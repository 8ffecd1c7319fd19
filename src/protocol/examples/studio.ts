/** Examples of the messages of ../actions/studio.ts. */
import { SESSION, request } from "./example.ts";
import type { MessageExample } from "./example.ts";

export const studioExamples: readonly MessageExample[] = [
  { type: "queryState", ...request, payload: { timing: true } },
  {
    type: "stateResult",
    ...request,
    payload: { state: "Edit", placeName: "TestPlace", placeId: 1_234_567_890, gameId: 9_007_199_254_740_991 },
  },
  {
    type: "queryLogs",
    ...request,
    payload: { count: 50, direction: "tail", levels: ["Print", "Warning", "Error"], includeInternal: false },
  },
  {
    type: "logsResult",
    ...request,
    payload: {
      entries: [
        { level: "Print", body: "Hello from script", timestamp: 12_340, time: 1_767_225_600_000 },
        { level: "Print", body: "Round 1", timestamp: 12_342, context: "server", isOutput: true },
        { level: "Warning", body: 'quote " backslash \\ tab \t newline \n', timestamp: 12_345.5 },
      ],
      total: 847,
      bufferCapacity: 1_000,
    },
  },
  {
    type: "logsResult",
    variant: "empty",
    ...request,
    payload: { entries: [], total: 0, bufferCapacity: 1_000 },
  },
  { type: "select", ...request, payload: { paths: ["game.Workspace.Baseplate"], focus: true } },
  {
    type: "selectResult",
    ...request,
    payload: { selection: [{ path: "game.Workspace.Baseplate", id: "@4" }] },
  },
  { type: "captureScreenshot", ...request, payload: { format: "rgba", interfaceOnly: false } },
  {
    type: "screenshotResult",
    ...request,
    payload: { format: "rgba", width: 2, height: 1, data: "/wAA/wAA//8=" },
  },
  { type: "complete", ...request, payload: { text: "print(workspace.Base" } },
  { type: "completeResult", ...request, payload: { fragment: "Base", candidates: ["Baseplate"] } },
  { type: "subscribe", ...request, payload: { events: ["stateChange", "logPush"] } },
  { type: "subscribeResult", ...request, payload: { events: ["stateChange", "logPush"] } },
  { type: "unsubscribe", ...request, payload: { events: [] } },
  { type: "unsubscribeResult", ...request, payload: { events: [] } },
  {
    type: "stateChange",
    sessionId: SESSION,
    payload: { previousState: "Edit", newState: "Play", timestamp: 60_000 },
  },
  {
    type: "logPush",
    sessionId: SESSION,
    payload: { entries: [{ level: "Error", body: "boom", timestamp: 1 }], dropped: 3, seq: 41 },
  },
  {
    type: "otherLogPush",
    sessionId: SESSION,
    payload: {
      entries: [
        {
          level: "Print",
          body: "Round 1",
          timestamp: 5,
          context: "client",
          player: { name: "Player1", index: 1 },
        },
      ],
    },
  },
  { type: "queryCaveats", ...request, payload: { of: "test" } },
  {
    type: "caveatsResult",
    ...request,
    payload: {
      neverFires: [{ event: "BasePart.Touched", connections: 14 }],
      approximated: [{ class: "MeshPart", count: 3 }],
    },
  },
];
