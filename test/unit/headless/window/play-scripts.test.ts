/** What belongs to a script of the place stops with it: its threads and connections, however they came to be. */
import { expect, test } from "bun:test";
import { END, placeOfAsync, runPlayAsync } from "./play-window.ts";

/** A server script that has started everything that can go on: each way counts up an attribute of Workspace. */
const BUSY = `
  local function count(name) workspace:SetAttribute(name, (workspace:GetAttribute(name) or 0) + 1) end
  local function loop(name) while true do count(name) task.wait() end end
  local bindable = workspace:WaitForChild("Bindable")
  bindable.Event:Connect(function() count("connection") end)
  bindable.Event:Connect(function() task.wait() count("handler") end)
  bindable.Event:Once(function() count("once") end)
  task.spawn(loop, "spawned")
  task.defer(loop, "deferred")
  task.delay(0, loop, "delayed")
  coroutine.wrap(loop)("wrapped")
  task.spawn(coroutine.create(loop), "created")
  task.spawn(function() bindable.Event:Wait() bindable.Event:Wait() count("waited") end)
  task.spawn(function() workspace:WaitForChild("Late") count("found") end)
  require(game.ReplicatedStorage.Module).go(count)
  loop("main")`.replaceAll("\n", " ");

/** Runs a server script around BUSY, which is `busy`; `print` what was counted before and after \`stop\`. */
async function runBusyAsync(stop: string): Promise<readonly string[]> {
  return runPlayAsync(`
    Instance.new("BindableEvent", workspace).Name = "Bindable"
    add("ModuleScript", "task.spawn(function() while true do workspace:SetAttribute('module', true) task.wait() end end) return { go = function(count) workspace.Bindable.Event:Connect(function() count('through_module') end) end }", game.ReplicatedStorage, "Module")
    add("Script", [[${BUSY}]], workspace, "Busy")
    add("Script", [[
      local bindable, busy = workspace:WaitForChild("Bindable"), workspace:WaitForChild("Busy")
      local heard = 0
      bindable.Event:Connect(function() heard += 1 end)
      task.wait(0.1)
      bindable:Fire()
      task.wait(0.1)
      local before = workspace:GetAttributes()
      local names = {}
      for name in before do table.insert(names, name) end
      table.sort(names)
      print(table.concat(names, ", "))
      ${stop}
      before = workspace:GetAttributes()
      workspace:SetAttribute("module", false)
      bindable:Fire()
      Instance.new("Folder", workspace).Name = "Late"
      task.wait(0.1)
      for name, value in workspace:GetAttributes() do
        if before[name] ~= value then print("went on:", name, before[name], value) end
      end
      print(heard, workspace:GetAttribute("module"))
      ${END}
    ]], game:GetService("ServerScriptService"))
    Tests:ExecuteRunModeAsync({})
  `);
}

const STARTED =
  "[server] connection, created, deferred, delayed, handler, main, module, once, spawned, through_module, wrapped";

test.each([
  ["disabled", "busy.Enabled = false"],
  ["destroyed", "busy:Destroy()"],
  ["taken out of the place", "busy.Parent = nil"],
  ["moved to where it does not run", "busy.Parent = game:GetService('ServerStorage')"],
])("a script that is %s stops with all that it has started, and nothing else does", async (_, stop) => {
  expect(await runBusyAsync(stop)).toEqual([STARTED, "[server] 2 true"]);
});

test("a script that is moved within the place goes on", async () => {
  const lines = await runBusyAsync("busy.Parent = game:GetService('ServerScriptService')");
  expect(
    lines.filter((line) => line.startsWith("[server] went on:")).map((line) => line.split(" ")[3]),
  ).toEqual(expect.arrayContaining(["connection", "spawned", "wrapped", "main", "found", "waited"]));
});

test("a script that is switched on again starts afresh", async () => {
  const lines = await runPlayAsync(`
    add("Script", [[
      local runs = (workspace:GetAttribute("Runs") or 0) + 1
      workspace:SetAttribute("Runs", runs)
      while true do workspace:SetAttribute("Run" .. runs, os.clock()) task.wait() end
    ]], workspace, "Again")
    add("Script", [[
      task.wait(0.05)
      workspace.Again.Enabled = false
      workspace.Again.Enabled = true
      task.wait(0.05)
      local first, second = workspace:GetAttribute("Run1"), workspace:GetAttribute("Run2")
      task.wait(0.05)
      print(workspace:GetAttribute("Runs"), workspace:GetAttribute("Run1") == first, workspace:GetAttribute("Run2") > second)
      ${END}
    ]], game:GetService("ServerScriptService"))
    Tests:ExecuteRunModeAsync({})
  `);
  expect(lines).toEqual(["[server] 2 true true"]);
});

test("a script that destroys itself goes on until it yields", async () => {
  const lines = await runPlayAsync(`
    add("Script", [[
      task.delay(0, print, "never: delayed")
      workspace:GetPropertyChangedSignal("Name"):Connect(function() print("never: connected") end)
      script:Destroy()
      workspace.Name = "Other"
      print("still here")
      task.wait()
      print("never: waited")
    ]], workspace)
    add("Script", [[task.wait(0.1) ${END}]], game:GetService("ServerScriptService"))
    Tests:ExecuteRunModeAsync({})
  `);
  expect(lines).toEqual(["[server] still here"]);
});

test("loadstring is there for the scripts and modules of a server whose place allows it, and never on a client", async () => {
  const place = await placeOfAsync(
    `<Item class="ServerScriptService" referent="A"><Properties><bool name="LoadStringEnabled">true</bool></Properties></Item>`,
  );
  const lines = await runPlayAsync(
    `
    local Shared = game:GetService("ReplicatedStorage")
    add("ModuleScript", [[return select(2, pcall(loadstring, "return 1"))]], Shared)
    Instance.new("RemoteEvent", Shared)
    add("Script", [[
      print(loadstring("return 1")(), type(require(game.ReplicatedStorage.ModuleScript)))
      game.ReplicatedStorage.RemoteEvent.OnServerEvent:Wait()
      ${END}
    ]], game:GetService("ServerScriptService"))
    add("LocalScript", [[
      print(require(game:GetService("ReplicatedStorage"):WaitForChild("ModuleScript")))
      game.ReplicatedStorage:WaitForChild("RemoteEvent"):FireServer()
    ]], game:GetService("StarterPlayer").StarterPlayerScripts)
    Tests:ExecutePlayModeAsync({})
  `,
    "",
    place,
  );
  expect(lines).toEqual(["[server] 1 function", "[client] loadstring() is not available"]);
});

test("scripts of TestService run in Run mode only, where it says so", async () => {
  const testedAsync = (isOn: boolean, mode: "Run" | "Play") =>
    runPlayAsync(`
      local tests = game:GetService("TestService")
      tests.ExecuteWithStudioRun = ${isOn}
      add("Script", "print('tested')", tests)
      add("Script", "task.wait(0.1) ${END.replaceAll('"', "'")}", game:GetService("ServerScriptService"))
      Tests:Execute${mode}ModeAsync({})
    `);
  expect(await testedAsync(true, "Run")).toEqual(["[server] tested"]);
  expect(await testedAsync(false, "Run")).toEqual([]);
  expect(await testedAsync(true, "Play")).toEqual([]);
});

test("a script of the place may not read, write or call what needs the security of plugins; the plugin may", async () => {
  const tried = `for _, act in {
      function() workspace.StreamingEnabled = true end,
      function() game:GetService("ChangeHistoryService"):SetWaypoint("x") end,
      function() workspace.Gravity = 10 end,
      function() return workspace.LuauTypeCheckMode end,
      function() return Instance.new("SurfaceAppearance").ColorMap end,
      function() return game:GetService("RunService").RunState end,
      function() return workspace.StreamingEnabled end,
    } do
      local ok, problem = pcall(act)
      print(ok, not ok and problem or nil)
    end`;
  const lines = await runPlayAsync(`
    ${tried}
    add("Script", [[ ${tried} ${END} ]], game:GetService("ServerScriptService"))
    Tests:ExecuteRunModeAsync({})`);
  expect(lines).toEqual([
    ...Array.from({ length: 7 }, () => "true nil"),
    "[server] false The current thread cannot write 'StreamingEnabled' (lacking capability Plugin)",
    "[server] false The current thread cannot call 'SetWaypoint' (lacking capability Plugin)",
    "[server] true nil",
    "[server] false The current thread cannot read 'LuauTypeCheckMode' (lacking capability Plugin)",
    "[server] false The current thread cannot read 'ColorMap' (lacking capability Plugin)",
    "[server] false The current thread cannot read 'RunState' (lacking capability Plugin)",
    "[server] true nil",
  ]);
});
