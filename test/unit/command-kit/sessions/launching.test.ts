/** Which surfaces and commands launch Studio where none is connected; a script stands in its place. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CommandWorld } from "../command-world.ts";

const changed = ["SB_STUDIO_PATH", "SB_PLUGINS_DIR", "PATH"] as const;
const former = Object.fromEntries(changed.map((name) => [name, process.env[name]]));
const world = new CommandWorld();
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "sb-launching-"));
  // This Studio ends at once, and no other runs.
  for (const [name, script] of [
    ["studio", `echo started > ${folder}/started; exit 3`],
    ["ps", ""],
  ] as const) {
    await Bun.write(join(folder, name), `#!/bin/sh\n${script}\n`);
    await chmod(join(folder, name), 0o755);
  }
  process.env["SB_STUDIO_PATH"] = join(folder, "studio");
  process.env["SB_PLUGINS_DIR"] = join(folder, "plugins");
  process.env["PATH"] = `${folder}:${former["PATH"]}`;
});
afterEach(async () => {
  for (const [name, value] of Object.entries(former)) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
  await rm(folder, { recursive: true });
});

const isStarted = () => Bun.file(join(folder, "started")).exists();
/** A surface with a person who says yes to everything. */
const person = () => Object.assign(world.caller(), { mayLaunchStudio: true, confirmAsync: async () => true });

describe.skipIf(process.platform === "win32")("where no Studio runs", () => {
  test("exec launches one, where the surface may", async () => {
    const failure = await person().failureAsync("exec", { script: "x" });
    expect([failure.code, failure.message]).toEqual([
      "LAUNCH_FAILED",
      "Studio ended with exit code 3 before its plugin connected.",
    ]);
    expect(await isStarted()).toBe(true);
  });

  test.each([
    ["state", {}],
    ["query", { path: "Workspace" }],
    ["logs", {}],
    ["exec", { script: "x", sessionId: "abc" }],
    ["exec", { script: "x", context: "server" }],
  ])("%s %j launches none", async (name, input) => {
    expect((await person().failureAsync(name, input)).code).toBe("NO_SESSION");
    expect(await isStarted()).toBe(false);
  });

  test("a surface for agents launches no Studio, and asks no person", async () => {
    expect((await world.caller().failureAsync("exec", { script: "x" })).code).toBe("NO_SESSION");
    expect(await isStarted()).toBe(false);
  });

  test("no plugin is installed unasked", async () => {
    const caller = Object.assign(world.caller(), { mayLaunchStudio: true });
    expect((await caller.failureAsync("exec", { script: "x" })).code).toBe("PLUGIN_NOT_INSTALLED");
    expect(await Bun.file(join(folder, "plugins", "StudioBridgePlugin.rbxm")).exists()).toBe(false);
    expect(await isStarted()).toBe(false);
  });
});
