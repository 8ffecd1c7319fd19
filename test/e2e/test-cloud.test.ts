/** `sb test --on cloud:…` through the compiled binary, against a fake Open Cloud whose tasks run in headless Studios. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { chmod } from "node:fs/promises";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { binaryPath } from "../../build.ts";
import { HeadlessService } from "../cloud/headless-service.ts";
import { KEY } from "../cloud/fake-open-cloud.ts";
import { Sandbox, untilAsync } from "../harness.ts";

setDefaultTimeout(120_000);

const PROJECT = {
  name: "Shop",
  tree: {
    $className: "DataModel",
    ReplicatedStorage: { Shop: { $path: "src" }, $attributes: { Stage: "test" } },
    StarterPlayer: { StarterPlayerScripts: { Client: { $path: "client" } } },
    Workspace: { $properties: { Gravity: 50 } },
  },
};
const CART = `local Cart = require(script.Parent.Cart)
return function()
	describe("total", function()
		it("adds the tax", function()
			print("cart has", 2)
			expect(Cart.total(2)).to.equal(2.38)
		end)
		it("waits for ever", function()
			workspace:WaitForChild("Never")
		end)
		it("is a number", function()
			expect(Cart.total(2)).to.be.a("number")
		end)
	end)
	it("finds the place of the project", function()
		expect(game.ReplicatedStorage:GetAttribute("Stage")).to.equal("test")
		expect(game.StarterPlayer.StarterPlayerScripts:FindFirstChild("Client")).to.be.ok()
		expect(workspace.Gravity).to.equal(50)
	end)
end
`;

/** The environment of Luau Execution, as Roblox documents it. */
const ON_A_SERVER = `local RunService = game:GetService("RunService")
return {
	["is a server outside of Studio"] = function()
		assert(RunService:IsServer() and not RunService:IsClient())
		assert(not RunService:IsStudio() and not RunService:IsRunning() and not RunService:IsRunMode())
		assert(not pcall(RunService.IsEdit, RunService))
		assert(game.GameId == 11 and game.PlaceId == 22 and game.PlaceVersion == 2)
	end,
}
`;

let box: Sandbox;
let service: HeadlessService;
beforeAll(async () => {
  box = await Sandbox.createAsync();
  service = await HeadlessService.startAsync();
  await box.writeAsync("default.project.json", JSON.stringify(PROJECT));
  await box.writeAsync(
    "src/Cart.luau",
    "local Cart = {}\nfunction Cart.total(net)\n\treturn net * 1.1\nend\nreturn Cart\n",
  );
  await box.writeAsync("src/Cart.spec.luau", CART);
  await box.writeAsync("client/Hud.client.luau", "");
  await box.writeAsync("src/Works.spec.luau", "return { works = function() end }");
  await box.writeAsync(
    "loose/plain.spec.luau",
    'return function() it("runs without a place", function() end) end',
  );
  await box.writeAsync("loose/broken.spec.luau", "return function(");
  await box.writeAsync("where/server.luau", ON_A_SERVER);
  const cloud = { universe: 11, places: [22] };
  const include = ["**/*.spec.luau", "where/*.luau"];
  const suites = { saved: { include, cloud: { ...cloud, upload: "save" } } };
  await box.writeAsync("sb.config.json", JSON.stringify({ test: { cloud, timeoutMs: 400, suites } }));
  // Every program that sb starts gets a copy of sb's environment.
  const listEnvironment = `#!/bin/sh\nenv >> ${box.folder}/environment\nexit 1\n`;
  await chmod(await box.writeAsync("bin/git", listEnvironment), 0o755);
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await box[Symbol.asyncDispose]();
});

const testAsync = (words: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  box.localSbAsync(["test", ...words], {
    SB_OPEN_CLOUD_URL: service.fake.origin,
    ROBLOX_OPEN_CLOUD_API_KEY: KEY,
    ...env,
  });

test("files run in one task, with the same report as in headless Studio", async () => {
  const headless = await testAsync(["--slowest", "0"]);
  const { stdout, stderr, exitCode } = await testAsync(["--slowest", "0", "--on", "cloud"]);
  expect(stderr).toContain("Tests run in universe 11, place 22. Data stores there are the real ones.");
  // Times differ, and with them the order of the files; headings name the target.
  const linesOf = (text: string): readonly string[] =>
    text
      .replace(/\d+(\.\d+)? m?s\b/g, "N ms")
      .replaceAll(/ +cloud:11\/22/g, "")
      .replace("--failed --on cloud", "--failed")
      .split("\n")
      .toSorted();
  expect(stdout).toContain("Again    sb test --failed --on cloud\n");
  expect(linesOf(stdout)).toEqual(linesOf(headless.stdout));
  expect(stderr).toContain("Tests run in universe 11, place 22. Data stores there are the real ones.");
  expect(exitCode).toBe(1);
  expect(service.fake.faults).toEqual([]);
  expect(service.fake.runs.length).toBe(1);
  // The key is in no environment and in no script.
  const environment = await Bun.file(join(box.folder, "environment")).text();
  expect(environment).toContain("SB_OPEN_CLOUD_URL");
  for (const text of [environment, stdout, stderr, JSON.stringify(service.fake.runs)])
    expect(text).not.toContain(KEY);
});

test("of two tasks with one key only the first runs, and without MemoryStoreService both do", async () => {
  const task = await Bun.file(join(import.meta.dir, "../../src/testing/cloud/Task.luau")).text();
  const claims = ["a", "a", "b"].map((key) => `task.claimAsync("${key}")`).join(", ");
  await box.writeAsync("claims.luau", `local task = (function() ${task}\nend)()\nreturn ${claims}`);
  const claimedAsync = async (...words: readonly string[]) =>
    (await box.localSbAsync(["run", "--headless", ...words, "claims.luau"])).stdout.trim().split("\n");
  expect(await claimedAsync("--data", "memory")).toEqual(["true", "false", "true"]);
  expect(await claimedAsync()).toEqual(["true", "true", "true"]);
});

test("an uploaded place is tested in its version, even without loadstring", async () => {
  service.variants = ["no-loadstring"];
  const words = ["--on", "cloud", "--suite", "saved", "-t", "number|project|without|server"];
  const { stdout, exitCode } = await testAsync(words);
  service.variants = [];
  expect(stdout).toContain("Cases  1 failed, 4 passed");
  expect(stdout).toContain("loose/broken.spec.luau");
  expect(exitCode).toBe(1);
  // One task lists the cases, and one runs those that were chosen.
  expect(service.fake.runs.slice(1).map(({ version, input }) => [version, input])).toEqual([
    [2, undefined],
    [2, undefined],
  ]);
  expect(service.fake.faults).toEqual([]);
});

test("a run that cannot begin is an error with the next step, before anything is sent", async () => {
  const heard = service.fake.heard.length;
  const refused: readonly (readonly [words: string, env: Readonly<Record<string, string>>, text: string])[] =
    [
      ["--on cloud", { ROBLOX_OPEN_CLOUD_API_KEY: "" }, "ROBLOX_OPEN_CLOUD_API_KEY is not set"],
      ["--on cloud", { SB_OPEN_CLOUD_URL: "https://example.com" }, "not an address of this machine"],
      ["--on cloud --data memory", {}, "Cannot use --data with --on cloud."],
      ["--on cloud:11/22 --context client", {}, "Luau Execution has no clients"],
      ["--on cloud:11/22@3 --suite saved", {}, "not in both"],
    ];
  for (const [words, env, text] of refused) {
    const { stderr, exitCode } = await testAsync(words.split(" "), env);
    expect(stderr).toContain(text);
    expect(stderr).toContain("hint: ");
    expect(exitCode).toBe(2);
  }
  expect(service.fake.heard.length).toBe(heard);
});

test("a refusal of Roblox is an error with its code and the next step", async () => {
  const words = ["--on", "cloud", "src/Works.spec.luau"];
  const wrong = await testAsync(words, { ROBLOX_OPEN_CLOUD_API_KEY: "wrong" });
  expect(wrong.stderr).toMatch(
    /error: Open Cloud answered 401: Invalid API Key.*\nhint: Check ROBLOX_OPEN_CLOUD_API_KEY/,
  );
  const answer = () => Response.json({ code: "PERMISSION_DENIED", message: "No scope." }, { status: 403 });
  service.fake.planned.push({ path: "session-tasks", answer });
  const forbidden = await testAsync(words);
  expect(forbidden.stderr).toMatch(
    /error: Open Cloud answered 403 PERMISSION_DENIED: No scope .*\nhint: Give the key/,
  );
  expect([wrong.exitCode, forbidden.exitCode]).toEqual([1, 1]);
});

test("a wait for the limits of Roblox says how long it is and why, and Ctrl+C ends it at once", async () => {
  const headers = { "retry-after": "41", "x-ratelimit-limit": "5", "x-ratelimit-remaining": "0" };
  const answer = () =>
    Response.json({ code: "RESOURCE_EXHAUSTED", message: "Too many requests." }, { status: 429, headers });
  service.fake.planned.push({ path: "session-tasks", answer });
  const child = Bun.spawn([binaryPath, "test", "--on", "cloud"], {
    cwd: box.folder,
    env: box.env({ SB_OPEN_CLOUD_URL: service.fake.origin, ROBLOX_OPEN_CLOUD_API_KEY: KEY }),
    stdout: "pipe",
    stderr: "pipe",
  });
  let stderr = "";
  const reading = child.stderr.pipeTo(
    new WritableStream({ write: (bytes) => void (stderr += new TextDecoder().decode(bytes)) }),
  );
  await untilAsync("it waits", () => (stderr.includes("Waiting") ? true : undefined));
  const startedMs = performance.now();
  child.kill("SIGINT");
  expect(await child.exited).toBe(130);
  await reading;
  expect(performance.now() - startedMs).toBeLessThan(10_000);
  expect(stderr).toContain(
    "Waiting 41 s for Open Cloud, which answers 429 RESOURCE_EXHAUSTED: Too many requests, and allows 5 new tasks a minute.",
  );
});

test("an agent may test in the universe of the project if its server was started with --allow-cloud", async () => {
  const client = new Client({ name: "test", version: "1" });
  const environment = { SB_OPEN_CLOUD_URL: service.fake.origin, ROBLOX_OPEN_CLOUD_API_KEY: KEY };
  await client.connect(
    new StdioClientTransport({
      command: binaryPath,
      args: ["mcp", "--port", String(box.port), "--allow-cloud"],
      env: box.env(environment),
      cwd: box.folder,
    }),
  );
  const callAsync = (on: string) =>
    client.callTool({ name: "studio_test", arguments: { on, files: ["Works"] } });
  try {
    const [own, other] = await Promise.all([callAsync("cloud"), callAsync("cloud:12/22")]);
    expect(own.structuredContent).toMatchObject({ success: true, counts: { passed: 1 } });
    expect(JSON.stringify(other.content)).toContain("only in the universe that sb.config.json names");
  } finally {
    await client.close();
  }
});
