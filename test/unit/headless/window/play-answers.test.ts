/** Answers that a test has without Roblox: about its own players, and what a client shows to its player alone. */
import { expect, test } from "bun:test";
import { END, linesOf, playAsync } from "./play-window.ts";

const DONE = `game.ReplicatedStorage:WaitForChild("Done"):FireServer()`;
const UNTIL_DONE = `Instance.new("RemoteEvent", game.ReplicatedStorage).Name = "Done"
  game.ReplicatedStorage.Done.OnServerEvent:Once(function() ${END} end)`;

test("a test player is known by id and name, and asking for an account is refused", async () => {
  const lines = await playAsync(
    "",
    `local Players = game:GetService("Players")
    local player = Players:GetPlayers()[1] or Players.PlayerAdded:Wait()
    print(Players:GetNameFromUserIdAsync(player.UserId), Players:GetNameFromUserIdAsync(player.User))
    print(Players:GetUserIdFromNameAsync(player.Name) == player.UserId, player.User.Id == player.UserId, player.User.DomainType.Name)
    print(pcall(function() return Players:GetNameFromUserIdAsync(1) end))
    ${END}`,
  );
  expect(lines).toEqual([
    "[server] Player1 Player1",
    "[server] true true EXPERIENCE",
    expect.stringContaining("of an account is not available in headless Studio"),
  ]);
});

test("a system message reaches the callbacks and events of its client only", async () => {
  const lines = await playAsync(
    "",
    `${UNTIL_DONE}
    print(pcall(function() Instance.new("TextChannel"):DisplaySystemMessage("no") end))`,
    `local service = game:GetService("TextChatService")
    local channel = service:WaitForChild("TextChannels"):WaitForChild("RBXGeneral")
    service.OnIncomingMessage = function(message)
      local properties = Instance.new("TextChatMessageProperties")
      properties.PrefixText = "[" .. message.Metadata .. "]"
      return properties
    end
    channel.OnIncomingMessage = function(message)
      local properties = Instance.new("TextChatMessageProperties")
      properties.Text = message.PrefixText .. " " .. message.Text
      return properties
    end
    local heard = {}
    channel.MessageReceived:Connect(function(message) table.insert(heard, message.Text) end)
    service.MessageReceived:Connect(function(message) table.insert(heard, message.TextChannel.Name) end)
    local message = channel:DisplaySystemMessage("hello", "Info")
    task.wait()
    print(message.Status.Name, message.TextSource, table.concat(heard, ", "))
    ${DONE}`,
  );
  expect(linesOf("[server]", lines)).toEqual([expect.stringContaining("[server] false")]);
  expect(linesOf("[client]", lines)).toEqual(["[client] Success nil [Info] hello, RBXGeneral"]);
});

test("the top bar has the transparency that scripts of the client give it, within its bounds", async () => {
  const lines = await playAsync(
    "",
    `${UNTIL_DONE}
    local player = game.Players:GetPlayers()[1] or game.Players.PlayerAdded:Wait()
    print(pcall(function() player.PlayerGui:SetTopbarTransparency(1) end))`,
    `local gui = game.Players.LocalPlayer:WaitForChild("PlayerGui")
    local changes = {}
    gui.TopbarTransparencyChangedSignal:Connect(function(value) table.insert(changes, value) end)
    print(gui:GetTopbarTransparency())
    gui:SetTopbarTransparency(7) gui:SetTopbarTransparency(1) task.wait()
    print(gui:GetTopbarTransparency(), table.concat(changes, " "))
    ${DONE}`,
  );
  expect(linesOf("[server]", lines)).toEqual([expect.stringContaining("LocalScript")]);
  expect(linesOf("[client]", lines)).toEqual(["[client] 0.5", "[client] 1 1"]);
});
