/** Which Instances of Studio a project is about, and how many questions about them are under way at a time. */
import { expect, test } from "bun:test";
import { limits } from "../../../../src/protocol/limits.ts";
import { locateAsync } from "../../../../src/sync/studio/scope.ts";
import { BridgePeer } from "../../plugin/bridge-peer.ts";
import { filesOf, linkOf, luauAsync } from "./studio-peer.ts";

const MANY = limits.inFlightPerClient * 2;

test("a project that names more Instances than a host takes requests asks for a few at a time", async () => {
  using peer = await BridgePeer.connectAsync();
  await luauAsync(peer, 'Instance.new("Folder", game.ReplicatedStorage).Name = "F7"');
  const link = linkOf(peer);
  const folders = Array.from({ length: MANY }, (_, index) => [`F${index}`, "Folder"] as const);
  const files = filesOf([["ReplicatedStorage", "ReplicatedStorage", folders]]);
  let underWay = 0;
  let most = 0;
  let asked = 0;
  const scope = await locateAsync(
    {
      session: link.session,
      callAsync: async (name, request) => {
        asked += 1;
        most = Math.max(most, (underWay += 1));
        return link.callAsync(name, request).finally(() => (underWay -= 1));
      },
    },
    files,
  );
  expect(scope[0]?.children.map(({ name, isWhole }) => [name, isWhole])).toEqual([["F7", true]]);
  expect(asked).toBe(MANY + 1);
  expect(most).toBeGreaterThan(1);
  expect(most).toBeLessThan(limits.inFlightPerClient / 2);
});
