/** The clock that a test holds, through the compiled binary: what stands still with it, in which order it moves on, and where it cannot. */
import { expect, setDefaultTimeout, test } from "bun:test";
import type { TestEvent } from "../../src/testing/events.ts";
import { Sandbox } from "../harness.ts";
import { JEST, TESTEZ } from "../packages.ts";

setDefaultTimeout(60_000);

type Ended = readonly (readonly [id: string, status: string, message: string])[];

async function casesAsync(box: Sandbox, ...words: string[]): Promise<Ended> {
  const { stdout } = await box.localSbAsync(["test", "--json", ...words]);
  return endedIn(stdout);
}

const endedIn = (stdout: string): Ended =>
  stdout
    .trim()
    .split("\n")
    .map((line): TestEvent => JSON.parse(line))
    .flatMap((event) =>
      event.type === "case-end"
        ? [[event.id, event.status, event.failure?.message ?? event.reason ?? ""] as const]
        : [],
    );

async function specAsync(body: string, ...words: string[]): Promise<Ended> {
  await using box = await Sandbox.createAsync();
  await box.writeAsync("a.spec.luau", `return function()\n${body}\nend`);
  return await casesAsync(box, ...words);
}

/** Like `near`, but for a list of the differences, so that one failure shows all of them. */
const TIMES = `
local function times()
	return { os.clock(), tick(), time(), os.time(), DateTime.now().UnixTimestampMillis / 1000, workspace:GetServerTimeNow() }
end
local function since(before)
	local text = {}
	for index, now in times() do
		table.insert(text, tostring(math.round((now - before[index]) * 10) / 10))
	end
	return table.concat(text, " ")
end`;

test("a held clock stands in all ways to ask for the time, moves by what the test says, and then runs on", async () => {
  const cases = await specAsync(`${TIMES}
it("holds", function()
	sb.clock.hold()
	local before = times()
	local sum = 0
	while sum < 3e7 do sum += 1 end
	expect(os.clock()).to.equal(before[1])
	sb.clock.advance(90)
	expect(since(before)).to.equal("90 90 90 90 90 90")
	_G.before = before
end)
it("runs on", function()
	local after = os.clock()
	expect(after >= _G.before[1] + 90).to.equal(true)
	task.wait(0.2)
	expect(os.clock() - after).to.be.near(0.25, 0.15)
end)`);
  expect(cases).toEqual([
    ["holds", "passed", ""],
    ["runs on", "passed", ""],
  ]);
});

test("what is due runs in its order while the clock moves: waits, frames, tweens and Debris", async () => {
  const cases = await specAsync(`
it("is in order", function()
	local seen = {}
	local function note(text) table.insert(seen, text) end
	task.delay(0.1, note, "began before")
	sb.clock.hold()
	task.delay(5, note, "five")
	task.delay(0.51, note, "half")
	task.spawn(function()
		for _ = 1, 3 do note("waited " .. math.round(task.wait(2))) end
	end)
	sb.clock.advance(0.5)
	expect(table.concat(seen, ", ")).to.equal("began before")
	sb.clock.advance(0.01)
	sb.clock.advance(4.49)
	expect(table.concat(seen, ", ")).to.equal("began before, half, waited 2, waited 2, five")
	sb.clock.advance(0)
	expect(#seen).to.equal(5)
end)
it("moves what the engine moves", function()
	sb.clock.hold()
	local part = Instance.new("Part", workspace)
	local tween = game:GetService("TweenService"):Create(part, TweenInfo.new(2, Enum.EasingStyle.Linear), { Transparency = 1 })
	local frames, seconds = 0, 0
	game:GetService("RunService").Heartbeat:Connect(function(delta) frames += 1 seconds += delta end)
	game:GetService("Debris"):AddItem(part, 10)
	tween:Play()
	sb.clock.advance(1)
	expect(part.Transparency).to.be.near(0.5, 1e-6)
	sb.clock.advance(1)
	expect(tween.PlaybackState).to.equal(Enum.PlaybackState.Completed)
	expect(frames).to.equal(120)
	expect(seconds).to.be.near(2, 1e-6)
	expect(part.Parent).to.equal(workspace)
	sb.clock.advance(8.1)
	expect(part.Parent).to.equal(nil)
end)`);
  expect(cases).toEqual([
    ["is in order", "passed", ""],
    ["moves what the engine moves", "passed", ""],
  ]);
});

test("a case that waits for a held clock fails by the time of the process, and the next one has a clock that runs", async () => {
  const cases = await specAsync(
    `
beforeEach(function() sb.clock.hold() end)
it("waits", function() task.wait(1) end)
it("is long", function()
	sb.clock.advance(3600)
	expect(true).to.equal(true)
end)
it("asks wrongly", function()
	sb.clock.release()
	expect(function() sb.clock.advance(1) end).to.throw("this one runs")
	sb.clock.hold()
	expect(function() sb.clock.advance(-1) end).to.throw("takes seconds from 0 to 604800, not -1")
	expect(function() sb.clock.advance(0/0) end).to.throw("takes seconds")
	expect(function() sb.clock.advance("5") end).to.throw("takes seconds")
end)`,
    "--timeout",
    "1s",
  );
  expect(cases).toEqual([
    ["waits", "failed", "timed out after 1 s; the clock is held, and only sb.clock.advance moves it"],
    ["is long", "passed", ""],
    ["asks wrongly", "passed", ""],
  ]);
});

test("the clock is held beside TestEZ and Jest, also for modules of the place", async () => {
  await using box = await Sandbox.createAsync();
  const ReplicatedStorage = { Tests: { $path: "tests" }, Round: { $path: "Round.luau" }, ...TESTEZ, ...JEST };
  const tree = { $className: "DataModel", ReplicatedStorage };
  await box.writeAsync("default.project.json", JSON.stringify({ name: "Both", tree }));
  await box.writeAsync(
    "Round.luau",
    "return { start = function(seconds, over) local t = os.clock() task.delay(seconds, function() over(os.clock() - t) end) end }",
  );
  await box.writeAsync("tests/jest/jest.config.luau", "return { testMatch = { '**/__tests__/**' } }");
  const body = `
local Round = require(game.ReplicatedStorage.Round)
it("ends the round", function()
	local clock = _G.sb.clock
	clock.hold()
	local took
	Round.start(300, function(seconds) took = seconds end)
	clock.advance(299.9)
	expect(took).EQUAL(nil)
	clock.advance(0.1)
	expect(math.round(took)).EQUAL(300)
end)
it("waits for itself", function()
	local t = os.clock()
	task.wait(0.05)
	expect(os.clock() - t < 2).EQUAL(true)
end)`;
  await box.writeAsync("tests/a.spec.luau", `return function() ${body.replaceAll("EQUAL", "to.equal")} end`);
  const globals =
    "local J = require(game.ReplicatedStorage.JestLua.JestGlobals)\nlocal it, expect = J.it, J.expect";
  await box.writeAsync(
    "tests/jest/__tests__/b.luau",
    `${globals}\n${body.replaceAll("EQUAL", "toBe")}\nreturn nil`,
  );
  expect((await casesAsync(box)).map(([id, status]) => `${id}: ${status}`)).toEqual(
    Array.from({ length: 2 }, () => ["ends the round: passed", "waits for itself: passed"]).flat(),
  );
});

test("in a play test the clocks of the server and its clients move together", async () => {
  await using box = await Sandbox.createAsync();
  const tree = {
    $className: "DataModel",
    ReplicatedStorage: { Tests: { $path: "tests" }, Ping: { $className: "RemoteEvent" } },
    StarterPlayer: { StarterPlayerScripts: { Client: { $path: "Client.client.luau" } } },
  };
  await box.writeAsync("default.project.json", JSON.stringify({ name: "Play", tree }));
  await box.writeAsync(
    "Client.client.luau",
    `local Ping = game.ReplicatedStorage:WaitForChild("Ping")
Ping.OnClientEvent:Connect(function(seconds)
	local t = os.clock()
	task.wait(seconds)
	Ping:FireServer(math.round(os.clock() - t))
end)
Ping:FireServer("ready")`,
  );
  await box.writeAsync(
    "tests/a.spec.luau",
    `--@sb context=server players=1
return function()
	it("hears from the client after a minute", function()
		local Ping = game.ReplicatedStorage.Ping
		local heard = {}
		Ping.OnServerEvent:Connect(function(_, text) table.insert(heard, text) end)
		repeat task.wait() until #heard > 0 or #game:GetService("Players"):GetPlayers() > 0
		task.wait(0.5)
		sb.clock.hold()
		Ping:FireAllClients(60)
		sb.clock.advance(59.5)
		local before = #heard
		sb.clock.advance(0.6)
		expect(heard[#heard]).to.equal(60)
		expect(#heard).to.equal(before + 1)
	end)
end`,
  );
  await box.writeAsync(
    "tests/b.spec.luau",
    `--@sb context=client
return function()
	it("waits in the client", function()
		sb.clock.hold()
		local t, isOver = os.clock(), false
		task.delay(30, function() isOver = true end)
		sb.clock.advance(30)
		expect(isOver).to.equal(true)
		expect(os.clock() - t).to.be.near(30, 1e-6)
	end)
end`,
  );
  const cases = await casesAsync(box);
  expect(cases.map(([id, status, message]) => `${id}: ${status} ${message}`).toSorted()).toEqual([
    "hears from the client after a minute: passed ",
    "waits in the client: passed ",
  ]);
});

test("in an open Studio a case that holds the clock is skipped, and the report names it with the reason", async () => {
  await using box = await Sandbox.createAsync();
  await box.writeAsync(
    "a.spec.luau",
    'return function() it("holds", function() sb.clock.hold() end) it("does not", function() end) end',
  );
  await box.headlessAsync();
  const { stdout, exitCode } = await box.sbAsync(["test", "--on", "studio", "--yes", "--json"]);
  expect(exitCode).toBe(0);
  expect(endedIn(stdout)).toEqual([
    [
      "holds",
      "skipped",
      "only headless Studio (--on headless) can hold the clock, because no script can stop that of Roblox's engine",
    ],
    ["does not", "passed", ""],
  ]);
  const screen = await box.sbAsync(["test", "--on", "studio", "--yes"]);
  expect(screen.stdout).toContain(
    " Skipped  holds\n          only headless Studio (--on headless) can hold the clock",
  );
});
