/** `sb upload` through the compiled binary, against a fake Open Cloud. */
import { afterAll, beforeAll, beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { binaryPath } from "../../build.ts";
import { KEY } from "../cloud/fake-open-cloud.ts";
import { HeadlessService } from "../cloud/headless-service.ts";
import { Sandbox } from "../harness.ts";

setDefaultTimeout(60_000);

const tree = {
  $className: "DataModel",
  ReplicatedStorage: { Shared: { $path: "src" } },
  Workspace: { Union: { $className: "UnionOperation" }, Skin: { $className: "SurfaceAppearance" } },
};
const IDS = ["--universe", "11", "--place", "22"] as const;

let box: Sandbox;
let service: HeadlessService;
beforeAll(async () => {
  box = await Sandbox.createAsync();
  service = await HeadlessService.startAsync();
  await box.writeAsync("default.project.json", JSON.stringify({ name: "Shop", tree }));
  await box.writeAsync("src/Cart.luau", "return 1\n");
  await box.writeAsync("model/default.project.json", '{ "name": "Lib", "tree": { "$className": "Folder" } }');
  for (const file of ["game.rbxl", "game.rbxlx"]) await box.localSbAsync(["build", "-o", file]);
  await box.localSbAsync(["build", "model", "-o", "lib.rbxm"]);
  await Bun.write(join(box.folder, "renamed.rbxl"), Bun.file(join(box.folder, "lib.rbxm")));
  await box.writeAsync("text.rbxl", "no place at all\n");
  await box.writeAsync("pointer.rbxl", "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n");
});
beforeEach(() => {
  service.fake.heard.length = 0;
  service.fake.saved.clear();
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await box[Symbol.asyncDispose]();
});

const uploadAsync = (words: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  box.localSbAsync(["upload", ...words], {
    SB_OPEN_CLOUD_URL: service.fake.origin,
    ROBLOX_OPEN_CLOUD_API_KEY: KEY,
    ...env,
  });
const flat = (text: string): string => text.replaceAll(/\s+/g, " ");

test("the project of the folder is saved, and what Roblox does not update is counted", async () => {
  const { stdout, stderr, exitCode } = await uploadAsync(IDS);
  expect(stdout).toBe(
    "Saved as version 2 of place 22, universe 11. No player sees it until it is published.\n",
  );
  expect(flat(stderr)).toContain(
    "Roblox does not update these through Open Cloud: 1 SurfaceAppearance, 1 UnionOperation.",
  );
  expect(exitCode).toBe(0);
  expect(service.fake.saved.get("11/22")?.versionType).toBe("Saved");
  expect(service.fake.faults).toEqual([]);
  for (const text of [stdout, stderr]) expect(text).not.toContain(KEY);
});

test("a file is sent as it is, and published with --yes alone", async () => {
  const refused = await uploadAsync(["game.rbxlx", ...IDS, "--publish"]);
  expect(refused.exitCode).toBe(2);
  expect(flat(refused.stderr)).toContain(
    "replaces place 22 of universe 11 as a whole, also what others have",
  );
  expect(service.fake.heard).toEqual([]);
  const { stdout } = await uploadAsync(["game.rbxlx", ...IDS, "--publish", "--yes", "--json"]);
  expect(JSON.parse(stdout)).toEqual({
    universe: 11,
    place: 22,
    versionType: "Published",
    versionNumber: expect.any(Number),
  });
  const { file } = service.fake.saved.get("11/22") ?? {};
  expect(
    Buffer.from(file ?? []).equals(Buffer.from(await Bun.file(join(box.folder, "game.rbxlx")).bytes())),
  ).toBe(true);
  expect(service.fake.faults).toEqual([]);
});

test("bad input sends nothing, and says what to do", async () => {
  const refusals: readonly (readonly [words: readonly string[], text: string, exitCode: number])[] = [
    [[], "Name the universe and the place", 2],
    [["--universe", "11"], "--universe needs --place", 2],
    [["--universe", "eleven", "--place", "22"], "--universe", 2],
    [["--universe", "0", "--place", "22"], "--universe: expected an id", 2],
    [["lib.rbxm", ...IDS], "lib.rbxm is a model", 2],
    [["renamed.rbxl", ...IDS], "renamed.rbxl is a model", 2],
    [["model", ...IDS], "Lib is a model", 2],
    [["text.rbxl", ...IDS], "text.rbxl", 1],
    [["pointer.rbxl", ...IDS], "git lfs pull", 1],
    [["none.rbxl", ...IDS], "none.rbxl", 1],
    [["src/Cart.luau", ...IDS], "not a Rojo project", 2],
  ];
  for (const [words, text, code] of refusals) {
    const { stderr, stdout, exitCode } = await uploadAsync(words);
    expect([flat(stderr), exitCode]).toEqual([expect.stringContaining(text), code]);
    expect(stdout).toBe("");
    expect(stderr).not.toContain("    at ");
  }
  expect(service.fake.heard).toEqual([]);
});

test("without a key, or with an invalid one, nothing is sent", async () => {
  const without = await uploadAsync(IDS, { ROBLOX_OPEN_CLOUD_API_KEY: "" });
  expect(flat(without.stderr)).toContain(
    "An upload needs an API key, and ROBLOX_OPEN_CLOUD_API_KEY is not set.",
  );
  expect(flat(without.stderr)).toContain("universe-places:write");
  const wrong = await uploadAsync(IDS, { ROBLOX_OPEN_CLOUD_API_KEY: "wrong-key" });
  expect([wrong.exitCode, wrong.stderr.includes("wrong-key")]).toEqual([1, false]);
  expect(service.fake.saved.size).toBe(0);
});

test("the settings name the place, and its rules keep places from changes", async () => {
  await box.writeAsync("sb.config.json", '{ "upload": { "universe": 11, "place": 33 } }');
  expect((await uploadAsync([])).stdout).toContain("place 33, universe 11");
  await box.writeAsync(
    "sb.config.json",
    '{ "upload": { "universe": 11, "place": 33 }, "blockedPlaceIds": [33] }',
  );
  const { stderr, exitCode } = await uploadAsync(["--publish", "--yes"]);
  expect(flat(stderr)).toContain("sb may not change the place 33: blockedPlaceIds in");
  expect(exitCode).toBe(1);
  await box.writeAsync("sb.config.json", '{ "upload": { "universe": 11 } }');
  expect((await uploadAsync([])).exitCode).toBe(2);
  await Bun.file(join(box.folder, "sb.config.json")).delete();
});

test("a lost answer is exit code 2, and nothing is sent again", async () => {
  service.fake.planned.push({ path: "/versions", answer: "truncated" });
  const { stderr, exitCode } = await uploadAsync(IDS);
  expect(exitCode).toBe(2);
  expect(flat(stderr)).toContain(
    "Place 22 of universe 11 may have been saved: the answer of Open Cloud was lost",
  );
  expect(flat(stderr)).toContain("Look at the version history");
  expect(service.fake.heard.length).toBe(1);
  const json = await (async () => {
    service.fake.planned.push({ path: "/versions", answer: 502 });
    return uploadAsync([...IDS, "--json"]);
  })();
  expect([JSON.parse(json.stdout).error.code, json.exitCode]).toEqual(["UPLOAD_UNCERTAIN", 2]);
});

test("Ctrl+C while the place is on its way says that it may have been saved", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  using slow = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      await request.arrayBuffer();
      resolve();
      await new Promise(() => {});
      return new Response();
    },
  });
  const child = Bun.spawn([binaryPath, "upload", ...IDS], {
    cwd: box.folder,
    env: { ...process.env, SB_OPEN_CLOUD_URL: slow.url.origin, ROBLOX_OPEN_CLOUD_API_KEY: KEY },
    stderr: "pipe",
    stdout: "pipe",
  });
  await promise;
  child.kill("SIGINT");
  const stderr = await child.stderr.text();
  expect(flat(stderr)).toContain(
    "may have been saved: the answer of Open Cloud was lost (it was interrupted)",
  );
  expect(await child.exited).toBe(130);
  void slow.stop(true);
});

test("agents cannot upload", async () => {
  const client = new Client({ name: "t", version: "1" });
  const transport = new StdioClientTransport({
    command: binaryPath,
    args: ["mcp", "--tools", "core,look,edit,script,play,test,sync"],
    cwd: box.folder,
    env: { XDG_STATE_HOME: box.folder },
  });
  await client.connect(transport);
  const names = (await client.listTools()).tools.map(({ name }) => name);
  expect(names).toContain("studio_sync");
  expect(names.filter((name) => name.includes("upload"))).toEqual([]);
  await client.close();
});
