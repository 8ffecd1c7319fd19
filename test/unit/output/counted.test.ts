/** Which Studios are asked what they did otherwise than Roblox Studio. */
import { expect, test } from "bun:test";
import { countedAsync } from "../../../src/output/counted.ts";
import { NOTHING_COUNTED } from "../../../src/protocol/caveats.ts";
import { StudioBridgeError } from "../../../src/protocol/errors.ts";

test("a Studio with a window is not asked, and one that is gone has nothing to tell", async () => {
  const callAsync = async () => {
    throw new StudioBridgeError("SESSION_GONE", "It is gone.");
  };
  const capabilities = ["queryCaveats"];
  expect(await countedAsync({ session: { origin: "headless", capabilities }, callAsync })).toEqual(
    NOTHING_COUNTED,
  );
  const neverAsync = async (): Promise<never> => expect.unreachable("it was asked");
  expect(await countedAsync({ session: { origin: "user", capabilities }, callAsync: neverAsync })).toEqual(
    NOTHING_COUNTED,
  );
});
