/** What commands and agents meet where the person at Studio lets them look only, or has paused them. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { McpPeer } from "../peers/mcp-peer.ts";
import { Sandbox, untilAsync } from "../harness.ts";

let box: Sandbox;
beforeEach(async () => {
  box = await Sandbox.createAsync();
});
afterEach(async () => {
  await box[Symbol.asyncDispose]();
});

async function studioAsync(permission: string): Promise<void> {
  box.spawn(["headless", "--name", "Alpha"], { env: { SB_HEADLESS_PERMISSION: permission } });
  await untilAsync("Studio is connected", async () =>
    (await box.sessionsAsync()).length > 0 ? true : undefined,
  );
}

async function projectAsync(): Promise<void> {
  const folder = join(box.folder, "game");
  await mkdir(join(folder, "src"), { recursive: true });
  const project = { name: "game", tree: { $className: "DataModel", ReplicatedStorage: { $path: "src" } } };
  await writeFile(join(folder, "default.project.json"), JSON.stringify(project));
  await writeFile(join(folder, "src", "M.luau"), "return 1");
}

test("look only: reading works, and whatever changes or runs is refused before anything happens", async () => {
  await studioAsync("look");
  expect((await box.sbAsync(["query", "Workspace"])).exitCode).toBe(0);
  for (const words of [
    ["exec", "workspace.Name = 'X'"],
    ["exec", "--dry-run", "workspace.Name = 'X'"],
    ["set", "Workspace", "Name=X"],
    ["undo"],
    ["play", "start"],
    ["select", "Workspace"],
    ["save", "saved.rbxl"],
  ]) {
    const { exitCode, stdout, stderr } = await box.sbAsync(words);
    expect([words, exitCode, stdout]).toEqual([words, 1, ""]);
    expect(stderr).toContain("The person at Studio lets sb look at this place only");
  }
  expect(existsSync(join(box.folder, "saved.rbxl"))).toBe(false);
  const failure = JSON.parse((await box.sbAsync(["exec", "print(1)", "--json"])).stdout);
  expect(failure).toMatchObject({ error: { code: "DENIED", outcome: "not_started" } });
  expect((await box.sbAsync(["query", "Workspace.Name"])).stdout).toContain("Workspace");
  expect((await box.sbAsync(["sessions"])).stdout).toContain("Edit (look only)");
  expect((await box.sbAsync(["state"])).stdout).toContain("Allowed:  look only");
  expect((await box.sbAsync(["doctor"])).stdout).toContain("look only");
}, 120_000);

test("a pause refuses looking too, but not the question about the state, and says since when", async () => {
  await studioAsync("paused");
  const { exitCode, stderr } = await box.sbAsync(["query", "Workspace"]);
  expect(exitCode).toBe(1);
  expect(stderr).toContain("The person at Studio has paused Studio Bridge.");
  const state = JSON.parse((await box.sbAsync(["state", "--json"])).stdout);
  expect(state.pausedSince).toBeGreaterThan(Date.now() - 120_000);
  expect((await box.sbAsync(["sessions"])).stdout).toContain("paused since");
}, 120_000);

test("agents are told what to do, and that nothing was changed", async () => {
  await studioAsync("look");
  await using peer = new McpPeer(box);
  await peer.initializeAsync();
  const denied = Object(await peer.toolAsync("studio_exec", { script: "return 1" }));
  expect(denied.isError).toBe(true);
  const text: string = denied.content[0].text;
  expect(JSON.parse(text)).toMatchObject({ code: "DENIED", outcome: "not_started" });
  expect(text).toContain("Nothing was changed.");
  const found = Object(await peer.toolAsync("studio_sessions", {}));
  expect(JSON.stringify(found)).toContain('"permission":"look"');
}, 120_000);

test("a sync checks under look only, and its push is refused", async () => {
  await projectAsync();
  await studioAsync("look");
  expect((await box.sbAsync(["sync", "game", "--check"])).stderr).not.toContain("look at this place only");
  const refused = await box.sbAsync(["sync", "game", "--yes"]);
  expect(refused.exitCode).toBe(1);
  expect(`${refused.stdout}${refused.stderr}`).toContain("look at this place only");
}, 120_000);

test("ask: a command says that it waits, runs after a Yes, and passes on a No", async () => {
  await studioAsync("ask:once,no");
  const allowed = await box.sbAsync(["exec", "print(6 * 7)"]);
  expect([allowed.exitCode, allowed.stdout.trim()]).toEqual([0, "42"]);
  expect(allowed.stderr).toContain("Waiting for the person at Studio");
  const refused = await box.sbAsync(["set", "Workspace", "Gravity=50", "--json"]);
  expect(refused.exitCode).toBe(1);
  expect(JSON.parse(refused.stdout)).toMatchObject({ error: { code: "DENIED", outcome: "not_started" } });
  expect((await box.sbAsync(["query", "Workspace.Gravity"])).stdout).not.toContain('"Gravity":50');
  expect((await box.sbAsync(["state"])).stdout).toContain("Allowed:  asks first");
}, 120_000);

test("ask: a sync is asked about once for its whole plan", async () => {
  await projectAsync();
  await studioAsync("ask:once,no");
  const { exitCode, stdout, stderr } = await box.sbAsync(["sync", "game", "--yes"]);
  expect([exitCode, stdout, stderr]).toEqual([0, expect.stringContaining("M"), expect.anything()]);
}, 120_000);

test("an unknown permission level is refused before anything starts", async () => {
  const { exitCode, stderr } = await box.sbAsync(["headless"], { env: { SB_HEADLESS_PERMISSION: "some" } });
  expect(exitCode).toBe(2);
  expect(stderr).toContain("Permissions: everything, look, paused, ask:ANSWER,");
}, 120_000);
