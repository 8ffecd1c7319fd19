/** `sb test` in the server and the clients of play tests, through the compiled binary. */
import { beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { type TestEvent, testEventSchema } from "../../src/testing/events.ts";
import { sandbox } from "../sandbox.ts";

const box = sandbox();
const PROJECT = {
  name: "Contexts",
  tree: {
    $className: "DataModel",
    ReplicatedStorage: { Tests: { $path: "src" } },
    ServerScriptService: { Echo: { $path: "server/Echo.server.luau" } },
  },
};
const ECHO = `local remote = Instance.new("RemoteFunction")
remote.Name = "Echo"
remote.Parent = game.ReplicatedStorage
local count = 0
remote.OnServerInvoke = function(player)
	count += 1
	return \`{player.Name} {count}\`
end
`;
/** Files that leave something in the server and in their client, which no other file may see. */
const IN_CLIENT = `--@sb context=client players=2
return function()
	it("talks to a server that nothing else has asked", function()
		local name = game.Players.LocalPlayer.Name
		local echo = game.ReplicatedStorage:WaitForChild("Echo")
		expect(echo:InvokeServer()).to.equal(\`{name} 1\`)
		expect(_G.seen).never.to.be.ok()
		_G.seen = true
		print("I am", name)
	end)
	it("never yields", function()
		while true do end
	end)
	it("still runs", function()
		expect(#game.Players:GetPlayers()).to.equal(2)
	end)
end
`;
const ENDS_TEST = `--@sb context=server players=2
return function()
	it("ends the play test", function()
		game:GetService("StudioTestService"):EndTest({})
		task.wait(1)
	end)
	it("runs in a new one", function()
		expect(#game.Players:GetPlayers()).to.equal(2)
		expect(game:GetService("RunService"):IsServer()).to.equal(true)
	end)
end
`;
const LOSES_PLAYER = `--@sb context=server players=2
return function()
	it("removes a player", function()
		game.Players:FindFirstChild("Player2"):Kick()
		while #game.Players:GetPlayers() > 1 do task.wait() end
	end)
end
`;

beforeAll(async () => {
  await box.writeAsync("default.project.json", JSON.stringify(PROJECT));
  await box.writeAsync("server/Echo.server.luau", ECHO);
  await box.writeAsync("src/client-1.spec.luau", IN_CLIENT);
  await box.writeAsync("src/client-2.spec.luau", IN_CLIENT);
  await box.writeAsync("src/ends.spec.luau", ENDS_TEST);
  // This file runs before the other file of the server, which then finds both players again.
  await box.writeAsync("src/a-loses.spec.luau", LOSES_PLAYER);
  await box.writeAsync(
    "src/edit.spec.luau",
    'return { edit = function() assert(game:GetService("RunService"):IsEdit()) end }',
  );
  await box.writeAsync("src/wrong.spec.luau", "--@sb contxt=server\nreturn { never = function() end }");
  // This file is not in the place, so that it runs from its text although clients have no loadstring.
  await box.writeAsync(
    "loose/loose.spec.luau",
    "--@sb context=client players=2\nreturn function()\n\tit('is loose', function()\n\t\terror('here')\n\tend)\nend",
  );
}, 120_000);

const eventsAsync = async (...words: string[]): Promise<readonly TestEvent[]> => {
  const { stdout } = await box.localSbAsync(["test", "--workers", "1", "--reporter", "json", ...words]);
  return stdout
    .trim()
    .split("\n")
    .map((line) => parsed(line));
};

function parsed(line: string): TestEvent {
  const event = testEventSchema.read(JSON.parse(line))?.value;
  if (event === undefined) throw new Error(`no event: ${line}`);
  return event;
}

/** `FILE CONTEXT CASE STATUS` for each case that ended. */
const endsIn = (events: readonly TestEvent[]): readonly string[] =>
  events.flatMap((event) =>
    event.type === "case-end"
      ? [
          `${event.file.replace(/^.*\/|\.spec\.luau$/g, "")} ${event.context ?? "-"} ${event.id} ${event.status}`,
        ]
      : [],
  );

test("each file runs in the context that it names, in a fresh play test, in every client", async () => {
  const events = await eventsAsync("--timeout", "300ms");
  const ofClients = ["client-1", "client-2"].flatMap((file) =>
    ["client 1", "client 2"].flatMap((client) => [
      `${file} ${client} talks to a server that nothing else has asked passed`,
      `${file} ${client} never yields failed`,
      `${file} ${client} still runs passed`,
    ]),
  );
  expect(endsIn(events).toSorted()).toEqual(
    [
      ...ofClients,
      "edit - edit passed",
      "ends server ends the play test failed",
      "ends server runs in a new one passed",
      "loose client 1 is loose failed",
      "loose client 2 is loose failed",
      "a-loses server removes a player passed",
      "wrong - (file) failed",
    ].toSorted(),
  );
  const printed = events.flatMap((event) =>
    event.type === "output" && event.text.startsWith("I am") ? [event] : [],
  );
  expect(printed.map(({ context, text }) => `${context}: ${text}`).toSorted()).toEqual([
    "client 1: I am Player1",
    "client 1: I am Player1",
    "client 2: I am Player2",
    "client 2: I am Player2",
  ]);
  const failures = events.flatMap((event) => (event.type === "case-end" ? (event.failure ?? []) : []));
  expect(failures.map(({ message }) => message)).toContain(
    "The line --@sb of this file is not understood: contxt=server: did you mean context=…?",
  );
  // In a client, the harness has no chunk name of its own. Stacks must not show it nevertheless.
  const loose = failures.find(({ message }) => message === "here");
  expect(loose?.frames).toEqual([{ path: "loose/loose.spec.luau", line: 4 }]);
}, 120_000);

test("flags choose the context of files that name none; the screen, JUnit and --list show it", async () => {
  await box.writeAsync(
    "flags/default.project.json",
    JSON.stringify({ ...PROJECT, tree: { $className: "DataModel" } }),
  );
  await box.writeAsync("flags/who.spec.luau", "return { who = function() error('no one') end }");
  const inFlags = (...words: string[]) => box.localSbAsync(["test", ...words], {}, join(box.folder, "flags"));
  const list = await inFlags("--list", "--context", "server", "--players", "2");
  expect(list.stdout).toContain("who.spec.luau  functions  not in the place  server, 2 players");
  const run = await inFlags("--context", "client", "--players", "2", "--reporter", "junit=junit.xml");
  expect(run.stdout).toMatch(/✗ who\.spec\.luau {2}1 failed, 0 passed .* headless\/client 2/);
  expect(run.stdout).toContain("─ 1/1 ─ [client 2] who");
  expect(run.stdout).toContain("Files  1 failed, 0 passed      Cases  2 failed, 0 passed");
  expect(await Bun.file(join(box.folder, "flags/junit.xml")).text()).toContain(
    'classname="who.spec.luau [client 2]"',
  );
  const wrong = await inFlags("--players", "2");
  expect(wrong.exitCode).toBe(2);
  expect(wrong.stderr).toContain("Only a play test has players.");
  const cloud = await inFlags("--on", "cloud:1/2", "--context", "client");
  expect(cloud.exitCode).toBe(2);
  expect(cloud.stderr).toContain("Luau Execution has no clients.");
}, 120_000);
