/** Screenshots through the one path of every command, from a scripted plugin, whole or in pieces. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { chmod, chown, mkdir, readdir, rm, stat, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { encode } from "../../../../src/protocol/codec.ts";
import { limits } from "../../../../src/protocol/limits.ts";
import { plainStyle } from "../../../../src/util/style.ts";
import { decodePng, encodePng } from "../../../../src/util/png.ts";
import type { Received, ScriptedPlugin } from "../../../peers/scripted-plugin.ts";
import type { Caller } from "../../command-kit/caller.ts";
import { CommandWorld } from "../../command-kit/command-world.ts";

const world = new CommandWorld();
let plugin: ScriptedPlugin;
let caller: Caller;

beforeEach(async () => {
  ({ plugin } = await world.studioAsync({ capabilities: ["captureScreenshot"] }));
  caller = world.caller();
});
afterEach(() => plugin[Symbol.dispose]());

const [width, height] = [640, 480];
const pixels = Uint8Array.from({ length: width * height * 4 }, (_, index) => (index % 251) ^ (index >> 9));
const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64");
const rgba = { format: "rgba", width, height, data: base64(pixels) };

/** Answers in pieces, as the plugin does with what is too large for one frame. */
function replyInPieces(request: Received, payload: unknown): void {
  const { sessionId, requestId = "" } = request;
  const whole = encode({ type: "screenshotResult", sessionId, requestId, payload });
  const total = Math.ceil(whole.length / limits.chunkChars);
  expect(total).toBeGreaterThan(1);
  for (let seq = 0; seq < total; seq += 1) {
    const data = whole.slice(seq * limits.chunkChars, (seq + 1) * limits.chunkChars);
    plugin.reply(request, "chunk", { seq, total, data });
  }
}

describe("a screenshot", () => {
  test("of raw pixels in pieces becomes a PNG of those pixels", async () => {
    plugin.on("captureScreenshot", (request) => replyInPieces(request, rgba));
    const path = join(world.stateHome, "shot.png");
    const result = await caller.dispatchAsync("screenshot", { output: path });
    expect(result.output).toEqual({ format: "png", width, height, path });
    expect(result.text(plainStyle)).toBe(`Screenshot saved to ${path}`);
    expect(decodePng(await Bun.file(path).bytes())).toEqual({ width, height, pixels });
  });

  test("that is a PNG already is kept as it came", async () => {
    const png = encodePng({ width, height, pixels });
    plugin.on("captureScreenshot", (request) =>
      plugin.reply(request, "screenshotResult", { format: "png", width, height, data: base64(png) }),
    );
    const result = await caller.dispatchAsync("screenshot", { base64: true });
    expect(result.output).toEqual({ format: "png", width, height, data: base64(png) });
    expect(result.text(plainStyle)).toBe(base64(png));
    expect(result.media).toEqual([{ mimeType: "image/png", base64: base64(png) }]);
  });

  test("without a name goes into the temporary folder, each into a file of its own", async () => {
    plugin.on("captureScreenshot", (request) => replyInPieces(request, rgba));
    const [first, second] = [
      await caller.dispatchAsync("screenshot", {}),
      await caller.dispatchAsync("screenshot", {}),
    ].map(({ output }) => Object(output).path);
    expect(first).toMatch(/studio-bridge[\\/]screenshot-\d{4}-\d\d-\d\d-\d{6}(-\d+)?\.png$/);
    expect(second).not.toBe(first);
    for (const path of [first, second]) await Bun.file(path).delete();
  });

  test.skipIf(process.platform === "win32")(
    "without a name never goes into a temporary folder that others can read or own",
    async () => {
      plugin.on("captureScreenshot", (request) => replyInPieces(request, rgba));
      const before = process.env["TMPDIR"];
      const temporary = (process.env["TMPDIR"] = join(world.stateHome, "tmp"));
      try {
        const usual = join(temporary, "studio-bridge");
        const folderAsync = async () =>
          dirname(Object((await caller.dispatchAsync("screenshot", {})).output).path);
        await mkdir(temporary);
        expect(await folderAsync()).toBe(usual);
        await chmod(usual, 0o755);
        expect(await folderAsync()).not.toBe(usual);
        await rm(usual, { recursive: true });
        await symlink(world.stateHome, usual);
        const other = await folderAsync();
        expect(dirname(other)).toBe(temporary);
        expect((await stat(other)).mode & 0o777).toBe(0o700);
        await rm(usual);
        if (process.getuid?.() !== 0) return;
        await mkdir(usual, { mode: 0o700 });
        await chown(usual, 65_534, 65_534);
        expect(await folderAsync()).not.toBe(usual);
      } finally {
        if (before === undefined) delete process.env["TMPDIR"];
        else process.env["TMPDIR"] = before;
      }
    },
  );

  test("leaves the former file alone when it cannot be captured, and no trace of its own", async () => {
    const folder = join(world.stateHome, "kept");
    await mkdir(folder);
    const path = join(folder, "shot.png");
    await writeFile(path, "before");
    plugin.on("captureScreenshot", (request) =>
      plugin.reply(request, "error", {
        code: "SCREENSHOT_FAILED",
        message: "Cannot capture screenshot: viewport is not available. Is Studio minimized?",
      }),
    );
    const failure = await caller.failureAsync("screenshot", { output: path });
    expect([failure.code, failure.message]).toEqual([
      "SCREENSHOT_FAILED",
      "Cannot capture screenshot: viewport is not available. Is Studio minimized?",
    ]);
    expect(await readdir(folder)).toEqual(["shot.png"]);
    expect(await Bun.file(path).text()).toBe("before");
  });

  test("that cannot be written says where and why", async () => {
    plugin.on("captureScreenshot", (request) => replyInPieces(request, rgba));
    const missing = join(world.stateHome, "nowhere", "shot.png");
    expect((await caller.failureAsync("screenshot", { output: missing })).message).toBe(
      `Cannot write screenshot to ${missing}: no such folder`,
    );
    const file = join(world.stateHome, "a-file");
    await writeFile(file, "");
    const below = join(file, "shot.png");
    expect((await caller.failureAsync("screenshot", { output: below })).message).toStartWith(
      `Cannot write screenshot to ${below}: `,
    );
  });
});

test.each(["rgba", "png"])("a %s frame of one colour is refused with the reason", async (format) => {
  const blank = Uint8Array.from({ length: 8 * 6 * 4 }, (_, index) => [9, 8, 7, 255][index % 4] ?? 0);
  const bytes = format === "png" ? encodePng({ width: 8, height: 6, pixels: blank }) : blank;
  plugin.on("captureScreenshot", (request) =>
    plugin.reply(request, "screenshotResult", { format, width: 8, height: 6, data: base64(bytes) }),
  );
  const failure = await caller.failureAsync("screenshot", { base64: true });
  expect([failure.code, failure.message]).toEqual([
    "SCREENSHOT_FAILED",
    "Screenshot capture failed: all 8×6 pixels have one colour (9, 8, 7), so Studio has not drawn the viewport.",
  ]);
});

test("pixels that are not as many as they should be are refused", async () => {
  plugin.on("captureScreenshot", (request) =>
    plugin.reply(request, "screenshotResult", { ...rgba, height: height + 1 }),
  );
  expect((await caller.failureAsync("screenshot", { base64: true })).message).toBe(
    "Screenshot capture failed: could not read image data: 640×481 pixels need 1231360 bytes, got 1228800.",
  );
});

test("a plugin without screenshots is named as the reason", async () => {
  plugin[Symbol.dispose]();
  await plugin.closed;
  const capabilities = ["queryState" as const];
  const older = await world.studioAsync({
    instanceId: "old",
    capabilities,
  });
  using _older = older.plugin;
  const failure = await caller.failureAsync("screenshot", { sessionId: older.sessionId });
  expect([failure.code, failure.message]).toEqual([
    "CAPABILITY_NOT_SUPPORTED",
    "This Studio session does not support screenshots. Update the studio-bridge plugin.",
  ]);
});
