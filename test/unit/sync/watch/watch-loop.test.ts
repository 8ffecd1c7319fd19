/** When a watched sync runs and when it waits. */
import { expect, test } from "bun:test";
import { WatchLoop } from "../../../../src/sync/watch/watch-loop.ts";

/** A loop whose syncs end when the test says so. */
function loopOf() {
  const syncs: {
    readonly typing: readonly string[];
    readonly what: readonly string[];
    readonly end: () => void;
  }[] = [];
  const pauses: string[] = [];
  const stop = new AbortController();
  const loop = new WatchLoop({
    syncAsync: ({ typing, files, isStudio, isAll }) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      syncs.push({
        typing: [...typing],
        what: [...files, ...(isStudio ? ["studio"] : []), ...(isAll ? ["all"] : [])],
        end: resolve,
      });
      return promise;
    },
    paused: (all) => pauses.push([...all].join(" ")),
  });
  const ended = loop.runAsync(stop.signal);
  const turnAsync = () => Bun.sleep(0);
  return { loop, syncs, pauses, stop, ended, turnAsync };
}

test("syncs at once, then for each change, one sync at a time", async () => {
  const { loop, syncs, stop, ended, turnAsync } = loopOf();
  expect(syncs.length).toBe(1);
  loop.filesChanged(["/a", "/b"]);
  loop.filesChanged(["/a"]);
  loop.studioChanged(["@7"]);
  await turnAsync();
  expect(syncs.length).toBe(1);
  syncs[0]?.end();
  await turnAsync();
  expect(syncs.map(({ what }) => what)).toEqual([["all"], ["/a", "/b", "studio"]]);
  expect(syncs.map(({ typing }) => typing)).toEqual([[], ["@7"]]);
  syncs[1]?.end();
  await turnAsync();
  expect(syncs.length).toBe(2);
  loop.studioChanged([]);
  await turnAsync();
  expect(syncs.map(({ typing }) => typing)).toEqual([[], ["@7"], []]);
  stop.abort();
  syncs[2]?.end();
  await ended;
});

test("waits while there is any pause, and then finds what has changed meanwhile", async () => {
  const { loop, syncs, pauses, stop, ended, turnAsync } = loopOf();
  loop.pause("git");
  loop.pause("play");
  loop.pause("git");
  syncs[0]?.end();
  loop.changed();
  await turnAsync();
  loop.resume("git");
  await turnAsync();
  expect(syncs.length).toBe(1);
  loop.resume("play");
  loop.resume("studio");
  await turnAsync();
  expect(syncs.length).toBe(2);
  expect(pauses).toEqual(["git", "git play", "play", ""]);
  stop.abort();
  syncs[1]?.end();
  await ended;
});

test("ends with its signal while it waits, and passes on what a sync throws", async () => {
  const waiting = loopOf();
  waiting.syncs[0]?.end();
  await waiting.turnAsync();
  waiting.stop.abort();
  await waiting.ended;

  const loop = new WatchLoop({
    syncAsync: async () => Promise.reject(new Error("broken")),
    paused: () => {},
  });
  await expect(loop.runAsync(new AbortController().signal)).rejects.toThrow("broken");
});
