/** Which places the files of a project may be brought to, as Rojo's server decides it. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "bun:test";
import { checkPlaceAsync, checkServedPlaceAsync } from "../../../src/project/place-rules.ts";
import { sessionInfo } from "../command-kit/sessions/sessions-fixture.ts";

const session = (placeId: number, origin: "user" | "headless" = "user") =>
  sessionInfo({ sessionId: "one", placeId, origin });

async function isServedAsync(rules: object, of: ReturnType<typeof session>): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), "sb-rules-"));
  try {
    await Bun.write(join(folder, "default.project.json"), JSON.stringify({ tree: {}, ...rules }));
    await Bun.write(join(folder, "sb.config.json"), "{}");
    // Commands that bring no files to a place let an unpublished one pass.
    if (of.placeId === 0) await checkPlaceAsync(of, folder);
    return await checkServedPlaceAsync(of, folder).then(
      () => true,
      (error: { code?: string }) => {
        expect(error.code).toBe("PLACE_NOT_ALLOWED");
        return false;
      },
    );
  } finally {
    await rm(folder, { recursive: true });
  }
}

test("servePlaceIds and blockedPlaceIds count for the place 0 as for any other", async () => {
  expect(await isServedAsync({}, session(0))).toBe(true);
  expect(await isServedAsync({ servePlaceIds: null }, session(0))).toBe(true);
  expect(await isServedAsync({ servePlaceIds: [7] }, session(7))).toBe(true);
  expect(await isServedAsync({ servePlaceIds: [7] }, session(8))).toBe(false);
  expect(await isServedAsync({ servePlaceIds: [7] }, session(0))).toBe(false);
  expect(await isServedAsync({ servePlaceIds: [7, 0] }, session(0))).toBe(true);
  expect(await isServedAsync({ servePlaceIds: [] }, session(0))).toBe(false);
  expect(await isServedAsync({ blockedPlaceIds: [0] }, session(0))).toBe(false);
  expect(await isServedAsync({ blockedPlaceIds: [7] }, session(0))).toBe(true);
  // The place of a headless Studio is published only where that is said.
  expect(await isServedAsync({ servePlaceIds: [7] }, session(0, "headless"))).toBe(true);
  expect(await isServedAsync({ servePlaceIds: [7] }, session(8, "headless"))).toBe(false);
});
