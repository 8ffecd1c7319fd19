/** What a watched sync learns of the person at its Studio. */
import { expect, test } from "bun:test";
import type { SessionEvent } from "../../../../src/bridge/index.ts";
import { PersonWatch } from "../../../../src/sync/watch/person-watch.ts";
import { exampleSession } from "../../bridge/client/client-world.ts";

const asked = { ...exampleSession, permission: "ask" } as const;

function watched() {
  const heard = { changes: 0, tell: (_event: SessionEvent): void => {} };
  const bridge = {
    onSessionEvent: (listener: (event: SessionEvent) => void) => {
      heard.tell = listener;
      return () => {};
    },
  };
  const person = new PersonWatch(bridge, asked, () => (heard.changes += 1));
  return { heard, person };
}

test.each([
  ["another level", { permission: "everything" }, 1],
  ["a pause", { pausedSince: 5 }, 1],
  ["a Yes that came too late", { lateYesAt: 5 }, 1],
  ["another mode", { state: "Play" }, 0],
  ["what another window allows", { permission: "everything", instanceId: "other" }, 0],
] as const)("%s", async (_what, facts, changes) => {
  const { heard, person } = watched();
  using _person = person;
  const isWoken = person.untilChangedAsync(AbortSignal.timeout(60_000)).then(() => true);
  heard.tell({ event: "state-changed", session: { ...asked, ...facts } });
  expect(heard.changes).toBe(changes);
  if (changes > 0) expect(await isWoken).toBe(true);
  // The same again is no change.
  heard.tell({ event: "state-changed", session: { ...asked, ...facts } });
  expect(heard.changes).toBe(changes);
});
