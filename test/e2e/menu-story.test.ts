/** An agent's story: it builds a menu of 30 Instances, looks at it, presses a button in a play test, and sees the server count. */
import { expect, test } from "bun:test";
import { McpPeer } from "../peers/mcp-peer.ts";
import { sandbox } from "../sandbox.ts";

const box = sandbox({ headless: true });

const CALLS = 8;
/** Of what the agent writes and reads, without the frame of the protocol. */
const TEXT_BYTES = 8 * 1024;

/** A screen, a list, its layout, 24 buttons, a script in it, an event and a script of the server. */
const BUILD = `
local menu = Instance.new("ScreenGui", game.StarterGui) menu.Name = "Menu"
local list = Instance.new("Frame", menu) list.Name = "List" list.Size = UDim2.fromOffset(300, 640)
Instance.new("UIListLayout", list).SortOrder = Enum.SortOrder.LayoutOrder
for index = 1, 24 do
  local button = Instance.new("TextButton", list) button.Name = "Buy" .. index button.Text = "Item " .. index
  button.Size = UDim2.new(1, 0, 0, 22) button.LayoutOrder = index
end
Instance.new("RemoteEvent", game.ReplicatedStorage).Name = "Bought"
Instance.new("LocalScript", list).Source = "script.Parent.Buy7.Activated:Connect(function() game.ReplicatedStorage.Bought:FireServer() end)"
Instance.new("Script", game.ServerScriptService).Source = "local n = 0 game.ReplicatedStorage.Bought.OnServerEvent:Connect(function() n += 1 workspace:SetAttribute('Bought', n) end)"`;

test("a menu is built, looked at and used in few calls of little text", async () => {
  await using peer = new McpPeer(box);
  await peer.initializeAsync();
  const texts: string[] = [];
  let calls = 0;
  const toolAsync = async (name: string, args: { readonly [key: string]: unknown }) => {
    calls += 1;
    const { content } = await peer.toolAsync(name, args);
    const [block] = Array.isArray(content) ? content : [];
    texts.push(JSON.stringify(args), block.text);
    return JSON.parse(block.text);
  };
  expect(await toolAsync("studio_exec", { script: BUILD })).toMatchObject({ success: true });
  expect((await toolAsync("studio_ui", { action: "look" })).look).toMatch(/"Item 7" 0,132,300,22 pressable/);
  await toolAsync("studio_play", { action: "start" });
  const steps = [{ do: "click", target: "Menu.List.Buy7" }];
  expect(await toolAsync("studio_input", { steps })).toMatchObject({ ok: true });
  const until = "workspace:GetAttribute('Bought') == 1";
  expect(await toolAsync("studio_wait", { until, context: "server" })).toMatchObject({ met: true });
  await toolAsync("studio_play", { action: "stop" });
  expect(calls).toBeLessThanOrEqual(CALLS);
  expect(Buffer.byteLength(texts.join(""))).toBeLessThanOrEqual(TEXT_BYTES);
});
