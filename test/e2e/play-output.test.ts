/** What a play session prints reaches its user: marked beside a script's own output, and in the log when play is over. */
import { beforeAll, expect, test } from "bun:test";
import { Sandbox, untilAsync } from "../harness.ts";
import { sandbox } from "../sandbox.ts";
import { writeGameAsync } from "./game-folder.ts";

const box = sandbox();
beforeAll(async () => {
  await writeGameAsync(box, { server: SERVER, client: CLIENT });
}, 120_000);

const SERVER = `
print("server up")
warn("careful")
local remote = Instance.new("RemoteEvent")
remote.OnServerEvent:Connect(function(player, word)
	print(player, word)
	workspace:SetAttribute("Heard", true)
end)
remote.Parent = game.ReplicatedStorage
error("boom")`;
const CLIENT = `
print("client up")
game.ReplicatedStorage:WaitForChild("RemoteEvent"):FireServer("two\\nlines")`;

const HEARD = `
if not workspace:GetAttribute("Heard") then workspace:GetAttributeChangedSignal("Heard"):Wait() end
print("file runs") warn("file warns") return 5`;

/** In the order in which the server, and the client, print them. */
const SERVER_LINES = [
  "server up",
  "careful",
  "ServerScriptService.Server:10: boom",
  "  server.server.luau:10",
  '  10 | error("boom")',
  "     | ^^^^^^^^^^^^^",
  "Stack Begin",
  "Script 'ServerScriptService.Server', Line 10 (server.server.luau:10)",
  "Stack End",
  "Player1 two",
  "lines",
];

const linesOf = (text: string, mark: string): string[] =>
  text
    .split("\n")
    .filter((line) => line.startsWith(`${mark} `))
    .map((line) => line.slice(mark.length + 1));

const runGame = (...words: string[]) => box.sbAsync(["run", "--headless", "--place", ".", ...words]);

test("a script in the server has its own output to itself; what the place prints is on stderr with its origin", async () => {
  const file = await box.writeAsync("heard.luau", HEARD);
  const { exitCode, stdout, stderr } = await runGame("--context", "server", file);
  expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: "file runs\n5\n" });
  expect(linesOf(stderr, "[server]")).toEqual(SERVER_LINES);
  expect(linesOf(stderr, "[client 1]")).toEqual(["client up"]);
  expect(stderr.split("\n").filter((line) => !line.startsWith("["))).toEqual(["file warns", ""]);
});

test("--json has the lines of the place among the script's, with their origin", async () => {
  const file = await box.writeAsync("heard.luau", HEARD);
  const { stdout, stderr } = await runGame("--context", "server", file, "--json");
  expect(stderr).toBe("");
  const { logs }: { logs: { level: string; body: string; context?: string; player?: object }[] } =
    JSON.parse(stdout);
  expect(logs.filter(({ context }) => context === undefined)).toEqual([
    { level: "Print", body: "file runs" },
    { level: "Warning", body: "file warns" },
  ]);
  expect(logs).toContainEqual({ level: "Warning", body: "careful", context: "server" });
  expect(logs).toContainEqual({
    level: "Print",
    body: "client up",
    context: "client",
    player: { name: "Player1", index: 1 },
  });
});

test("a script that starts a test itself hears what the test prints, to its last word", async () => {
  await using own = await Sandbox.createAsync();
  const file = await own.writeAsync(
    "tests.luau",
    `
    local script = Instance.new("Script")
    script.Source = [[
      game:BindToClose(function() task.wait() print("closing") end)
      print("tests run")
      game:GetService("StudioTestService"):EndTest("2 passed")
      print("tests ended")]]
    script.Parent = game:GetService("ServerScriptService")
    print(game:GetService("StudioTestService"):ExecuteRunModeAsync({}))`,
  );
  const { exitCode, stdout, stderr } = await own.sbAsync(["run", "--headless", file]);
  expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: "2 passed\n" });
  expect(linesOf(stderr, "[server]")).toEqual(["tests run", "tests ended", "closing"]);
});

test("the log of the edit session keeps what a play session printed, with its origin, when it is over", async () => {
  await using other = await Sandbox.createAsync();
  await other.headlessAsync("Game");
  const play = `
    local function add(className, source, parent)
      local script = Instance.new(className)
      script.Source = source
      script.Parent = parent
    end
    add("Script", "print('server up') game.ReplicatedStorage.Over.OnServerEvent:Wait() game:GetService('StudioTestService'):EndTest({})", workspace)
    add("LocalScript", "warn('client up') game.ReplicatedStorage.Over:FireServer()", game:GetService("StarterPlayer").StarterPlayerScripts)
    Instance.new("RemoteEvent", game.ReplicatedStorage).Name = "Over"
    print("before")
    game:GetService("StudioTestService"):ExecutePlayModeAsync({})
    print("after")`;
  expect((await other.sbAsync(["exec", play])).stdout).toBe("before\nafter\n");
  const { stdout } = await other.sbAsync(["logs"]);
  expect(stdout).toMatch(
    /^\S+ \[Print\] {3}before\n\S+ \[Print\] {3}\[server\] server up\n\S+ \[Warning\] \[client 1\] client up\n\S+ \[Print\] {3}after\n$/,
  );
  const { entries }: { entries: { body: string; context?: string }[] } = JSON.parse(
    (await other.sbAsync(["logs", "--json"])).stdout,
  );
  expect(entries.map(({ body, context }) => [body, context])).toEqual([
    ["before", undefined],
    ["server up", "server"],
    ["client up", "client"],
    ["after", undefined],
  ]);
});

test.each([
  ["ends the test", `game:GetService("StudioTestService"):EndTest({})`, "[server] last words"],
  [
    "uses up the memory",
    `local s = string.rep("x", 2e8) local t = { s .. 1, s .. 2, s .. 3 }`,
    "[edit] The server DataModel of the test ended: out of memory",
  ],
])("a script whose play session ends because the place %s says so", async (_, act, told) => {
  await using own = await Sandbox.createAsync();
  const start = `
    local script = Instance.new("Script")
    script.Source = [[print("last words") task.wait() ${act}]]
    script.Parent = workspace
    task.wait(1000)`;
  const { exitCode, stderr } = await own.sbAsync(["exec", "--headless", "--context", "server", start]);
  expect(exitCode).toBe(1);
  expect(stderr).toContain(told);
  expect(stderr).toContain("error: The play session ended before the script did.\n");
});

test("a place that ends its test at once leaves no session behind", async () => {
  await using other = await Sandbox.createAsync();
  await other.headlessAsync("Game");
  const play = `
    local script = Instance.new("Script")
    script.Source = "game:GetService('StudioTestService'):EndTest({})"
    script.Parent = workspace
    for _ = 1, 5 do game:GetService("StudioTestService"):ExecutePlayModeAsync({}) end`;
  expect((await other.sbAsync(["exec", play])).exitCode).toBe(0);
  await untilAsync("only the edit session is left", async () =>
    (await other.sessionsAsync()).length === 1 ? true : undefined,
  );
});
