/** Spies, stubs, cases of rows and checks that let a case go on, through the compiled binary. */
import { expect, test } from "bun:test";
import type { TestEvent } from "../../src/testing/events.ts";
import { Sandbox, untilAsync } from "../harness.ts";
import { JEST, TESTEZ } from "../packages.ts";

type Ended = readonly (readonly [id: string, status: string, message: string])[];

/** The cases of a run in their order, with the first failures' messages. */
async function casesAsync(box: Sandbox, ...words: string[]): Promise<Ended> {
  const { stdout } = await box.localSbAsync(["test", "--json", ...words]);
  return stdout
    .trim()
    .split("\n")
    .map((line): TestEvent => JSON.parse(line))
    .flatMap((event) =>
      event.type === "case-end" ? [[event.id, event.status, event.failure?.message ?? ""] as const] : [],
    );
}

async function specAsync(body: string): Promise<Ended> {
  await using box = await Sandbox.createAsync();
  await box.writeAsync("a.spec.luau", `return function()\n${body}\nend`);
  return await casesAsync(box);
}

test("a spy notes the arguments of each call, also nil, and passes values on", async () => {
  const cases = await specAsync(`
it("notes", function()
	local spy = sb.spy(function(a, b) return a + (b or 1) end)
	expect(spy(1, nil)).to.equal(2)
	expect(spy.fn(2, 3)).to.equal(5)
	expect(#spy.calls).to.equal(2)
	expect(spy.calls[1].n).to.equal(2)
	expect(spy.calls[1][2]).to.equal(nil)
	expect(spy.calls[2][2]).to.equal(3)
	local event = Instance.new("BindableEvent")
	local heard = sb.spy()
	event.Event:Connect(heard.fn)
	event:Fire("hi")
	task.wait()
	expect(heard.calls[1][1]).to.equal("hi")
	expect(function() sb.spy(5) end).to.throw("sb.spy takes a function, not number")
end)`);
  expect(cases).toEqual([["notes", "passed", ""]]);
});

test("a stub lasts until the end of the case, also of one that fails, and gives inherited members back", async () => {
  const cases = await specAsync(`
local Base = { price = function() return 1 end }
local shop = setmetatable({ open = function() return true end }, { __index = Base })
it("replaces", function()
	local opened = sb.stub(shop, "open", function() return false end)
	sb.stub(shop, "price", function() return 2 end)
	sb.stub(shop, "price", function() return 3 end)
	expect(shop.open("now")).to.equal(false)
	expect(opened.calls[1][1]).to.equal("now")
	expect(shop.price()).to.equal(3)
	error("stops here")
end)
it("has its own again", function()
	expect(shop.open()).to.equal(true)
	expect(shop.price()).to.equal(1)
	expect(rawget(shop, "price")).to.equal(nil)
	expect(function() sb.stub(workspace, "Name") end).to.throw("member of a table, not of Instance")
	expect(function() sb.stub(table.freeze({}), "a") end).to.throw("frozen table")
	expect(function() sb.stub({}, nil) end).to.throw("the key is nil")
end)
it("tells what it cannot restore", function()
	local own = { f = print }
	sb.stub(own, "f")
	table.freeze(own)
end)`);
  expect(cases.map(([, status]) => status)).toEqual(["failed", "passed", "failed"]);
  expect(cases[2]?.[2]).toBe('the stub of "f" stays, because its table was frozen meanwhile');
});

test("it.each makes a case of each row; a line chooses all of them; no row is an error", async () => {
  await using box = await Sandbox.createAsync();
  await box.writeAsync(
    "a.spec.luau",
    `return function()
	it.each({ { 1, 2, 3 }, { 2, 2, 5 } })("adds %d and %s", function(a, b, sum)
		expect(a + b).to.equal(sum)
	end)
	it.each({ { name = "Ann", n = 1 } })("knows $name ($other)", function(row) expect(row.n).to.equal(1) end)
	it.each({ "a", "b" })("is a letter", function(letter) expect(#letter).to.equal(1) end)
	itSKIP.each({ 1 })("skips %s", error)
end`,
  );
  expect((await casesAsync(box)).map(([id, status]) => `${id}: ${status}`)).toEqual([
    "adds 1 and 2: passed",
    "adds 2 and 2: failed",
    "knows Ann ($other): passed",
    "is a letter: passed",
    "is a letter (2): passed",
    "skips 1: skipped",
  ]);
  expect(await casesAsync(box, "a.spec.luau:3")).toHaveLength(2);
  await box.writeAsync("a.spec.luau", 'return function() it.each({})("x", print) end');
  expect((await casesAsync(box))[0]?.[2]).toContain("it.each has no row, so that no case would run");
});

test("expect.soft lets the case go on, and the case fails with all of its failures and their lines", async () => {
  const cases = await specAsync(`
it("goes on", function()
	expect.soft(1).to.equal(2)
	expect.soft(3).to.equal(3)
	expect.soft("a").never.to.equal("a")
	_G.wentOn = true
	error("at last")
end)
it("starts anew", function() expect(_G.wentOn).to.equal(true) end)
it("is one failure", function() expect.soft(1).to.equal(2) end)`);
  expect(cases).toEqual([
    [
      "goes on",
      "failed",
      'expected the value to equal 2, but it is 1\nexpected the value not to equal "a" (a.spec.luau:6)\nat last (a.spec.luau:8)',
    ],
    ["starts anew", "passed", ""],
    ["is one failure", "failed", "expected the value to equal 2, but it is 1"],
  ]);
});

test("_G.sb has spies and stubs beside TestEZ and Jest, and something of that name in the place stays", async () => {
  await using box = await Sandbox.createAsync();
  const ReplicatedStorage = { Tests: { $path: "tests" }, ...TESTEZ, ...JEST };
  const tree = { $className: "DataModel", ReplicatedStorage };
  await box.writeAsync("default.project.json", JSON.stringify({ name: "Both", tree }));
  await box.writeAsync("tests/jest/jest.config.luau", "return { testMatch = { '**/__tests__/**' } }");
  const body = `
local shop = { price = function() return 1 end }
it("stubs", function()
	local price = _G.sb.stub(shop, "price", function() return 2 end)
	expect(shop.price()).EQUAL(2)
	expect(#price.calls).EQUAL(1)
end)
it("has its own again", function() expect(shop.price()).EQUAL(1) end)`;
  await box.writeAsync("tests/a.spec.luau", `return function() ${body.replaceAll("EQUAL", "to.equal")} end`);
  const globals =
    "local J = require(game.ReplicatedStorage.JestLua.JestGlobals)\nlocal it, expect = J.it, J.expect";
  await box.writeAsync(
    "tests/jest/__tests__/b.luau",
    `${globals}\n${body.replaceAll("EQUAL", "toBe")}\nreturn nil`,
  );
  expect((await casesAsync(box)).map(([id, status]) => `${id}: ${status}`)).toEqual(
    Array.from({ length: 2 }, () => ["stubs: passed", "has its own again: passed"]).flat(),
  );
  await box.writeAsync("setup.luau", '_G.sb = "ours"');
  await box.writeAsync("sb.config.json", '{ "test": { "setup": ["setup.luau"] } }');
  await box.writeAsync(
    "tests/a.spec.luau",
    'return function() it("keeps", function() expect(_G.sb).to.equal("ours") end) end',
  );
  expect((await casesAsync(box, "a.spec"))[0]?.[1]).toBe("passed");
});

test("an open Studio keeps neither the words nor a stub, also after Ctrl+C", async () => {
  await using box = await Sandbox.createAsync();
  await box.writeAsync(
    "a.spec.luau",
    `_G.shop = _G.shop or { price = function() return 1 end }
return function()
	it("waits", function()
		sb.stub(_G.shop, "price", function() return 2 end)
		print("waits now")
		task.wait(_G.pause or 0)
	end)
end`,
  );
  await box.headlessAsync();
  const stateAsync = async () => (await box.sbAsync(["exec", "return _G.sb, _G.shop.price()"])).stdout.trim();
  const whole = await box.sbAsync(["test", "--on", "studio", "--yes"]);
  expect(whole.exitCode).toBe(0);
  expect(await stateAsync()).toBe("nil\n1");
  await box.sbAsync(["exec", "_G.pause = 600"]);
  const child = box.spawn(["test", "--on", "studio", "--yes", "--json"]);
  const reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  for (let text = ""; !text.includes("waits now");) text += (await reader.read()).value ?? "";
  child.kill("SIGINT");
  await child.exited;
  await untilAsync("the Studio is as before", async () =>
    (await stateAsync()) === "nil\n1" ? true : undefined,
  );
});
