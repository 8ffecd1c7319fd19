/** Many processes, other users and secrets on one machine, with the compiled sb. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { chmod, mkdir, readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { deriveRoleKey } from "../../src/auth/index.ts";
import { startAtOnceAsync } from "../chaos/starts.ts";
import { Sandbox, untilAsync } from "../harness.ts";
import { underUser } from "../processes.ts";

let box: Sandbox;
beforeEach(async () => {
  box = await Sandbox.createAsync();
});
afterEach(() => box[Symbol.asyncDispose]());

const isLinux = process.platform === "linux";

/** Command lines of every process on this machine that name our port. */
async function commandLinesAsync(): Promise<string[]> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const lines = await Promise.all(
    pids.map((pid) => readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")),
  );
  return lines.map((line) => line.replaceAll("\0", " ")).filter((line) => line.includes(`${box.port}`));
}

describe("fifty commands that start at once", () => {
  test.skipIf(!isLinux)(
    "share one host",
    async () => {
      expect(await startAtOnceAsync(box, 50, "SIGTERM")).toMatchObject({ hosts: 1, failures: [] });
    },
    120_000,
  );
});

describe("a command that cannot do its work", () => {
  test.each([
    ["launch without Studio", ["launch"], "STUDIO_NOT_FOUND"],
    ["launch of a missing place", ["launch", "none.rbxl"], "FILE_ERROR"],
    ["headless with a missing place", ["headless", "none.rbxl"], "FILE_ERROR"],
    ["headless that could not save", ["headless", "--save", "no/folder/out.rbxl"], "FILE_ERROR"],
  ])("starts no host: %s", async (_, args, code) => {
    const { stdout } = await box.sbAsync([...args, "--json"]);
    expect(JSON.parse(stdout).error.code).toBe(code);
    expect(await box.hostAsync().catch(() => "none")).toBe("none");
  });
});

describe("a host and its followers that are interrupted together", () => {
  test.skipIf(!isLinux)(
    "leave no process behind",
    async () => {
      const host = box.spawn(["serve"]);
      await host.stdout.getReader().read();
      const studio = box.spawn(["headless"]);
      await untilAsync("Studio is connected", async () =>
        (await box.sessionsAsync()).length > 0 ? true : undefined,
      );
      const follower = box.spawn(["logs", "--follow"]);
      const watcher = box.spawn(["sessions", "--watch"]);
      const heard = follower.stdout.getReader().read();
      await untilAsync("the follower follows", async () => {
        await box.sbAsync(["exec", 'print("tick")']);
        return Promise.race([heard.then(() => true as const), Bun.sleep(20).then(() => undefined)]);
      });
      await watcher.stdout.getReader().read();
      // A headless Studio in the foreground follows its place's log, and so it is a follower too.
      const all = [host, studio, follower, watcher];
      for (const child of all) child.kill("SIGINT");
      await Promise.all(all.map(({ exited }) => exited));
      expect((await commandLinesAsync()).filter((line) => line.includes("serve"))).toEqual([]);
    },
    120_000,
  );
});

describe("the machine's key", () => {
  test.skipIf(!isLinux)(
    "is in no output, no log and no command line",
    async () => {
      const studio = box.spawn(["headless", "--name", "Place1", "--verbose"]);
      const outputs = [];
      for (const args of [["sessions"], ["state"], ["exec", "print(1)"], ["exec", "error('x')"], ["logs"]])
        outputs.push(await box.sbAsync([...args, "--verbose"]));
      const lines = await commandLinesAsync();
      studio.kill("SIGTERM");
      const written = JSON.stringify([
        outputs,
        lines,
        await studio.stdout.text(),
        await studio.stderr.text(),
      ]);
      const keyText = (await readFile(join(box.stateFolder, "studio-bridge", "key"), "utf8")).trim();
      const key = Uint8Array.fromHex(keyText);
      const secrets = [keyText, deriveRoleKey(key, "client").toHex(), deriveRoleKey(key, "plugin").toHex()];
      const bytes = secrets.flatMap((hex) => [hex, Buffer.from(hex, "hex").toString("base64")]);
      expect(lines.length).toBeGreaterThan(0);
      expect(bytes.filter((secret) => written.includes(secret))).toEqual([]);
      // The search itself can find things.
      expect(written).toContain("Place1");
    },
    120_000,
  );
});

const underOther = underUser(65_534);

describe.skipIf(!isLinux || underOther === undefined)("another user of the machine", () => {
  const asOtherAsync = (args: readonly string[], env: { [name: string]: string }) =>
    box.sbAsync(args, { env, under: underOther ?? [] });

  test("can neither read the key nor use the host", async () => {
    await box.headlessAsync();
    await chmod(box.folder, 0o711);
    const own = join(box.folder, "other");
    await mkdir(own);
    await chmod(own, 0o777);
    const withTheirKey = await asOtherAsync(["exec", "print('mine now')"], { XDG_STATE_HOME: own });
    expect({ stdout: withTheirKey.stdout, exitCode: withTheirKey.exitCode }).toEqual({
      stdout: "",
      exitCode: 1,
    });
    expect(withTheirKey.stderr).toContain("does not know this machine's key");
    const key = join(box.stateFolder, "studio-bridge", "key");
    const withOurs = await asOtherAsync(["exec", "print('mine now')"], { STUDIO_BRIDGE_KEY_FILE: key });
    expect({ stdout: withOurs.stdout, exitCode: withOurs.exitCode }).toEqual({ stdout: "", exitCode: 1 });
    expect(withOurs.stderr).toContain("cannot be used");
    const { stdout } = await box.sbAsync(["logs", "--json"]);
    expect(stdout).not.toContain("mine now");
  }, 120_000);
});

describe("an exposed host", () => {
  test("says so, and turns away web pages all the same", async () => {
    const host = box.spawn(["serve", "--dangerously-expose"]);
    await host.stdout.getReader().read();
    const status = async (headers: { [name: string]: string }) =>
      (await fetch(`http://127.0.0.1:${box.port}/health`, { headers })).status;
    expect(await status({ host: "build-machine.example" })).toBe(200);
    expect(await status({ host: "evil.example", origin: "http://evil.example" })).toBe(403);
    host.kill("SIGINT");
    expect(await host.stderr.text()).toContain("--dangerously-expose");
  });
});
