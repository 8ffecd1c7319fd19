/** The key and the project file are read before citty reads the words, by commands that need them. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readAhead } from "../../../src/cli/read-ahead.ts";
import { routeAsync } from "../../../src/cli/route.ts";
import { checkWords } from "../../../src/command-kit/words/check-words.ts";
import { commands } from "../../../src/commands/index.ts";

const before = process.env["XDG_STATE_HOME"];
let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "sb-read-ahead-"));
  process.env["XDG_STATE_HOME"] = folder;
});
afterAll(async () => {
  if (before === undefined) delete process.env["XDG_STATE_HOME"];
  else process.env["XDG_STATE_HOME"] = before;
  await rm(folder, { recursive: true });
});

async function aheadOfAsync(line: readonly string[]) {
  const route = await routeAsync(line, commands);
  if (route.kind !== "command") throw new Error("no command");
  return readAhead(route.command, checkWords(route.command, route.words));
}

test.each([
  [["exec", "return 1"], true],
  [["sessions"], true],
  [["exec", "--headless", "return 1"], false],
  [["exec", "--help"], false],
  [["version"], false],
  [["mcp"], false],
])("%p reads the key ahead: %p", async (line, isRead) => {
  const { prover } = await aheadOfAsync(line);
  expect((await prover)?.keyId("client")).toEqual(
    isRead ? expect.stringMatching(/^[0-9a-f]{16}$/) : undefined,
  );
});

test("a key that cannot be used is a failure only for those who wait for it", async () => {
  process.env["STUDIO_BRIDGE_KEY_FILE"] = join(folder, "no-key");
  try {
    const { prover, settings } = await aheadOfAsync(["state"]);
    expect(await settings).toEqual({ settings: {}, unknownKeys: [] });
    // A missing file is found within this time, and a rejection that nothing handles would fail the test.
    await Bun.sleep(100);
    expect(await prover?.catch((error: unknown) => error)).toMatchObject({ code: "KEY_ERROR" });
  } finally {
    delete process.env["STUDIO_BRIDGE_KEY_FILE"];
  }
});
