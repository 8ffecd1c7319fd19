/** Examples of the messages about play tests. */
import { request } from "./example.ts";
import type { MessageExample } from "./example.ts";

export const playTestExamples: readonly MessageExample[] = [
  { type: "startTest", ...request, payload: { mode: "play", players: 2, until: "started" } },
  { type: "testStarted", ...request, payload: { isOver: false } },
  { type: "stopTest", ...request, payload: { force: false } },
  { type: "testStopped", ...request, payload: { problem: "EndTest can be called only by the server" } },
];
