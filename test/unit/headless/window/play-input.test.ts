/** Input in a client of a test, and what the server and the command hear of it. */
import { expect, test } from "bun:test";
import { END, linesOf, runPlayAsync, sides } from "./play-window.ts";

/** Runs in the plugin of the client, when its character is there. */
const inClient = (body: string): string => `
  local player = game:GetService("Players").LocalPlayer
  if player then
    local UserInputService = game:GetService("UserInputService")
    task.spawn(function()
      local character = player.Character or player.CharacterAdded:Wait()
      local root = character:WaitForChild("HumanoidRootPart")
      local input = UserInputService:CreateVirtualInput()
      local LEFT = Enum.UserInputType.MouseButton1
      local middle = workspace.CurrentCamera.ViewportSize / 2
      local function click()
        input:SendMouseButton(middle, LEFT, true)
        input:SendMouseButton(middle, LEFT, false)
      end
      ${body}
    end)
  end`;

/** A part in front of a camera that looks at it. */
const PART = `
  local part = Instance.new("Part") part.Name = "Target" part.Anchored = true part.Size = Vector3.one * 4
  part.CFrame = CFrame.new(0, 10, -10) part.Parent = workspace`;
const LOOK = `
  local part = workspace:WaitForChild("Target")
  workspace.CurrentCamera.CFrame = CFrame.new(0, 10, 0)`;

test("a click on a part reaches the click detector on the client and on the server, with the player", async () => {
  const heard = (side: string): string => `
    workspace:WaitForChild("Target"):WaitForChild("ClickDetector").MouseClick:Connect(function(player)
      print("clicked by", player)
      ${side === "server" ? END : ""}
    end)`;
  const lines = await runPlayAsync(
    sides(
      heard("server"),
      heard("client"),
      `${PART} Instance.new("ClickDetector", part).MaxActivationDistance = 1000 Tests:ExecutePlayModeAsync({})`,
    ),
    inClient(`${LOOK} part:WaitForChild("ClickDetector") task.wait() click()`),
  );
  expect(linesOf("[server] ", lines)).toEqual(["[server] clicked by Player1"]);
  expect(linesOf("[client] ", lines)).toEqual(["[client] clicked by Player1"]);
});

test("a click uses the tool in the hand, on the server too", async () => {
  const server = `
    game.Players.PlayerAdded:Connect(function(player)
      player.CharacterAdded:Wait()
      task.wait()
      local tool = Instance.new("Tool") tool.RequiresHandle = false
      tool.Activated:Connect(function() print("activated") end)
      tool.Deactivated:Connect(function() print("deactivated") ${END} end)
      tool.Parent = player.Character
    end)`;
  const lines = await runPlayAsync(
    sides(server, ""),
    inClient(`character:WaitForChild("Tool") task.wait() click()`),
  );
  expect(linesOf("[server] ", lines)).toEqual(["[server] activated", "[server] deactivated"]);
});

test("a proximity prompt is triggered on the client and on the server, with the player", async () => {
  const heard = (side: string): string => `
    game:GetService("ProximityPromptService").PromptTriggered:Connect(function(prompt, player)
      print("triggered", prompt, player)
      ${side === "server" ? END : ""}
    end)`;
  const prompt = `${PART} local prompt = Instance.new("ProximityPrompt", part)
    prompt.MaxActivationDistance = 1000 prompt.RequiresLineOfSight = false`;
  const lines = await runPlayAsync(
    sides(heard("server"), heard("client"), `${prompt} Tests:ExecutePlayModeAsync({})`),
    inClient(`
      workspace:WaitForChild("Target"):WaitForChild("ProximityPrompt").PromptShown:Wait()
      input:SendKey(true, Enum.KeyCode.E)`),
  );
  expect(linesOf("[server] ", lines)).toEqual(["[server] triggered ProximityPrompt Player1"]);
  expect(linesOf("[client] ", lines)).toEqual(["[client] triggered ProximityPrompt Player1"]);
});

test("scripts of the place cannot make a VirtualInput, and other DataModels have no player who could give input", async () => {
  const body = `print((select(2, pcall(function() game:GetService("UserInputService"):CreateVirtualInput() end))))`;
  const lines = await runPlayAsync(
    sides("task.wait(0.1) " + END, body),
    `if game:GetService("Players").LocalPlayer == nil then ${body} end`,
  );
  expect(linesOf("[client] ", lines)).toEqual([
    "[client] The current thread cannot call 'CreateVirtualInput' (lacking capability Plugin)",
  ]);
  expect(linesOf("Players give input", lines)).toHaveLength(1);
  expect(linesOf("[server] Players give input", lines)).toHaveLength(1);
});
