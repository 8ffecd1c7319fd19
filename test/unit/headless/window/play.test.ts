/** Play mode: DataModels, which scripts run where, the end of a test and what comes back from it. */
import { expect, test } from "bun:test";
import { CANCEL_EDIT, END, runPlayAsync } from "./play-window.ts";

test("a server script gets the arguments and gives the value back", async () => {
  const lines = await runPlayAsync(`
    add("Script", [[
      local Tests = game:GetService("StudioTestService")
      print(script:GetFullName(), Tests:GetTestArgs().word)
      Tests:EndTest({ answer = 42, at = Vector3.new(1, 2, 3) })
    ]], game:GetService("ServerScriptService"))
    print(Tests.EditModeActive)
    task.defer(function() print(Tests.EditModeActive) end)
    local value = Tests:ExecutePlayModeAsync({ word = "hello" })
    print(value.answer, value.at, Tests.EditModeActive)
  `);
  expect(lines).toEqual(["true", "false", "[server] ServerScriptService.Script hello", "42 1, 2, 3 true"]);
});

const ROLES = `
  local Run = game:GetService("RunService")
  local function roles()
    local answers = {}
    for _, name in { "IsStudio", "IsEdit", "IsRunning", "IsServer", "IsClient", "IsRunMode" } do
      table.insert(answers, if Run[name](Run) then "T" else "F")
    end
    return table.concat(answers)
  end
`.replaceAll("\n", " ");

test("RunService tells what kind of DataModel it is, in play and in run mode", async () => {
  const lines = await runPlayAsync(
    `
    print(roles())
    local scripts = game:GetService("ServerScriptService")
    Instance.new("RemoteEvent", game.ReplicatedStorage).Name = "Over"
    add("Script", [[
      if not game:GetService("RunService"):IsRunMode() then game.ReplicatedStorage.Over.OnServerEvent:Wait() end
      ${END}
    ]], scripts)
    Tests:ExecutePlayModeAsync({})
    Tests:ExecuteRunModeAsync({})
  `,
    `${ROLES} if not Run:IsEdit() then print(roles()) end if not Run:IsServer() then game.ReplicatedStorage.Over:FireServer() end`,
  );
  expect(lines).toEqual(["TTFTTF", "[server] TFTTFF", "[client] TFTFTF", "[server] TFTTFT"]);
});

test("a server steps, and has no render steps", async () => {
  const lines = await runPlayAsync(`
    add("Script", [[
      local Run = game:GetService("RunService")
      Run:BindToRenderStep("Step", 1, print)
      local time, step = Run.Stepped:Wait()
      print(time > 0, step > 0)
      ${END}
    ]], game:GetService("ServerScriptService"))
    Tests:ExecutePlayModeAsync({})
  `);
  expect(lines).toEqual(["[server] true true"]);
});

test("scripts run in the DataModels and containers that they belong to", async () => {
  const lines = await runPlayAsync(`
    local names = { "Workspace", "ServerScriptService", "ServerStorage", "ReplicatedStorage", "ReplicatedFirst", "StarterGui", "Lighting" }
    for _, name in names do
      local service = game:GetService(name)
      add("Script", "print(script:GetFullName())", service, "Legacy")
      add("LocalScript", "print(script:GetFullName())", service, "Local")
      add("Script", "print(script:GetFullName())", service, "Server").RunContext = "Server"
      add("Script", "print(script:GetFullName())", service, "Client").RunContext = "Client"
      add("Script", "print('never')", service, "Disabled").Disabled = true
    end
    Instance.new("RemoteEvent", game.ReplicatedStorage)
    add("LocalScript", [[
      print(script:GetFullName())
      game.Players.LocalPlayer.CharacterAdded:Wait()
      task.wait()
      game.ReplicatedStorage.RemoteEvent:FireServer()
    ]], game:GetService("StarterPlayer").StarterPlayerScripts)
    add("Script", [[game.ReplicatedStorage.RemoteEvent.OnServerEvent:Wait() ${END}]], game:GetService("ServerScriptService"), "End")
    Tests:ExecutePlayModeAsync({})
  `);
  expect([...lines].sort()).toEqual([
    "[client] Players.Player1.PlayerGui.Client",
    "[client] Players.Player1.PlayerGui.Local",
    "[client] Players.Player1.PlayerScripts.LocalScript",
    "[client] ReplicatedFirst.Client",
    "[client] ReplicatedFirst.Local",
    "[client] ReplicatedStorage.Client",
    "[client] Workspace.Client",
    "[server] ReplicatedStorage.Server",
    "[server] ServerScriptService.Legacy",
    "[server] ServerScriptService.Server",
    "[server] Workspace.Legacy",
    "[server] Workspace.Server",
  ]);
});

test("a script that is disabled stops, one that is put into the place starts", async () => {
  const lines = await runPlayAsync(`
    add("Script", "while true do print('tick') script.Disabled = true task.wait() end", workspace, "Ticker")
    add("Script", [[
      local late = Instance.new("Script")
      late.Source = "print('late') ${END.replaceAll('"', "'")}"
      late.Parent = workspace
      print("put")
    ]], game:GetService("ServerScriptService"))
    Tests:ExecuteRunModeAsync({})
  `);
  expect(lines).toEqual(["[server] tick", "[server] put", "[server] late"]);
});

test("what a test changes stays in the test", async () => {
  const lines = await runPlayAsync(`
    add("Script", [[Instance.new("Part", workspace).Name = "New" game:GetService("Lighting").Name = "Dark" ${END}]], workspace)
    Tests:ExecuteRunModeAsync({})
    print(workspace:FindFirstChild("New"), game:GetService("Lighting").Name)
  `);
  expect(lines).toEqual(["nil Lighting"]);
});

test("the place arrives whole: properties, attributes, tags, references, but nothing that is not archivable", async () => {
  const lines = await runPlayAsync(`
    local part = Instance.new("Part")
    part.Size = Vector3.new(1, 2, 3)
    part.CFrame = CFrame.new(4, 5, 6)
    part.BrickColor = BrickColor.new("Really red")
    part:SetAttribute("Range", NumberRange.new(1, 2))
    part:SetAttribute("Color", ColorSequence.new(Color3.new(1, 0, 0), Color3.new(0, 1, 0)))
    part:AddTag("Tagged")
    part.Parent = workspace
    local pointer = Instance.new("ObjectValue")
    pointer.Value = part
    pointer.Parent = part
    local hidden = Instance.new("Folder")
    hidden.Name = "Hidden"
    hidden.Archivable = false
    hidden.Parent = workspace
    game:GetService("Lighting").ClockTime = 3
    add("Script", [[
      local part = workspace.Part
      print(part.Size, part.Position, part.BrickColor, part:GetAttribute("Range"), part:GetAttribute("Color"))
      print(part:HasTag("Tagged"), game:GetService("CollectionService"):GetTagged("Tagged")[1] == part, part.Value.Value == part)
      print(workspace:FindFirstChild("Hidden"), game:GetService("Lighting").ClockTime, #workspace:GetChildren(), game.Name)
      ${END}
    ]], game:GetService("ServerScriptService"))
    Tests:ExecuteRunModeAsync({})
  `);
  expect(lines).toEqual([
    "[server] 1, 2, 3 4, 5, 6 Really red 1 2  0 1 0 0 0 1 0 1 0 0 ",
    "[server] true true true",
    "[server] nil 3 3 Place1",
  ]);
});

test("a second test is refused while one runs", async () => {
  const lines = await runPlayAsync(`
    add("Script", "task.wait(0.05) ${END.replaceAll('"', "'")}", workspace)
    task.spawn(function() Tests:ExecuteRunModeAsync({}) end)
    print(select(2, pcall(Tests.ExecuteRunModeAsync, Tests, {})))
    while not Tests.EditModeActive do task.wait() end
  `);
  expect(lines[0]).toEndWith("Previous call to start play session has not been completed");
});

test("functions given to BindToClose finish before the test ends, and the plugin hears that it goes", async () => {
  const lines = await runPlayAsync(
    `
    add("Script", [[
      game:BindToClose(function() task.wait(0.02) print("closed") end)
      ${END}
    ]], workspace)
    Tests:ExecuteRunModeAsync({})
  `,
    `plugin.Unloading:Connect(function() print("unloading") end)`,
  );
  expect(lines).toEqual(["[server] unloading", "[server] closed"]);
});

test("a client has no use for BindToClose, and says so", async () => {
  const lines = await runPlayAsync(`
    add("LocalScript", [[
      print(select(2, pcall(game.BindToClose, game, function() end)))
      game.ReplicatedStorage.RemoteEvent:FireServer()
    ]], game.StarterPlayer.StarterPlayerScripts)
    Instance.new("RemoteEvent", game.ReplicatedStorage)
    add("Script", [[game.ReplicatedStorage.RemoteEvent.OnServerEvent:Wait() ${END}]], workspace)
    Tests:ExecutePlayModeAsync({})
  `);
  expect(lines).toEqual(["[client] BindToClose can only be called on the server."]);
});

test("a test whose server runs out of memory ends without a value, and the edit DataModel lives", async () => {
  const lines = await runPlayAsync(`
    add("Script", "local s = string.rep('x', 2e8) local t = { s .. 1, s .. 2, s .. 3 }", workspace)
    print(Tests:ExecuteRunModeAsync({}))
  `);
  expect(lines.slice(-2)).toEqual(["The server DataModel of the test ended: out of memory", "nil"]);
});

test("modules load once for the place's scripts and once for plugins, which have their own _G", async () => {
  const lines = await runPlayAsync(
    `
    add("ModuleScript", "print('loaded') return {}", game:GetService("ReplicatedStorage"), "Module")
    add("Script", "_G.word = 'game' require(game.ReplicatedStorage.Module) require(game.ReplicatedStorage.Module)", workspace)
    Tests:ExecuteRunModeAsync({})
  `,
    `if not game:GetService("RunService"):IsEdit() then
      task.wait(0.05) require(game.ReplicatedStorage.Module) print(_G.word) ${END} end`.replaceAll("\n", " "),
  );
  expect(lines).toEqual(["[server] loaded", "[server] loaded", "[server] nil"]);
});

test("a script that is cancelled while its test starts takes nothing of the test along", async () => {
  const busy = `print("${CANCEL_EDIT}") for _ = 1, 1e6 do end print("through")`;
  const lines = await runPlayAsync(
    `add("Script", [[task.wait() ${END}]], workspace) Tests:ExecuteRunModeAsync({})`,
    `if not game:GetService("RunService"):IsEdit() then ${busy} end`,
  );
  expect(lines).toEqual([`[server] ${CANCEL_EDIT}`, "[server] through"]);
});
