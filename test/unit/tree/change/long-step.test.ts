/** What the parts of a long step tell of those that come after them. */
import { expect, test } from "bun:test";
import { LongStep, type Patched } from "../../../../src/tree/change/long-step.ts";
import { limits } from "../../../../src/protocol/limits.ts";
import type { PatchOperation } from "../../../../src/protocol/fields/patches.ts";
import type { SessionInfo } from "../../../../src/protocol/network.ts";

const session = (permission: "everything" | "ask"): SessionInfo => ({
  sessionId: "s",
  instanceId: "i",
  placeName: "Place",
  placeId: 0,
  gameId: 0,
  context: "edit",
  state: "Edit",
  origin: "headless",
  connectedAt: "2026-01-01T00:00:00.000Z",
  capabilities: [],
  health: "ok",
  pluginVersion: "1",
  uptimeMs: 0,
  permission,
});

const operations = (count: number): PatchOperation[] =>
  Array.from({ length: count }, (_, at) => ({ op: "set", path: `game.P${at}`, properties: { A: at } }));

/** The paths that each part tells, for parts of so many operations. */
async function toldAsync(permission: "everything" | "ask", all: PatchOperation[], size: number) {
  const told: (readonly (string | undefined)[])[] = [];
  const patched: Patched = { ok: true, items: [], undo: { recorded: true, name: "x" } };
  const step = new LongStep(
    {
      session: session(permission),
      caller: { id: "c", name: "n" },
      callAsync: async (_name, request) => {
        const { coming = [] } = { ...Object(request) };
        told.push(coming.map(({ path }: PatchOperation) => path));
        expect(JSON.stringify(coming)).not.toContain("properties");
        return Object(patched);
      },
    },
    { name: "x", exact: true },
  );
  for (let at = 0; at < all.length; at += size)
    await step.sendAsync(all.slice(at, at + size), at + size >= all.length, () => all.slice(at + size));
  return told;
}

test("nothing is told where no person is asked", async () => {
  expect(await toldAsync("everything", operations(4), 2)).toEqual([[], []]);
});

test("the first part tells all that comes, in its order", async () => {
  expect(await toldAsync("ask", operations(5), 2)).toEqual([["game.P2", "game.P3", "game.P4"], [], []]);
});

test("of more than a request can tell, a later part tells the rest when what was told is done", async () => {
  const size = limits.stepOperations / 2;
  const told = await toldAsync("ask", operations(size * 5), size);
  expect(told.map(({ length }) => length)).toEqual([size * 2, 0, size * 2, 0, 0]);
  expect(told[2]?.[0]).toBe(`game.P${size * 3}`);
});
