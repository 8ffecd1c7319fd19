/** `sb test --coverage` through the compiled binary: the counts under each framework, the files, and the thresholds. */
import { beforeAll, expect, test } from "bun:test";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { untilAsync } from "../harness.ts";
import { sandbox } from "../sandbox.ts";
import { JEST, TESTEZ } from "../packages.ts";

const box = sandbox();

const PROJECT = {
  name: "Shop",
  tree: {
    $className: "DataModel",
    ReplicatedStorage: {
      Shop: { $path: "src" },
      ...TESTEZ,
      ...JEST,
    },
  },
};

const CART = `local Cart = {}

function Cart.total(prices: { number }, tax: number): number
	local net = 0
	for _, price in prices do
		net += price
	end
	if net > 100 then
		return net
	end
	return net * (1 + tax)
end

function Cart.clear() end

function Cart.never()
	return workspace.Name
end

return Cart
`;
const TESTEZ_SPEC = `local Cart = require(script.Parent.Cart)
return function()
	it("adds the tax", function()
		expect(Cart.total({ 2 }, 0.5)).to.equal(3)
	end)
	it("is empty", function()
		expect(Cart.total({}, 0.5)).to.equal(0)
	end)
end
`;
const JEST_SPEC = `local JestGlobals = require(game.ReplicatedStorage.JestLua.JestGlobals)
local Cart = require(script.Parent.Parent.Cart)
JestGlobals.it("adds large sums without a tax", function()
	JestGlobals.expect(Cart.total({ 60, 60 }, 1)).toBe(120)
end)
`;
const PRICES = `--!strict
export type Price = { net: number }
local Prices = { Cart = require(script.Parent.Cart) }

function Prices.fail(net: number)
	if net > 1 then error("too dear") end
end
return Prices
`;
const PRICES_SPEC = `local Prices = require(script.Parent.Prices)
return function()
	it("fails in the module", function() Prices.fail(2) end)
end
`;

beforeAll(async () => {
  await box.writeAsync("default.project.json", JSON.stringify(PROJECT));
  await box.writeAsync("src/Cart.luau", CART);
  await box.writeAsync("src/Cart.spec.luau", TESTEZ_SPEC);
  await box.writeAsync("src/jest/large.test.luau", JEST_SPEC);
  await box.writeAsync("src/jest/jest.config.luau", 'return { testMatch = { "**/*.test" } }');
  await box.writeAsync("src/Broken.luau", "local = 1");
  await box.writeAsync("src/Unloaded.luau", "local function idle()\n\treturn 1\nend\nreturn idle\n");
  await box.writeAsync(
    "sb.config.json",
    JSON.stringify({ test: { coverage: { directory: "out", thresholds: { lines: 90, functions: 10 } } } }),
  );
}, 120_000);

const linesIn = (lcov: string, file: string): string[] =>
  (lcov.split("end_of_record\n").find((record) => record.includes(`SF:${file}\n`)) ?? "")
    .split("\n")
    .filter((line) => /^(?:DA|FNDA):/.test(line));

test("TestEZ and Jest give the same coverage of a module, files that no test loads count too or are named, and a missed threshold fails", async () => {
  const words = ["--coverage", "text,lcov"];
  const { stdout, stderr, exitCode } = await box.localSbAsync(["test", ...words]);
  expect(stdout.split("\n").slice(0, 5)).toEqual([
    " file               lines   functions  not run",
    " src/Cart.luau      91.6 %  50.0 %     17",
    " src/Unloaded.luau  0.0 %   0.0 %      1-4",
    " all files          73.3 %  33.3 %",
    " Coverage 73.3 % lines, 33.3 % functions",
  ]);
  expect(stderr).toContain("Coverage leaves out src/Broken.luau, because it does not compile.\n");
  expect(stderr).toContain("Coverage: 73.3 % of lines ran, and test.coverage.thresholds wants 90 %.");
  expect(stderr).toContain("Wrote out/lcov.info\n");
  expect(exitCode).toBe(1);
  const lcov = await Bun.file(join(box.folder, "out/lcov.info")).text();
  expect(linesIn(lcov, "src/Cart.luau")).toEqual([
    "FNDA:3,total",
    "FNDA:0,never",
    // Each test file loads the module once.
    "DA:1,2",
    "DA:3,2",
    "DA:4,3",
    "DA:5,3",
    "DA:6,3",
    "DA:8,3",
    "DA:9,1",
    "DA:11,2",
    "DA:14,2",
    "DA:16,2",
    "DA:17,0",
    "DA:20,2",
  ]);
  expect(linesIn(lcov, "src/Unloaded.luau")).toEqual(["FNDA:0,idle", "DA:1,0", "DA:2,0", "DA:4,0"]);
}, 120_000);

test("thresholds are not checked in shards, and the merged shards have the coverage of the whole run", async () => {
  for (const shard of ["1/2", "2/2"]) {
    const words = ["--shard", shard, "--coverage", "--reporter", `blob=shard-${shard[0]}.jsonl`];
    const { exitCode } = await box.localSbAsync(["test", ...words]);
    expect(exitCode).toBe(0);
  }
  const { stderr, exitCode } = await box.localSbAsync([
    "test",
    "merge",
    "shard-1.jsonl",
    "shard-2.jsonl",
    "--coverage",
    "json,cobertura,lcov",
  ]);
  expect(stderr).toContain("Coverage: 73.3 % of lines ran");
  expect(exitCode).toBe(1);
  const lcov = await Bun.file(join(box.folder, "out/lcov.info")).text();
  expect(linesIn(lcov, "src/Cart.luau")).toContain("DA:9,1");
  expect(linesIn(lcov, "src/Cart.luau")).toContain("DA:4,3");
  expect(await Bun.file(join(box.folder, "out/cobertura.xml")).text()).toContain('line-rate="0.7333"');
  expect(await Bun.file(join(box.folder, "out/coverage.json")).exists()).toBe(true);
}, 120_000);

test("in a play test, lines of the server, the client and the scripts of the place are counted, except after a file that ends it", async () => {
  const tree = {
    $className: "DataModel",
    ServerScriptService: { Game: { $path: "src" } },
    ReplicatedStorage: { Tests: { $path: "tests" } },
  };
  await box.writeAsync("game/sb.config.json", "{}");
  await box.writeAsync("game/default.project.json", JSON.stringify({ name: "Game", tree }));
  await box.writeAsync(
    "game/src/Main.server.luau",
    `local Rounds = require(script.Parent.Rounds)
Rounds.begin()
local remote = Instance.new("RemoteFunction")
remote.OnServerInvoke = Rounds.number
remote.Parent = workspace
`,
  );
  await box.writeAsync(
    "game/src/Rounds.luau",
    `local Rounds = {}
function Rounds.begin()
	workspace:SetAttribute("Round", 1)
end
function Rounds.number()
	return workspace:GetAttribute("Round")
end
return Rounds
`,
  );
  await box.writeAsync(
    "game/tests/round.spec.luau",
    "return { hasBegun = function() assert(workspace:WaitForChild('RemoteFunction'):InvokeServer() == 1) end }",
  );
  await box.writeAsync(
    "game/tests/z-ends.spec.luau",
    `--@sb context=server
return {
	calls = function() assert(require(game.ServerScriptService.Game.Rounds).number() == 1) end,
	ends = function()
		game:GetService("StudioTestService"):EndTest({})
		task.wait(1)
	end,
}`,
  );
  const words = ["test", "--context", "client", "--coverage", "lcov"];
  const { stdout, exitCode } = await box.localSbAsync(words, {}, join(box.folder, "game"));
  expect(stdout).toContain("Coverage 100.0 % lines, 100.0 % functions");
  expect(stdout).toContain("Files  1 failed, 1 passed      Cases  1 failed, 2 passed");
  expect(exitCode).toBe(1);
  const lcov = await Bun.file(join(box.folder, "game/coverage/lcov.info")).text();
  // Once for each file, because each file gets a fresh play test. The calls of the second file were lost when it ended the play test.
  expect(linesIn(lcov, "src/Rounds.luau")).toEqual([
    "FNDA:2,begin",
    "FNDA:1,number",
    ...["DA:1,2", "DA:2,2", "DA:3,2", "DA:5,2", "DA:6,1", "DA:8,2"],
  ]);
  expect(linesIn(lcov, "src/Main.server.luau")).toEqual([1, 2, 3, 4, 5].map((line) => `DA:${line},2`));
}, 120_000);

test("an open Studio gives the same coverage as headless Studio, in each run and in both contexts", async () => {
  const open = join(box.folder, "open");
  const { tree } = PROJECT;
  const own = { $className: "ServerScriptService", Game: { $path: "server" } };
  await box.writeAsync("open/sb.config.json", "{}");
  await box.writeAsync(
    "open/default.project.json",
    JSON.stringify({ name: "Open", tree: { ...tree, ServerScriptService: own } }),
  );
  for (const [path, source] of Object.entries({
    "../server/Start.server.luau": "workspace:SetAttribute('Round', 1)\n",
    "Cart.luau": CART,
    "Cart.spec.luau": TESTEZ_SPEC,
    "jest/large.test.luau": JEST_SPEC,
    "jest/jest.config.luau": 'return { testMatch = { "**/*.test" } }',
    "Prices.luau": PRICES,
    "Prices.spec.luau": `--@sb context=client\n${PRICES_SPEC}`,
    "Again.spec.luau": PRICES_SPEC,
  }))
    await box.writeAsync(`open/src/${path}`, source);
  box.spawn(["headless", "open/default.project.json"]);
  await untilAsync("the Studio is connected", async () =>
    (await box.sessionsAsync()).length > 0 ? true : undefined,
  );
  const countAsync = async (...words: string[]) => {
    await rm(join(open, "coverage"), { recursive: true, force: true });
    const all = ["test", "--port", String(box.port), "--coverage", "lcov", ...words];
    const { stdout } = await box.localSbAsync(all, {}, open);
    expect(stdout).toContain("at fail  src/Prices.luau:6");
    return Bun.file(join(open, "coverage/lcov.info")).text();
  };
  const headless = await countAsync("--isolate", "none", "--workers", "1");
  expect(linesIn(headless, "server/Start.server.luau")).toEqual(["DA:1,1"]);
  // Once in the edited place, and once in the client.
  expect(linesIn(headless, "src/Prices.luau")).toContain("FNDA:2,fail");
  expect(await countAsync("--on", "studio")).toBe(headless);
  const again = await countAsync("--on", "studio", "Again");
  expect(linesIn(again, "src/Prices.luau")).toContain("FNDA:1,fail");
  await box.writeAsync("open/src/Prices.luau", PRICES.replace("--!strict", "--!nonstrict"));
  const words = ["test", "--port", String(box.port), "--coverage", "--on", "studio", "--allow-stale"];
  const other = await box.localSbAsync(words, {}, open);
  expect(other).toMatchObject({ exitCode: 1, stdout: "" });
  expect(other.stderr).toContain(
    "ReplicatedStorage.Shop.Prices has another text in this place than its file; bring",
  );
  const left = await box.sbAsync(["exec", "return __sbTest, __sbTestCoverage"]);
  expect(left.stdout).toBe("nil\nnil\n");
}, 120_000);

test("a Studio that counts no lines, or a project without files to count, is an error before tests run", async () => {
  const off = await box.localSbAsync(["test", "--coverage"], { SB_HEADLESS_VARIANT: "no-coverage" });
  expect(off).toMatchObject({ exitCode: 1, stdout: "" });
  expect(off.stderr).toContain("Lines cannot be counted here: Code coverage is not enabled");
  expect(off.stderr).toContain("Leave out --coverage");
  const empty = await box.localSbAsync(["test", "--coverage"], { SB_HEADLESS_VARIANT: "empty-coverage" });
  expect(empty).toMatchObject({ exitCode: 1, stdout: "" });
  expect(empty.stderr).toContain("does not tell of a line that has run");
  await box.writeAsync("bare/sb.config.json", "{}");
  await box.writeAsync("bare/a.spec.luau", "return {}");
  const bare = await box.localSbAsync(["test", "--coverage"], {}, join(box.folder, "bare"));
  expect(bare).toMatchObject({ exitCode: 2, stdout: "" });
  expect(bare.stderr).toContain("mounts no Luau file");
}, 120_000);

test("a run of all tests shows how its coverage differs from the last one, and a run of some tests neither shows nor changes that", async () => {
  const folder = join(box.folder, "change");
  const tree = { $className: "DataModel", ReplicatedStorage: { $path: "src" } };
  await box.writeAsync("change/sb.config.json", "{}");
  await box.writeAsync("change/default.project.json", JSON.stringify({ name: "Change", tree }));
  const functionOf = (name: string) => `\t${name} = function()\n\t\treturn 1\n\tend,\n`;
  await box.writeAsync("change/src/M.luau", `return {\n${functionOf("a")}${functionOf("b")}}\n`);
  const writeSpecAsync = (calls: string) =>
    box.writeAsync(
      "change/src/M.spec.luau",
      `return { one = function() local m = require(script.Parent.M) ${calls} end }`,
    );
  const coverageAsync = async (...words: readonly string[]): Promise<string | undefined> => {
    const { stdout } = await box.localSbAsync(["test", "--coverage", ...words], {}, folder);
    return /^ Coverage (.*)$/m.exec(stdout)?.[1];
  };
  await writeSpecAsync("m.a()");
  expect(await coverageAsync()).toBe("66.6 % lines, 50.0 % functions");
  await writeSpecAsync("m.a() m.b()");
  expect(await coverageAsync("-t", "one")).toBe("100.0 % lines, 100.0 % functions");
  expect(await coverageAsync()).toBe("100.0 % lines (+33.4), 100.0 % functions");
  expect(await coverageAsync()).toBe("100.0 % lines, 100.0 % functions");
});
