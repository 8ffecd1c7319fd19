import { afterEach, beforeEach, describe, expect, spyOn, test } from "bun:test";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { KeyFileError, keyFilePath, loadKeyAsync } from "../../../src/auth/index.ts";

let folder = "";
beforeEach(() => {
  folder = fs.mkdtempSync(join(tmpdir(), "sb-key-"));
});
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

const env = () => ({ XDG_STATE_HOME: folder });
const modeOf = (path: string) => (fs.statSync(path).mode & 0o777).toString(8);

async function failureAsync(promise: Promise<unknown>): Promise<KeyFileError> {
  const error: unknown = await promise.catch((reason: unknown) => reason);
  if (error instanceof KeyFileError) return error;
  throw new Error(`expected a KeyFileError, got ${String(error)}`);
}

const refuse = (code: string) => () => {
  throw Object.assign(new Error(code), { code });
};

describe("key file", () => {
  test("is made once, private, in a private folder", async () => {
    const first = await loadKeyAsync(env());
    const second = await loadKeyAsync(env());
    const path = keyFilePath(env());
    expect({
      sizeBytes: first.length,
      isSame: first.toHex() === second.toHex(),
      text: fs.readFileSync(path, "utf8"),
      fileMode: modeOf(path),
      folderMode: modeOf(join(folder, "studio-bridge")),
      files: fs.readdirSync(join(folder, "studio-bridge")),
    }).toEqual({
      sizeBytes: 32,
      isSame: true,
      text: `${first.toHex()}\n`,
      fileMode: "600",
      folderMode: "700",
      files: ["key"],
    });
  });

  test("is the same for processes that race to make it", async () => {
    const auth = join(import.meta.dir, "../../../src/auth/index.ts");
    const code = `const { loadKeyAsync } = await import(${JSON.stringify(auth)}); process.stdout.write((await loadKeyAsync()).toHex());`;
    const racers = Array.from({ length: 12 }, () =>
      Bun.spawn([process.execPath, "-e", code], {
        env: { ...process.env, XDG_STATE_HOME: folder },
        stdout: "pipe",
        stderr: "inherit",
      }),
    );
    const keys = await Promise.all(racers.map((racer) => racer.stdout.text()));
    expect(keys).toEqual(
      Array.from({ length: 12 }, () => fs.readFileSync(keyFilePath(env()), "utf8").trim()),
    );
  });

  test("is made where the file system has no hard links", async () => {
    using _link = spyOn(fs, "linkSync").mockImplementation(refuse("EPERM"));
    const key = await loadKeyAsync(env());
    expect(fs.readFileSync(keyFilePath(env()), "utf8")).toBe(`${key.toHex()}\n`);
    expect(modeOf(keyFilePath(env()))).toBe("600");
  });

  test("leaves nothing behind where it cannot be written whole", async () => {
    const write = fs.writeFileSync;
    using _link = spyOn(fs, "linkSync").mockImplementation(refuse("EPERM"));
    using _write = spyOn(fs, "writeFileSync").mockImplementation((file, ...rest) =>
      typeof file === "number" ? refuse("ENOSPC")() : write(file, ...rest),
    );
    const error = await failureAsync(loadKeyAsync(env()));
    expect(error.message).toEndWith("the disk is full.");
    expect(fs.readdirSync(join(folder, "studio-bridge"))).toEqual([]);
  });

  test("half written by another process is waited for", async () => {
    const path = keyFilePath(env());
    fs.mkdirSync(join(folder, "studio-bridge"), { mode: 0o700 });
    fs.writeFileSync(path, "0123", { mode: 0o600 });
    const loading = loadKeyAsync(env());
    fs.writeFileSync(path, `${"ab".repeat(32)}\n`);
    expect((await loading).toHex()).toBe("ab".repeat(32));
  });

  test.each([0o700, 0o777])(
    "that others can read is refused and named, in a folder of mode %o",
    async (mode) => {
      const first = await loadKeyAsync(env());
      const path = keyFilePath(env());
      fs.chmodSync(join(folder, "studio-bridge"), mode);
      expect(await loadKeyAsync(env())).toEqual(first);
      fs.chmodSync(path, 0o640);
      const error = await failureAsync(loadKeyAsync(env()));
      expect(error.message).toBe(`The key file ${path} can be read by other users (mode 640).`);
      expect(error.hint).toContain(`chmod 600 ${path}`);
    },
  );

  test("is never checked as one file and read as another, where others can swap it", async () => {
    fs.chmodSync(folder, 0o777);
    const path = join(folder, "key");
    const [ours, theirs] = ["aa".repeat(32), "ee".repeat(32)];
    fs.writeFileSync(join(folder, "ours"), ours, { mode: 0o600 });
    fs.writeFileSync(join(folder, "theirs"), theirs);
    fs.chmodSync(join(folder, "theirs"), 0o644);
    fs.symlinkSync("ours", path);
    const code = `
      const fs = require("node:fs");
      for (let turn = 0; ; turn += 1) {
        fs.symlinkSync(["theirs", "ours"][turn % 2], "next");
        fs.renameSync("next", "key");
        if (turn === 1) console.log("swapping");
      }`;
    await using swapper = Bun.spawn([process.execPath, "-e", code], { cwd: folder, stdout: "pipe" });
    await swapper.stdout.getReader().read();
    const seen = new Set<string>();
    const loadAsync = () =>
      loadKeyAsync({ STUDIO_BRIDGE_KEY_FILE: path }).then(
        (key) => key.toHex(),
        (error: KeyFileError) => error.message,
      );
    // Two opens were told apart in one of a thousand loads.
    for (let round = 0; round < 300 || seen.size < 2; round += 1)
      for (const outcome of await Promise.all(Array.from({ length: 20 }, loadAsync))) seen.add(outcome);
    expect([...seen].toSorted()).toEqual([
      `The key file ${path} can be read by other users (mode 644).`,
      ours,
    ]);
    swapper.kill();
    await swapper.exited;
  });

  test("that holds something else is refused, not replaced", async () => {
    await loadKeyAsync(env());
    const path = keyFilePath(env());
    fs.writeFileSync(path, "not a key\n");
    const error = await failureAsync(loadKeyAsync(env()));
    expect(error.message).toBe(`The key file ${path} cannot be used: it does not hold 64 hex digits.`);
    expect(fs.readFileSync(path, "utf8")).toBe("not a key\n");
  });

  test("in a folder that cannot be made names the folder and the variable", async () => {
    const blocked = join(folder, "file");
    fs.writeFileSync(blocked, "");
    const error = await failureAsync(loadKeyAsync({ XDG_STATE_HOME: blocked }));
    expect(error.message).toContain(join(blocked, "studio-bridge"));
    expect(error.hint).toContain("XDG_STATE_HOME");
  });

  test("named by STUDIO_BRIDGE_KEY_FILE is used as it is and never made", async () => {
    const chosen = join(folder, "mounted-key");
    const missing = await failureAsync(loadKeyAsync({ STUDIO_BRIDGE_KEY_FILE: chosen }));
    expect(missing.message).toBe(`The key file ${chosen} does not exist.`);
    fs.writeFileSync(chosen, "cd".repeat(32), { mode: 0o600 });
    const key = await loadKeyAsync({ ...env(), STUDIO_BRIDGE_KEY_FILE: chosen });
    expect(key.toHex()).toBe("cd".repeat(32));
  });
});
