/** Watching what Studio does not push: a change is told once, whatever else happens is not, and nothing asks unwatched. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { ResourceWatch } from "../../../../src/mcp/studio/resource-watch.ts";
import { untilAsync } from "../../../harness.ts";

let text: string | undefined;
let isBroken: boolean;
let looks: number;
let changes: number;
let watch: ResourceWatch;

beforeEach(() => {
  text = "first";
  isBroken = false;
  looks = 0;
  changes = 0;
  watch = new ResourceWatch(
    "first",
    async () => {
      looks += 1;
      if (isBroken) throw new Error("unreachable");
      return text;
    },
    () => {
      changes += 1;
    },
    1,
  );
});
afterEach(async () => {
  await watch[Symbol.asyncDispose]();
});

async function looksAgainAsync(): Promise<void> {
  const before = looks;
  await untilAsync("it looked twice", () => (looks >= before + 2 ? true : undefined));
}

describe("a watched resource", () => {
  test("that stays the same is not told", async () => {
    await looksAgainAsync();
    expect(changes).toBe(0);
  });

  test("is reported once for each change, also when it goes and when it comes back", async () => {
    for (const next of ["second", undefined, "second"]) {
      text = next;
      await looksAgainAsync();
    }
    expect(changes).toBe(3);
  });

  test("that cannot be read for a while is reported afterwards if it has changed", async () => {
    isBroken = true;
    await looksAgainAsync();
    expect(changes).toBe(0);
    isBroken = false;
    text = "second";
    await looksAgainAsync();
    expect(changes).toBe(1);
  });

  test("is not read any more once it is unwatched", async () => {
    await looksAgainAsync();
    await watch[Symbol.asyncDispose]();
    const before = looks;
    text = "second";
    await Bun.sleep(20);
    expect({ looks, changes }).toEqual({ looks: before, changes: 0 });
  });
});
