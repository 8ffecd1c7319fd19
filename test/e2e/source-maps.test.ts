/** Lines of TypeScript sources in what `sb test`, `sb run` and `sb exec` show of compiled files, through the compiled binary. */
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { utimes } from "node:fs/promises";
import { join } from "node:path";
import { Sandbox, untilAsync } from "../harness.ts";
import { mapOf } from "../unit/source-maps/sample-map.ts";

const PROJECT = {
  name: "Shop",
  tree: { $className: "DataModel", ReplicatedStorage: { Shop: { $path: "out" } } },
};
const SETTINGS = { test: { include: ["out/**/*.spec.luau"] } };
const CART_TS = `export function total(prices: number[]): number {
\tif (prices.size() === 0)
\t\terror("no prices");
\treturn prices[0];
}
`;
const CART = `-- Compiled with a compiler
local function total(prices)
	if #prices == 0 then
		error("no prices")
	end
	return prices[1]
end
return { total = total }
`;
const SPEC_TS = `import { total } from "./cart";
export = () => {
\tit("needs a price", () => {
\t\ttotal([]);
\t});
\tit("takes the first", () => {
\t\texpect(total([2])).to.equal(3);
\t});
};
`;
const SPEC = `-- Compiled with a compiler
local total = require(script.Parent.cart).total
return function()
	it("needs a price", function()
		total({})
	end)

	it("takes the first", function()
		expect(total({ 2 })).to.equal(3)
	end)
end
`;
const at = (line: number): [number, number][] => [[0, line]];
const CART_MAP = mapOf(["../src/cart.ts"], [[], at(1), at(2), at(3), [], at(4), at(5)]);
const SPEC_MAP = mapOf(
  ["../src/cart.spec.ts"],
  [[], at(1), at(2), at(3), at(4), at(5), [], at(6), at(7), at(8), at(9)],
);

async function projectAsync(files: Readonly<Record<string, string>> = {}): Promise<Sandbox> {
  const box = await Sandbox.createAsync();
  const all = {
    "default.project.json": JSON.stringify(PROJECT),
    "sb.config.json": JSON.stringify(SETTINGS),
    "tsconfig.json": '{ "compilerOptions": { "rootDir": "src", "outDir": "out" } }',
    "src/cart.ts": CART_TS,
    "src/cart.spec.ts": SPEC_TS,
    "out/cart.luau": CART,
    "out/cart.spec.luau": SPEC,
    ...files,
  };
  for (const [path, text] of Object.entries(all)) await box.writeAsync(path, text);
  return box;
}

const MAPS = { "out/cart.luau.map": CART_MAP, "out/cart.spec.luau.map": SPEC_MAP };

test("with source maps, failures, annotations, reports and JSON speak of the TypeScript files", async () => {
  await using box = await projectAsync(MAPS);
  const { stdout, stderr, exitCode } = await box.localSbAsync([
    ...["test", "--reporter", "line", "--reporter", "github", "--reporter", "junit=junit.xml"],
    ...["--reporter", "blob=run.jsonl"],
  ]);
  expect(exitCode).toBe(1);
  expect(stdout).toContain("✗ src/cart.spec.ts  2 failed");
  expect(stdout).toContain("  src/cart.spec.ts:4   built-in tests");
  expect(stdout).toContain("▶ 4 │     total([]);");
  expect(stdout).toMatch(/at total {2}src\/cart\.ts:3 +error\("no prices"\);/);
  expect(stdout).toContain("▶ 7 │     expect(total([2])).to.equal(3);");
  expect(stdout).not.toContain("out/cart");
  expect(stdout).toContain("::error file=src/cart.spec.ts,line=4,");
  expect(stderr).not.toContain("source map");
  const junit = readFileSync(join(box.folder, "junit.xml"), "utf8");
  expect(junit).toContain('classname="src/cart.spec.ts" name="takes the first"');
  expect(junit).toContain('file="src/cart.spec.ts" line="6"');
  expect(junit).toContain("(src/cart.ts:3:1)");
  const events = readFileSync(join(box.folder, "run.jsonl"), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const end = events.find(({ type, id }) => type === "case-end" && id === "needs a price");
  expect(end).toMatchObject({
    file: "out/cart.spec.luau",
    line: 4,
    source: { path: "src/cart.spec.ts", line: 3 },
  });
  expect(end.failure.frames[0]).toMatchObject({
    path: "src/cart.ts",
    line: 3,
    compiled: { path: "out/cart.luau", line: 4 },
  });
});

test("the agent's report and --verbose: the source, and with --verbose the compiled line beside it", async () => {
  await using box = await projectAsync(MAPS);
  const agent = await box.localSbAsync(["test", "--reporter", "agent"]);
  expect(agent.stdout).toContain("FAILED needs a price  src/cart.ts:3");
  expect(agent.stdout).toContain('> 3 | \t\terror("no prices");');
  const verbose = await box.localSbAsync(["test", "--verbose", "--reporter", "line"]);
  expect(verbose.stdout).toContain("src/cart.spec.ts:4 (out/cart.spec.luau:5)");
});

test("a source and a line in it choose tests", async () => {
  await using box = await projectAsync(MAPS);
  for (const word of ["src/cart.spec.ts:7", "cart.spec.ts:7"]) {
    const { stdout } = await box.localSbAsync(["test", word, "--reporter", "tap"]);
    expect(stdout).toContain("1..1\n");
    expect(stdout).toContain("takes the first");
  }
  expect((await box.localSbAsync(["test", "src/cart.spec.ts", "--reporter", "tap"])).stdout).toContain(
    "1..2\n",
  );
  const beyond = await box.localSbAsync(["test", "src/cart.spec.ts:99"]);
  expect(beyond.stderr).toContain("src/cart.spec.ts:99: the file has 10 lines.");
});

test("coverage through a map counts lines of the source", async () => {
  await using box = await projectAsync(MAPS);
  await box.localSbAsync(["test", "--coverage=lcov"]);
  const lcov = readFileSync(join(box.folder, "coverage/lcov.info"), "utf8");
  expect(lcov).toContain("SF:src/cart.ts\n");
  expect(lcov).toContain("DA:3,1\n");
});

test("without a map, the compiled files are named, and once that there is no source map", async () => {
  await using box = await projectAsync();
  const { stdout, stderr } = await box.localSbAsync(["test", "--reporter", "line", "--reporter", "github"]);
  expect(stdout).toContain("  out/cart.spec.luau:5   built-in tests");
  expect(stdout).toContain("::error file=src/cart.spec.ts,title=");
  expect(stderr.match(/compiled from/g)).toHaveLength(1);
  expect(stderr).toContain("compiled from src/cart.spec.ts; no source map");
  const line = await box.localSbAsync(["test", "src/cart.spec.ts:7"]);
  expect(line.stderr).toContain("out/cart.spec.luau has no source map");
  expect(line.exitCode).toBe(2);
});

test("a map that is older than its file is not used, and that is told; a setting turns maps off", async () => {
  await using box = await projectAsync(MAPS);
  const past = new Date(Date.now() - 60_000);
  await utimes(join(box.folder, "out/cart.spec.luau.map"), past, past);
  const old = await box.localSbAsync(["test", "--reporter", "line"]);
  expect(old.stdout).toContain("  out/cart.spec.luau:5   built-in tests");
  expect(old.stderr).toContain(
    "out/cart.spec.luau.map is not used, because it is older than out/cart.spec.luau",
  );
  await box.writeAsync("sb.config.json", JSON.stringify({ test: { ...SETTINGS.test, sourceMap: false } }));
  const off = await box.localSbAsync(["test", "--reporter", "line"]);
  expect(off.stdout).toContain("at total  out/cart.luau:4");
  expect(off.stderr).not.toContain("source map");
  await box.writeAsync("sb.config.json", '{ "test": { "sourceMap": "maps" } }');
  const wrong = await box.localSbAsync(["test"]);
  expect(wrong.stderr).toContain('test.sourceMap: expected "auto", false, or a path with {name} in it');
  expect(wrong.exitCode).toBe(2);
  await box.writeAsync("sb.config.json", '{ "test": { "sourceMap": 5 } }');
  expect((await box.localSbAsync(["test"])).stderr).toContain(
    'test.sourceMap: expected "auto", false, or a path',
  );
});

test("sb exec and sb run show the source of a module of the place, and of a script that was compiled itself", async () => {
  await using box = await projectAsync({
    ...MAPS,
    "out/main.luau": 'local x = 1\nerror("stop")\n',
    "src/main.ts": 'error("stop");\n',
  });
  const call = "require(game.ReplicatedStorage.Shop.cart).total({})";
  const exec = await box.localSbAsync(["exec", "--headless", "--place", ".", call]);
  expect(exec.stderr).toContain("ReplicatedStorage.Shop.cart:4: no prices");
  expect(exec.stderr).toContain(`  ${join("src", "cart.ts")}:3\n`);
  expect(exec.stderr).toContain('error("no prices");');
  const unmapped = await box.localSbAsync(["run", "--headless", "out/main.luau"]);
  expect(unmapped.stderr).toContain(`compiled from ${join("src", "main.ts")}; no source map`);
  await box.writeAsync("out/main.luau.map", mapOf(["../src/main.ts"], [[], at(1)]));
  const json = await box.localSbAsync(["run", "--headless", "--json", "out/main.luau"]);
  expect(JSON.parse(json.stdout)).toMatchObject({ errorFile: `${join("src", "main.ts")}:1` });
  const run = await box.localSbAsync(["run", "--headless", "out/main.luau"]);
  expect(run.stderr).toContain(`  ${join("src", "main.ts")}:1\n  1 | error("stop");`);
});

test("sb logs and sb exec in an open Studio name the source, if Studio has the text of the file", async () => {
  await using box = await projectAsync(MAPS);
  box.spawn(["headless", box.folder]);
  await untilAsync("a Studio is connected", async () =>
    (await box.sessionsAsync()).length > 0 ? true : undefined,
  );
  const call = "require(game.ReplicatedStorage.Shop.cart).total({})";
  const exec = await box.sbAsync(["exec", call]);
  expect(exec.stderr).toContain(`  ${join("src", "cart.ts")}:3\n`);
  await box.sbAsync(["exec", `task.spawn(function() ${call} end) task.wait()`]);
  const logs = await box.sbAsync(["logs"]);
  expect(logs.stdout).toContain(`ReplicatedStorage.Shop.cart:4: no prices (${join("src", "cart.ts")}:3)`);
  const json = await box.sbAsync(["logs", "--json", "--grep", "^Repl"]);
  const [error] = JSON.parse(json.stdout).entries;
  expect(error).toMatchObject({ level: "Error", file: `${join("src", "cart.ts")}:3` });
  const failed = await box.sbAsync(["exec", "--json", call]);
  expect(JSON.parse(failed.stdout)).toMatchObject({ errorFile: `${join("src", "cart.ts")}:3` });
  const follower = box.spawn(["logs", "--follow"]);
  let heard = "";
  // Lines from before the follower is ready never come, so that nothing here waits for one.
  const reading = (async () => {
    for await (const part of follower.stdout.pipeThrough(new TextDecoderStream())) heard += part;
  })();
  await untilAsync("the log is followed", async () => {
    await box.sbAsync(["exec", `task.spawn(function() ${call} end) task.wait()`]);
    return heard.includes(`cart:4: no prices (${join("src", "cart.ts")}:3)`) ? true : undefined;
  });
  follower.kill("SIGINT");
  await follower.exited;
  await reading;
  await box.writeAsync("out/cart.luau", `${CART}-- another text\n`);
  const other = await box.sbAsync(["logs"]);
  expect(other.stdout).toContain("ReplicatedStorage.Shop.cart:4: no prices\n");
});
