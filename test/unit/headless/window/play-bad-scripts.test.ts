/** Scripts of a place that misbehave: each is told of, and everything else goes on. */
import { expect, test } from "bun:test";
import { END, runPlayAsync } from "./play-window.ts";

/** In the plugin of every DataModel, so that what never yields is stopped soon. */
const IMPATIENT = `game:GetService("ScriptContext"):SetTimeout(0.4)`;

test("a loop that never yields is stopped in its client; the server and other scripts of the client go on", async () => {
  const lines = await runPlayAsync(
    `
    Instance.new("RemoteEvent", game.ReplicatedStorage)
    add("Script", [[game.ReplicatedStorage.RemoteEvent.OnServerEvent:Wait() print("server hears") ${END}]], workspace)
    local scripts = game:GetService("StarterPlayer").StarterPlayerScripts
    add("LocalScript", "while true do end", scripts, "Loop")
    add("LocalScript", "while true do pcall(function() while true do end end) end", scripts, "Stubborn")
    add("LocalScript", "task.wait() game.ReplicatedStorage.RemoteEvent:FireServer()", scripts, "Good")
    Tests:ExecutePlayModeAsync({})
  `,
    IMPATIENT,
  );
  const stopped = (name: string) => [
    "[client] Script timeout: exhausted allowed execution time",
    "[client] Stack Begin",
    `[client] Script 'Players.Player1.PlayerScripts.${name}', Line 1`,
    "[client] Stack End",
  ];
  expect(lines).toEqual(
    expect.arrayContaining([...stopped("Loop"), ...stopped("Stubborn"), "[server] server hears"]),
  );
});

test("a loop in the server's frames does not keep a test from ending", async () => {
  const lines = await runPlayAsync(
    `
    add("Script", [[game:GetService("RunService").Heartbeat:Connect(function() while true do end end)]], workspace)
    add("Script", [[task.wait(0.3) print("goes on") ${END}]], workspace)
    Tests:ExecuteRunModeAsync({})
  `,
    IMPATIENT,
  );
  expect(lines).toContain("[server] goes on");
  expect(lines).toContain("[server] Script timeout: exhausted allowed execution time");
});

test("errors of any kind are told of, with a stack", async () => {
  const bad = {
    Nil: "error()",
    Custom: "error(setmetatable({}, { __tostring = function() return 'custom' end }))",
    Evil: "error(setmetatable({}, { __tostring = function() error('again') end }))",
    Syntax: "local x = = 3",
  };
  const lines = await runPlayAsync(`
    ${Object.entries(bad)
      .map(([name, source]) => `add("Script", [[${source}]], workspace, "${name}")`)
      .join("\n")}
    add("Script", [[task.wait() ${END}]], workspace)
    Tests:ExecuteRunModeAsync({})
  `);
  const raised = (message: string, name: string) => [
    `[server] ${message}`,
    "[server] Stack Begin",
    `[server] Script 'Workspace.${name}', Line 1`,
    "[server] Stack End",
  ];
  expect(lines).toEqual([
    ...raised("Error occurred, no output from Luau.", "Nil"),
    ...raised("custom", "Custom"),
    ...raised("Error occurred, no output from Luau.", "Evil"),
    "[server] Workspace.Syntax:1: Expected identifier when parsing expression, got '='",
  ]);
});

test("the stack of an endless recursion is shortened in its middle", async () => {
  const lines = await runPlayAsync(`
    add("Script", "local function again() return again() + 1 end again()", workspace)
    add("Script", [[task.wait() ${END}]], workspace)
    Tests:ExecuteRunModeAsync({})
  `);
  const frame = "[server] Script 'Workspace.Script', Line 1 - function again";
  expect(lines.slice(0, 12)).toEqual([
    "[server] Workspace.Script:1: stack overflow",
    "[server] Stack Begin",
    ...Array.from({ length: 10 }, () => frame),
  ]);
  expect(lines[12]).toMatch(/^\[server\] \.\.\. \(\+\d+ frames\)$/);
  expect(lines.slice(13)).toEqual([
    ...Array.from({ length: 9 }, () => frame),
    "[server] Script 'Workspace.Script', Line 1",
    "[server] Stack End",
  ]);
});

test("events that cause each other without end are cut, and the log says so", async () => {
  const lines = await runPlayAsync(
    `
    add("Script", [[
      local value = Instance.new("IntValue")
      value.Changed:Connect(function(new) value.Value = new + 1 end)
      value.Value = 1
      task.wait()
      task.wait()
      print(value.Value)
      ${END}
    ]], workspace)
    Tests:ExecuteRunModeAsync({})
  `,
    `if not game:GetService("RunService"):IsEdit() then
      task.spawn(function() print("heard: " .. game:GetService("LogService").MessageOut:Wait()) end) end`.replaceAll(
      "\n",
      " ",
    ),
  );
  const cut = "Maximum event re-entrancy depth exceeded for IntValue.Changed";
  expect(lines).toEqual([`[server] ${cut}`, `[server] heard: ${cut}`, "[server] 11"]);
});

test("a hundred thousand threads, and scripts that destroy each other, are no trouble", async () => {
  const lines = await runPlayAsync(`
    add("Script", [[for _ = 1, 1e5 do task.spawn(task.wait, 1000) end print("spawned")]], workspace, "Many")
    add("Script", [[print = nil game = nil task = nil _G.broken = true]], workspace, "Globals")
    add("Script", [[
      for _, other in workspace:GetChildren() do if other:IsA("Script") and other ~= script then other:Destroy() end end
      task.wait()
      print(#workspace:GetChildren(), game.Name, _G.broken)
      ${END}
    ]], workspace, "Destroyer")
    add("Script", "print('never')", workspace, "Late")
    Tests:ExecuteRunModeAsync({})
  `);
  expect(lines).toEqual(["[server] spawned", "[server] 3 Place1 true"]);
});
