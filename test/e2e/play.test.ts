/** Play sessions of a headless Studio: their sessions on the bridge, and scripts in the context they ask for. */
import { expect, test } from "bun:test";
import { Sandbox, untilAsync } from "../harness.ts";
import { sandbox } from "../sandbox.ts";
import { writeGameAsync } from "./game-folder.ts";

const box = sandbox({ headless: "Game" });

const PLAY = `
  local script = Instance.new("Script")
  script.Source = "print('the game runs') workspace:SetAttribute('Ready', true)"
  script.Parent = game:GetService("ServerScriptService")
  task.spawn(function()
    workspace:SetAttribute("Result", game:GetService("StudioTestService"):ExecutePlayModeAsync({ word = "hi" }))
  end)`;

async function contextsAsync(): Promise<Record<string, string>> {
  const { stdout } = await box.sbAsync(["sessions", "--json"]);
  const { sessions }: { sessions: { context: string; state: string }[] } = JSON.parse(stdout);
  return Object.fromEntries(sessions.map(({ context, state }) => [context, state]));
}

const untilContextsAsync = (contexts: Record<string, string>) =>
  untilAsync(`the sessions are ${JSON.stringify(contexts)}`, async () =>
    Bun.deepEquals(await contextsAsync(), contexts) ? true : undefined,
  );

test("server and client sessions come with a play session and go with it, and the value comes back", async () => {
  await box.sbAsync(["exec", PLAY]);
  await untilContextsAsync({ edit: "Play", server: "Play", client: "Play" });

  const server = await box.sbAsync([
    "exec",
    "--context",
    "server",
    `return game:GetService("RunService"):IsServer(), workspace:GetAttribute("Ready"), game:GetService("StudioTestService"):GetTestArgs().word`,
  ]);
  expect(server).toEqual({ exitCode: 0, stdout: "true\ntrue\nhi\n", stderr: "" });
  const client = await box.sbAsync(["exec", "--context", "client", "print(game.Players.LocalPlayer)"]);
  expect(client).toEqual({ exitCode: 0, stdout: "Player1\n", stderr: "" });
  const edit = await box.sbAsync(["exec", "--context", "edit", "print(#game.Players:GetPlayers())"]);
  expect(edit).toEqual({ exitCode: 0, stdout: "0\n", stderr: "" });
  const logs = await box.sbAsync(["logs", "--context", "server"]);
  expect(logs.stdout).toContain("the game runs");

  const end = `game:GetService("StudioTestService"):EndTest("over")`;
  await box.sbAsync(["exec", "--context", "server", end]);
  await untilContextsAsync({ edit: "Edit" });
  const { stdout } = await box.sbAsync(["exec", `print(workspace:GetAttribute("Result"))`]);
  expect(stdout).toBe("over\n");
});

test("a loop in the server is cancelled by its time limit, and the server lives", async () => {
  await box.sbAsync(["exec", PLAY]);
  await untilContextsAsync({ edit: "Play", server: "Play", client: "Play" });
  const loop = await box.sbAsync(["exec", "--context", "server", "--timeout", "300", "while true do end"]);
  expect(loop.stderr).toContain("timed out");
  const next = await box.sbAsync(["exec", "--context", "server", "print('alive')"]);
  expect(next.stdout).toBe("alive\n");
  const size = await box.sbAsync(["exec", "--context", "server", "return string.rep('x', 300000)"]);
  expect(size.stdout.length).toBeGreaterThan(300_000);
  await box.sbAsync(["exec", "--context", "server", `game:GetService("StudioTestService"):EndTest({})`]);
  await untilContextsAsync({ edit: "Edit" });
});

test("run mode has a server and no client, and says so", async () => {
  await box.sbAsync([
    "exec",
    `task.spawn(function() game:GetService("StudioTestService"):ExecuteRunModeAsync({}) end)`,
  ]);
  await untilContextsAsync({ edit: "Run", server: "Run" });
  await box.sbAsync(["exec", "--context", "server", `game:GetService("StudioTestService"):EndTest({})`]);
  await untilContextsAsync({ edit: "Edit" });
});

test("a one-shot headless Studio plays the place for a script that asks for the server", async () => {
  const file = await box.writeAsync(
    "where.luau",
    `local Run = game:GetService("RunService") print(Run:IsServer(), Run:IsClient(), Run:IsRunning())`,
  );
  const server = await box.sbAsync(["run", "--headless", "--context", "server", file]);
  expect(server).toEqual({ exitCode: 0, stdout: "true false true\n", stderr: "" });
  const client = await box.sbAsync(["run", "--headless", "--context", "client", file]);
  expect(client).toEqual({ exitCode: 0, stdout: "false true true\n", stderr: "" });
});

test("the scripts of a place run around the script that asks for its server", async () => {
  await writeGameAsync(box, {
    server: `
      local remote = Instance.new("RemoteEvent", game.ReplicatedStorage)
      remote.OnServerEvent:Connect(function(player, word) workspace:SetAttribute("Heard", player.Name .. " " .. word) end)`,
    client: `game.ReplicatedStorage:WaitForChild("RemoteEvent"):FireServer("hello")`,
  });
  await box.writeAsync(
    "look.luau",
    `if not workspace:GetAttribute("Heard") then workspace:GetAttributeChangedSignal("Heard"):Wait() end
    print(workspace:GetAttribute("Heard"))`,
  );
  const look = ["run", "--headless", "--place", "default.project.json", "--context", "server", "look.luau"];
  expect(await box.sbAsync(look)).toEqual({ exitCode: 0, stdout: "Player1 hello\n", stderr: "" });
});

test("a headless Studio that is told to end leaves no session behind", async () => {
  await using other = await Sandbox.createAsync();
  const studio = other.spawn(["headless"]);
  await untilAsync("it is connected", async () =>
    (await other.sessionsAsync()).length > 0 ? true : undefined,
  );
  studio.kill("SIGINT");
  await studio.exited;
  expect(await other.sessionsAsync()).toEqual([]);
});

test("a headless Studio whose script used up the memory starts again, and the next command gets a fresh session", async () => {
  await using other = await Sandbox.createAsync();
  await other.headlessAsync("Fresh");
  await other.sbAsync(["exec", "workspace:SetAttribute('Old', true)"]);
  const [before] = await other.sessionsAsync();
  const hog = "local s = string.rep('x', 2e8) local t = { s .. 1, s .. 2, s .. 3 }";
  expect((await other.sbAsync(["exec", hog])).exitCode).toBe(1);
  await untilAsync("another session is there", async () => {
    const sessions = await other.sessionsAsync();
    return sessions.length === 1 && sessions[0]?.sessionId !== before?.sessionId ? true : undefined;
  });
  const { stdout } = await other.sbAsync(["exec", "print(workspace:GetAttribute('Old'), game.Name)"]);
  expect(stdout).toBe("nil Fresh\n");
});
