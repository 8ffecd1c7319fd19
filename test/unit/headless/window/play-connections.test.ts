/** PluginConnectionService: the copies of the plugin in the DataModels of a test speak with each other. */
import { expect, test } from "bun:test";
import { END, runPlayAsync } from "./play-window.ts";

test("the copies of the plugin are connected in a star, with texts and buffers", async () => {
  const lines = await runPlayAsync(
    `
    Service.Connected:Connect(function(connection)
      connection:BindToMessage(function(message)
        print(connection.Type.Name, if type(message) == "buffer" then buffer.tostring(message) else message)
        if type(message) == "buffer" then table.insert(Greeted, connection) end
        if type(message) == "buffer" and #Greeted == 2 then
          for _, each in Greeted do each:SendMessage("bye") end
        end
        if message == "bye" then Server:SendMessage("end") end
      end)
      Server = Server or connection
      connection:GetPropertyChangedSignal("Connected"):Connect(function() print("gone", connection.Connected) end)
    end)
    Tests:ExecutePlayModeAsync({})
    task.wait()
    print(#Service:GetPluginConnectionsOfType(Enum.PluginConnectionTargetType.Test))
  `,
    `
    local Service = game:GetService("PluginConnectionService")
    local Run = game:GetService("RunService")
    local Server
    local Greeted = {}
    if not Run:IsEdit() then
      task.spawn(function()
        local edit = Service:GetPluginConnectionsOfType(Enum.PluginConnectionTargetType.Edit)[1] or Service.Connected:Wait()
        edit:SendMessage(if Run:IsServer() then "server" else "client")
        edit:SendMessage(buffer.fromstring("bytes"))
        task.wait(0.05)
        edit:BindToMessage(function(message)
          print(message)
          if message == "end" then ${END} elseif Run:IsClient() then edit:SendMessage("bye") end
        end)
      end)
    end
  `.replaceAll("\n", " "),
  );
  expect(lines).toEqual([
    "Test server",
    "Test bytes",
    "Test client",
    "Test bytes",
    "[server] bye",
    "[client] bye",
    "Test bye",
    "[server] end",
    "gone false",
    "gone false",
    "0",
  ]);
});
