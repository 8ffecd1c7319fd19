/** `sb doctor` in the states that people are in when they need it. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { chmod } from "node:fs/promises";
import { join } from "node:path";
import { binaryPath } from "../../build.ts";
import { Sandbox } from "../harness.ts";

let box: Sandbox;
beforeEach(async () => {
  box = await Sandbox.createAsync();
});
afterEach(async () => {
  await box[Symbol.asyncDispose]();
});

interface Check {
  readonly name: string;
  readonly status: string;
  readonly message: string;
}

async function doctorAsync(env: { readonly [name: string]: string } = {}) {
  const { stdout, exitCode } = await box.sbAsync(["doctor", "--json"], { env });
  const { ok, checks }: { ok: boolean; checks: readonly Check[] } = JSON.parse(stdout);
  const statuses = Object.fromEntries(checks.map(({ name, status }) => [name, status]));
  const message = (name: string) => checks.find((check) => check.name === name)?.message;
  return { ok, exitCode, statuses, message };
}

/** A machine with a Studio that does not run. */
async function studioEnvAsync() {
  const studio = await box.writeAsync("RobloxStudioBeta", "#!/bin/sh\n");
  await chmod(studio, 0o755);
  return { SB_STUDIO_PATH: studio, SB_PLUGINS_DIR: join(box.folder, "plugins") };
}

test("a machine without Studio is fine, and is told what it could have", async () => {
  const { ok, exitCode, statuses, message } = await doctorAsync({ SB_STUDIO_PATH: "" });
  expect(message("program")).toEndWith(
    "installed by a build from source. To update: npm run build, after git pull",
  );
  expect({ ok, exitCode, statuses }).toEqual({
    ok: true,
    exitCode: 0,
    statuses: {
      program: "ok",
      key: "ok",
      studio: expect.any(String),
      plugin: "warn",
      host: "ok",
      latency: expect.any(String),
      sessions: "warn",
    },
  });
});

test("a Studio without the plugin is broken until it is installed", async () => {
  const env = await studioEnvAsync();
  const before = await doctorAsync(env);
  expect([before.exitCode, before.statuses["plugin"]]).toEqual([1, "fail"]);
  await box.sbAsync(["install-plugin"], { env });
  const after = await doctorAsync(env);
  expect([after.exitCode, after.statuses["plugin"]]).toEqual([0, "ok"]);
});

test("a plugin that looks for the host on another port is told", async () => {
  const env = await studioEnvAsync();
  await Bun.spawn([binaryPath, "install-plugin"], { env: box.env(env), stdout: "ignore" }).exited;
  expect((await doctorAsync(env)).message("dialling")).toBe(
    `The installed plugin looks for a host on port 38741 to 38744, and this host has port ${box.port}.`,
  );
  await box.sbAsync(["install-plugin"], { env });
  expect((await doctorAsync(env)).message("dialling")).toBe(undefined);
});

test("a plugin of another machine's key, or another file of its name, is broken", async () => {
  const env = await studioEnvAsync();
  await box.sbAsync(["install-plugin"], { env: { ...env, XDG_STATE_HOME: join(box.folder, "elsewhere") } });
  const { exitCode, message } = await doctorAsync(env);
  expect([exitCode, message("plugin")]).toEqual([
    1,
    `${join(box.folder, "plugins", "StudioBridgePlugin.rbxm")} does not hold this machine's key.`,
  ]);
  await box.writeAsync("plugins/StudioBridgePlugin.rbxm", "something else");
  expect((await doctorAsync(env)).message("plugin")).toEndWith("is not studio-bridge's plugin.");
});

test("a stranger on the port is named, and nothing is asked of it", async () => {
  using _stranger = Bun.serve({ hostname: "127.0.0.1", port: box.port, fetch: () => new Response("hello") });
  const { exitCode, statuses, message } = await doctorAsync();
  expect([exitCode, statuses["host"], message("host")]).toEqual([
    1,
    "fail",
    `The program that holds port ${box.port} does not know this machine's key.`,
  ]);
  expect(statuses["sessions"]).toBeUndefined();
});

test.skipIf(process.platform === "win32")("a key that others can read is broken", async () => {
  await doctorAsync();
  await chmod(join(box.stateFolder, "studio-bridge", "key"), 0o644);
  const { exitCode, statuses } = await doctorAsync();
  expect([exitCode, statuses["key"], statuses["host"]]).toEqual([1, "fail", "fail"]);
});

test("each session answers on a line of its own, within 60 columns", async () => {
  const env = await studioEnvAsync();
  await box.sbAsync(["install-plugin"], { env });
  await box.headlessAsync("Alpha");
  const { stdout, exitCode } = await box.sbAsync(["doctor"], { env: { ...env, COLUMNS: "60" } });
  expect(stdout).toMatch(/^ok {4}sessions {2}1 connected, of 1 Studio$/m);
  // On a busy machine, Studio is busy.
  expect(stdout).toMatch(/^(ok {4}|warn {2})[0-9a-f]{8} {2}Alpha, Edit: Edit, answers in \d+ ms$/m);
  // A path stays in one piece, however long.
  const tooLong = stdout.split("\n").filter((line) => line.length > 60 && !/^ +\S+$/.test(line));
  expect(tooLong).toEqual([]);
  expect(exitCode).toBe(0);
});
