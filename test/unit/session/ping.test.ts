import { expect, test } from "bun:test";
import type { PingTimes } from "../../../src/bridge/index.ts";
import { partsOf, pingReport } from "../../../src/session/ping.ts";

const times = (totalMs: number, pendingScripts = 0): PingTimes => ({
  totalMs,
  hostMs: totalMs - 1,
  state: {
    ...{ state: "Edit", placeName: "", placeId: 0, gameId: 0 },
    // A clock of its own, far from ours.
    timing: { receivedMs: 1e9, frameMs: 1e9 + 3, doneMs: 1e9 + 3.5, pendingScripts },
  },
});

test("the parts are differences within one clock, and their sum is the whole", () => {
  const parts = partsOf(times(10));
  expect([...parts]).toEqual([
    ["to the host and back", 1],
    ["to Studio and back", 5.5],
    ["next frame of Studio", 3],
    ["handler", 0.5],
    ["whole request", 10],
  ]);
});

test("an older host or plugin leaves parts out, and invents none", () => {
  const { state, totalMs } = times(10);
  const { timing: _, ...older } = state;
  expect([...partsOf({ totalMs, state: older }).keys()]).toEqual(["whole request"]);
  expect([...partsOf({ totalMs, hostMs: 9, state: older }).keys()]).toEqual([
    "to the host and back",
    "whole request",
  ]);
});

test("each part has its least, its middle and its worst time", () => {
  const { hops, slow } = pingReport(
    [5, 1, 9, 3, 7].map((ms) => times(ms)),
    new Map([["start of sb", 60]]),
  );
  expect(hops[0]).toEqual({ name: "start of sb", min: 60, p50: 60, p99: 60 });
  expect(hops.at(-1)).toEqual({ name: "whole request", min: 1, p50: 5, p99: 9 });
  expect(slow).toBeUndefined();
});

test("a reason for slowness is one that was measured, else it is unknown; one slow answer is none", () => {
  const quick = times(10);
  expect(pingReport([times(900), quick, quick]).slow).toBeUndefined();
  expect(pingReport([times(900), times(800), quick]).slow).toEqual({ reason: "unknown" });
  expect(pingReport([times(900), quick]).slow).toEqual({ reason: "unknown" });
  expect(pingReport([quick, quick]).slow).toBeUndefined();
  expect(pingReport([times(900, 2), times(800), quick]).slow).toEqual({
    reason: "scripts of sb wait or run in Studio",
  });
});
