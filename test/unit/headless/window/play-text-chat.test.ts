/** Text chat in a test: the default channels and commands are there, with the players in them. */
import { expect, test } from "bun:test";
import { END, linesOf, playAsync } from "./play-window.ts";

const CLIENT = `
  local service = game:GetService("TextChatService")
  local channels = service:WaitForChild("TextChannels", 5)
  local general = channels and channels:WaitForChild("RBXGeneral", 5)
  local source = general and general:WaitForChild(game.Players.LocalPlayer.Name, 5)
  print(source and source.UserId == game.Players.LocalPlayer.UserId)
  print(service.TextChatCommands.RBXWhisperCommand.PrimaryAlias)
  local names = {}
  for _, channel in channels:GetChildren() do table.insert(names, channel.Name) end
  table.sort(names)
  print(table.concat(names, " "))
  print(pcall(function() general:SendAsync("hi") end))
  game.ReplicatedStorage.RemoteEvent:FireServer()`;

test("has the default channels and commands, which clients find", async () => {
  const lines = await playAsync(
    `Instance.new("RemoteEvent", game.ReplicatedStorage)
    local team = Instance.new("Team", game:GetService("Teams")) team.TeamColor = BrickColor.new("Crimson")`,
    `game.ReplicatedStorage.RemoteEvent.OnServerEvent:Once(function() ${END} end)`,
    CLIENT,
  );
  expect(linesOf("[client]", lines)).toEqual([
    "[client] true",
    "[client] /whisper",
    "[client] RBXGeneral RBXSystem RBXTeamCrimson",
    expect.stringContaining("TextChannel:SendAsync() is not available in headless Studio"),
  ]);
});

test("has none where the place switches them off", async () => {
  const lines = await playAsync(
    `game:GetService("TextChatService").CreateDefaultTextChannels = false
    game:GetService("TextChatService").CreateDefaultCommands = false`,
    `print(#game:GetService("TextChatService"):GetChildren()) ${END}`,
  );
  expect(lines).toEqual(["[server] 4"]);
});
