/** The places that a project keeps commands from, on the command line, in the terminal and over MCP. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { chmod, rm } from "node:fs/promises";
import { join } from "node:path";
import { createProver, loadKeyAsync } from "../../src/auth/index.ts";
import { Sandbox, untilAsync } from "../harness.ts";
import { McpPeer } from "../peers/mcp-peer.ts";
import { ScriptedPlugin } from "../peers/scripted-plugin.ts";
import { isRunning } from "../processes.ts";

setDefaultTimeout(120_000);

/** The id of the published place that the plugin has open. */
const PLACE_ID = 4815;

let box: Sandbox;
let plugin: ScriptedPlugin;
/** How many scripts reached Studio. */
let executed = 0;
beforeAll(async () => {
  box = await Sandbox.createAsync();
  const prover = createProver(await loadKeyAsync({ XDG_STATE_HOME: box.stateFolder }));
  const host = box.spawn(["serve"]);
  await host.stdout.getReader().read();
  plugin = new ScriptedPlugin(box.port);
  await plugin.proveAsync(box.port, prover);
  const state = { state: "Edit", placeName: "Live", placeId: PLACE_ID, gameId: 1 };
  await plugin.registerAsync({ placeName: "Live", placeId: PLACE_ID, gameId: 1 });
  plugin.on("queryState", (request) => plugin.reply(request, "stateResult", state));
  plugin.on("execute", (request) => {
    executed += 1;
    plugin.reply(request, "scriptComplete", { success: true, returnValues: [7], durationMs: 1 });
  });
});
afterAll(async () => {
  plugin[Symbol.dispose]();
  await box[Symbol.asyncDispose]();
});

const settingsAsync = (settings: object) => box.writeAsync("sb.config.json", JSON.stringify(settings));

test("a place that placeIds leaves out is looked at, and nothing runs in it", async () => {
  const file = await settingsAsync({ placeIds: [42, 43] });
  const ranBefore = executed;
  const { exitCode, stderr } = await box.sbAsync(["exec", "return 7"]);
  expect(exitCode).toBe(1);
  expect(stderr).toContain(
    `sb may not change the place Live (${PLACE_ID}): placeIds in ${file} has only 42, 43.`,
  );
  for (const words of [
    ["run", await box.writeAsync("a.luau", "return 7")],
    ["terminal"],
    ["play", "start"],
  ]) {
    const refused = await box.sbAsync(words, { stdin: "1\n" });
    expect({ words, exitCode: refused.exitCode }).toEqual({ words, exitCode: 1 });
    expect(refused.stderr).toContain("placeIds");
  }
  expect(await box.sbAsync(["state"])).toMatchObject({ exitCode: 0 });
  await using peer = new McpPeer(box, ["--tools", "core,compat"]);
  await peer.initializeAsync();
  const refusal = { code: "PLACE_NOT_ALLOWED", rule: "placeIds", placeId: PLACE_ID };
  for (const [name, args] of [
    ["studio_exec", { script: "return 7" }],
    ["run_code", { command: "return 7" }],
    ["start_stop_play", { mode: "start_play" }],
  ] as const) {
    const { isError, content } = await peer.toolAsync(name, args);
    expect(isError).toBe(true);
    expect(JSON.parse(Object(content)[0].text)).toMatchObject(refusal);
  }
  expect(await peer.toolAsync("studio_state")).toMatchObject({ structuredContent: { placeId: PLACE_ID } });
  expect(executed).toBe(ranBefore);
});

test.each([
  ["placeIds", { placeIds: [PLACE_ID] }, true],
  ["blockedPlaceIds", { blockedPlaceIds: [PLACE_ID] }, false],
  ["blockedPlaceIds of another place", { blockedPlaceIds: [1] }, true],
  [
    "blockedPlaceIds, which counts beside placeIds",
    { placeIds: [PLACE_ID], blockedPlaceIds: [PLACE_ID] },
    false,
  ],
])("%s", async (_, settings, runs) => {
  await settingsAsync(settings);
  const { exitCode, stderr } = await box.sbAsync(["exec", "return 7"]);
  expect(exitCode).toBe(runs ? 0 : 1);
  if (!runs) expect(stderr).toContain("blockedPlaceIds in");
});

test("servePlaceIds of the Rojo project holds as well", async () => {
  await rm(join(box.folder, "sb.config.json"));
  const file = join(box.folder, "default.project.json");
  await Bun.write(
    file,
    JSON.stringify({ name: "Game", tree: { $className: "DataModel" }, servePlaceIds: [9] }),
  );
  const { exitCode, stderr } = await box.sbAsync(["exec", "return 7"]);
  expect(exitCode).toBe(1);
  expect(stderr).toContain(`servePlaceIds in ${file} has only 9.`);
  await rm(file);
  expect(await box.sbAsync(["exec", "return 7"])).toMatchObject({ exitCode: 0 });
});

test("a rule that cannot be read refuses, and names its place in the file", async () => {
  const file = await settingsAsync({ placeIds: "all" });
  const { exitCode, stderr } = await box.sbAsync(["exec", "return 7"]);
  expect(exitCode).toBe(2);
  expect(stderr).toContain(`${file}:1:13: placeIds:`);
});

test.skipIf(process.platform === "win32")(
  "a Studio that was launched with a place that is not allowed is ended again",
  async () => {
    await settingsAsync({ blockedPlaceIds: [PLACE_ID] });
    const pidFile = join(box.folder, "studio-pid");
    const studio = await box.writeAsync(
      "RobloxStudioBeta",
      `#!/bin/sh\necho $$ > ${pidFile}\nexec sleep 60\n`,
    );
    await chmod(studio, 0o755);
    const env = { SB_STUDIO_PATH: studio, SB_PLUGINS_DIR: join(box.folder, "plugins") };
    const place = await box.writeAsync("Live.rbxl", "");
    const ran = box.sbAsync(["exec", "--yes", "--place", place, "return 7"], { env });
    const pid = await untilAsync("Studio has started", async () => {
      const text = await Bun.file(pidFile)
        .text()
        .catch(() => "");
      return text.endsWith("\n") ? Number(text) : undefined;
    });
    const prover = createProver(await loadKeyAsync({ XDG_STATE_HOME: box.stateFolder }));
    const details = { instanceId: "launched", placeName: "Live", placeId: PLACE_ID };
    using launched = (await ScriptedPlugin.connectAsync(box.port, prover, details)).plugin;
    launched.on("execute", (request) => {
      executed += 1;
      launched.reply(request, "scriptComplete", { success: true });
    });
    const ranBefore = executed;
    expect(await ran).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("blockedPlaceIds in") });
    await untilAsync("Studio has ended", () => (isRunning(pid) ? undefined : true));
    expect(executed).toBe(ranBefore);
  },
);
