/** `sb test` through the compiled binary: test files outside of the place and the modules that they require by paths. */
import { beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { sandbox } from "../sandbox.ts";

const box = sandbox();
let stdout = "";

const SPEC = `local Cart = require("../src/Cart")
local counter = require("./counter")
local Mounted = require("../place/Mounted")
return {
	usesModules = function()
		assert(Cart.total(2) == 3)
		assert(counter == require("./counter") and counter.loads == 1)
	end,
	sharesTheScriptOfThePlace = function()
		assert(Mounted.name == "ReplicatedStorage.Mounted")
		assert(Mounted == require("@game/ReplicatedStorage/Mounted"))
		assert(Mounted == require(game.ReplicatedStorage.Mounted))
	end,
	failsInTheModule = function()
		Cart.total(nil)
	end,
	findsNoModule = function()
		require("./Gone")
	end,
	needsAText = function()
		local name = "hidden"
		require("./" .. name)
	end,
	endsCircles = function()
		require("./round")
	end,
	tellsWhyAModuleFails = function()
		pcall(require, "./bad")
		require("./bad")
	end,
}
`;

beforeAll(async () => {
  await box.writeAsync("tests/a.spec.luau", SPEC);
  await box.writeAsync("tests/counter.luau", "_G.loads = (_G.loads or 0) + 1\nreturn { loads = _G.loads }");
  await box.writeAsync("tests/round.luau", 'return require("./other")');
  await box.writeAsync("tests/other.luau", 'return require("./round")');
  await box.writeAsync(
    "tests/bad.luau",
    'local function fails()\n\terror("no settings")\nend\nfails()\nreturn 1',
  );
  await box.writeAsync(
    "src/Cart.luau",
    'local Tax = require("@lib/Tax")\nreturn { total = function(net)\n\treturn net + Tax\nend }',
  );
  await box.writeAsync("lib/Tax.luau", "return 1");
  await box.writeAsync(".luaurc", '{ "aliases": { "lib": "lib" } }');
  await box.writeAsync("place/Mounted.luau", "return { name = script:GetFullName() }");
  const tree = { $className: "DataModel", ReplicatedStorage: { $path: "place" } };
  await box.writeAsync("default.project.json", JSON.stringify({ name: "Requires", tree }));
  ({ stdout } = await box.localSbAsync(["test"]));
}, 120_000);

test("modules run once, also those of the place, and @game leads into the place", () => {
  expect(stdout).toContain("5 failed, 2 passed");
  expect(stdout).not.toContain("usesModules");
  expect(stdout).not.toContain("sharesTheScriptOfThePlace");
});

test("a failure in a module shows the line of the module", () => {
  expect(stdout).toContain("at total  src/Cart.luau:3  return net + Tax");
});

test("a path to no module, a computed path and a circle of modules are errors that say so", () => {
  for (const part of [
    'error requiring module "./Gone": there is no module ./Gone: tried tests/Gone.luau, tests/Gone.lua,',
    'error requiring module "./hidden": the path must be a text, because it is followed before the test runs',
    "modules require each other: tests/a.spec.luau > tests/round.luau > tests/other.luau > tests/round.luau",
  ])
    expect(stdout).toContain(part);
});

test("a module that fails says why and where at each require", () => {
  expect(stdout).toContain("no settings");
  expect(stdout).toContain('at fails  tests/bad.luau:2  error("no settings")');
});

test("a TestEZ inside of a model file runs the tests of the place", async () => {
  const testez = join(import.meta.dir, "../../node_modules/@rbxts/testez/src");
  await box.writeAsync(
    "model/testez.project.json",
    JSON.stringify({ name: "TestEZ", tree: { $path: testez } }),
  );
  const inModel = join(box.folder, "model");
  await box.localSbAsync(["build", "testez.project.json", "-o", "Packages.rbxm"], {}, inModel);
  await box.writeAsync(
    "model/src/a.spec.luau",
    "return function() it('runs', function() expect(1).to.equal(1) end) end",
  );
  const shared = { Packages: { $path: "Packages.rbxm" }, Source: { $path: "src" } };
  const tree = { $className: "DataModel", ReplicatedStorage: shared };
  await box.writeAsync("model/default.project.json", JSON.stringify({ name: "Model", tree }));
  const listed = await box.localSbAsync(["test", "--list"], {}, inModel);
  expect(listed.stdout).toContain("  testez  ReplicatedStorage.Source.a.spec  ");
});
