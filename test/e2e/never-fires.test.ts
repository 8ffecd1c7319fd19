/** Events that never fire are named where a command ends: to people, to programs and to agents. */
import { beforeAll, expect, test } from "bun:test";
import { sandbox } from "../sandbox.ts";

const box = sandbox({ headless: true });

/** A module connects when a script of the place, a test, or code of sb calls it. */
const TRAP = `
return function(count: number)
	for _ = 1, count do
		Instance.new("Part").Touched:Connect(function() end)
	end
end`;
const SERVER = `
require(game.ReplicatedStorage.Trap)(12)
local part, sound = Instance.new("Part"), Instance.new("Sound")
part.Touched:Once(print)
part.Touched:ConnectParallel(print)
task.spawn(sound.Ended.Connect, sound.Ended, print)
task.spawn(function() sound.Ended:Wait() end)
part.Changed:Connect(print)
workspace:SetAttribute("Ready", true)`;
const SPEC = `
local Trap = require(game.ReplicatedStorage.Trap)
return function()
	describe("a trap", function()
		it("waits", function() Trap(2) end)
		it("waits again", function() Trap(1) end)
	end)
end`;
const AWAIT_READY = `if not workspace:GetAttribute("Ready") then workspace:GetAttributeChangedSignal("Ready"):Wait() end`;
const LINE = "never fires here: BasePart.Touched ×14 — --walk, sb input collide; Sound.Ended ×2\n";

beforeAll(async () => {
  const tree = {
    $className: "DataModel",
    ServerScriptService: { Server: { $path: "server.server.luau" } },
    ReplicatedStorage: { $path: "shared" },
  };
  await box.writeAsync("default.project.json", JSON.stringify({ name: "Project", tree }));
  await box.writeAsync("server.server.luau", SERVER);
  await box.writeAsync("shared/Trap.luau", TRAP);
  await box.writeAsync("shared/Trap.spec.luau", SPEC);
  await box.writeAsync("own.luau", `${AWAIT_READY} Instance.new("Part").Touched:Connect(print) return 5`);
}, 120_000);

const onServer = ["--headless", "--place", ".", "--context", "server"];

test("run tells it in a line on stderr and in its JSON; connections of its own script do not count", async () => {
  const shown = await box.sbAsync(["run", ...onServer, "own.luau"]);
  expect(shown).toMatchObject({ exitCode: 0, stdout: "5\n", stderr: LINE });
  const { stdout } = await box.sbAsync(["run", ...onServer, "own.luau", "--json"]);
  expect(JSON.parse(stdout)).toMatchObject({
    neverFires: [
      { event: "BasePart.Touched", connections: 14, cure: "--walk, sb input collide" },
      { event: "Sound.Ended", connections: 2 },
    ],
  });
});

test("--quiet leaves it out, and so does a run without such connections", async () => {
  expect(await box.sbAsync(["run", "--quiet", ...onServer, "own.luau"])).toMatchObject({ stderr: "" });
  expect(
    await box.sbAsync(["exec", "--headless", "Instance.new('Part').Touched:Connect(print)"]),
  ).toMatchObject({
    exitCode: 0,
    stderr: "",
  });
  const { stdout } = await box.sbAsync(["exec", "--headless", "--json", "return 1"]);
  expect(JSON.parse(stdout)).not.toHaveProperty("neverFires");
});

test("it is no line of the log", async () => {
  const lines = `${AWAIT_READY} for _, line in game:GetService("LogService"):GetLogHistory() do
    assert(not string.find(line.message, "never"), line.message) end`;
  expect(await box.sbAsync(["exec", ...onServer, lines])).toMatchObject({ exitCode: 0, stderr: LINE });
});

test("test tells what the modules of the place connect to, over all files, people and programs alike", async () => {
  const shown = await box.sbAsync(["test"]);
  expect(shown).toMatchObject({
    exitCode: 0,
    stderr: "never fires here: BasePart.Touched ×3 — --walk, sb input collide\n",
  });
  const { stdout } = await box.sbAsync(["test", "--json"]);
  const events = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(events.filter(({ type }) => type === "caveats")).toEqual([
    {
      type: "caveats",
      neverFires: [{ event: "BasePart.Touched", connections: 3, cure: "--walk, sb input collide" }],
    },
  ]);
  expect(await box.sbAsync(["test", "--quiet"])).toMatchObject({ exitCode: 0, stderr: "" });
});

test("in a Studio that stays, each command tells its own, and the end of a play test tells that of the test", async () => {
  const set = `local module = Instance.new("ModuleScript", game.ReplicatedStorage)
module.Name, module.Source = "Trap", [==[${TRAP}]==]
local script = Instance.new("Script", game.ServerScriptService) script.Source = [==[${SERVER}]==]`;
  expect(await box.sbAsync(["exec", set])).toMatchObject({ exitCode: 0, stderr: "" });
  const trap = "require(game.ReplicatedStorage.Trap)(2)";
  const two = "never fires here: BasePart.Touched ×2 — --walk, sb input collide\n";
  for (let round = 1; round <= 2; round += 1)
    expect(await box.sbAsync(["exec", "--no-fresh", trap])).toMatchObject({ exitCode: 0, stderr: two });
  for (let round = 1; round <= 2; round += 1) {
    await box.sbAsync(["play", "start"]);
    expect((await box.sbAsync(["exec", AWAIT_READY])).stderr).toContain("in the server of the running test");
    expect(await box.sbAsync(["exec", "-q", "print(1)"])).toMatchObject({ stdout: "1\n", stderr: "" });
    const { stdout } = await box.sbAsync(["play", "stop", "--json"]);
    expect(JSON.parse(stdout).neverFires).toEqual([
      { event: "BasePart.Touched", connections: 14, cure: "--walk, sb input collide" },
      { event: "Sound.Ended", connections: 2 },
    ]);
  }
}, 120_000);
