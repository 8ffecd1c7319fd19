/** `sb.ui` in test files: input and looking, in clients, servers and the edited place. Through the compiled binary. */
import { expect, test } from "bun:test";
import { sandbox } from "../sandbox.ts";

const box = sandbox();

const MENU = `local player = game.Players.LocalPlayer or game.Players:GetPlayers()[1]
	local gui = Instance.new("ScreenGui") gui.Name = "Menu"
	local play = Instance.new("TextButton", gui) play.Name = "Play" play.Text = "Play" play.Size = UDim2.fromOffset(200, 50)
	local nick = Instance.new("TextBox", gui) nick.Name = "Nick" nick.Position = UDim2.fromOffset(0, 100) nick.Size = UDim2.fromOffset(200, 50)
	play.Activated:Connect(function() play.Text = "Playing" end)
	gui.Parent = player:WaitForChild("PlayerGui")`;

const CLIENT = `--@sb context=client walk=true
return function()
	${MENU}
	it("presses, types and looks", function()
		local row = sb.ui.click("Menu.Play")
		expect(row.ok).to.equal(true)
		sb.ui.expect("Menu.Play", { text = "Playing" })
		sb.ui.text(nick, "Ada")
		sb.ui.key("Return")
		sb.ui.expect(nick, { text = "Ada", visible = true })
		expect(string.find(sb.ui.look(), 'TextButton "Playing" 0,0,200,50 pressable', 1, true)).to.be.ok()
		local rows = sb.ui.steps({ { ["do"] = "move", at = { 20, 20 } }, { ["do"] = "wait", target = "Menu.Play" } })
		expect(#rows).to.equal(2)
	end)
	it("waits for what comes later, also while it holds the clock", function()
		task.delay(2, function() play.Visible = false end)
		sb.clock.hold()
		sb.ui.expect("Menu.Play", { visible = false })
		play.Visible = true
		expect(sb.ui.click("Menu.Play").ok).to.equal(true)
		local since = os.clock()
		expect(sb.ui.waitFor(function() return os.clock() - since >= 1 end)).to.equal(true)
	end)
	it("walks", function()
		local character = player.Character or player.CharacterAdded:Wait()
		local root = character:WaitForChild("HumanoidRootPart")
		local floor = Instance.new("Part", workspace)
		floor.Anchored, floor.Size, floor.Position = true, Vector3.new(100, 1, 100), root.Position - Vector3.new(0, 4, 0)
		task.wait(0.5)
		local from = root.Position
		sb.ui.walk(Vector3.new(1, 0, 0), 0.5)
		expect((root.Position - from).X > 3).to.equal(true)
	end)
end
`;
const SERVER = `--@sb context=server
return function()
	it("presses as the first player, by _G too", function()
		expect(_G.sb.ui.key("E").ok).to.equal(true)
	end)
end
`;
const FAILS = `--@sb context=client
return function()
	${MENU}
	it("is covered", function()
		local cover = Instance.new("Frame", gui) cover.Name = "Cover" cover.Size = UDim2.fromScale(1, 1) cover.Active = true cover.ZIndex = 5
		sb.ui.click("Menu.Play", { timeout = 0.2 })
	end)
	it("is not there", function() sb.ui.expect("Menu.Stop", {}, 0.2) end)
	it("is no step", function() sb.ui.click("Menu.Play", { shake = 3 }) end)
	it("never comes", function() sb.ui.waitFor(function() error("not yet", 0) end, 0.1) end)
	it("leaves an answer unread", function() sb.ui.wait("Menu.Stop", { timeout = 60 }) end)
	it("goes on after it", function() sb.ui.move(Vector2.new(5, 5)) end)
end
`;
const EDITED = `return function()
	it("has no player", function() sb.ui.click("Menu.Play") end)
	it("can look", function()
		local gui = Instance.new("ScreenGui", game.StarterGui)
		local label = Instance.new("TextLabel", gui) label.Text = "Hello" label.Size = UDim2.fromOffset(100, 20)
		sb.ui.expect(label, { text = "Hello" })
	end)
end
`;

async function testAsync(name: string, source: string) {
  await box.writeAsync(`${name}.spec.luau`, source);
  const { stdout, stderr, exitCode } = await box.localSbAsync(["test", `${name}.spec.luau`]);
  return { exitCode, text: stdout + stderr };
}

test.each([
  ["client", CLIENT],
  ["server", SERVER],
])(
  "a file in the %s gives input and looks",
  async (name, source) => {
    const { exitCode, text } = await testAsync(name, source);
    expect({ exitCode, text }).toMatchObject({ exitCode: 0 });
  },
  60_000,
);

test("a step that fails is the failure of its line, and the next case goes on", async () => {
  const { exitCode, text } = await testAsync("fails", FAILS);
  expect(exitCode).toBe(1);
  for (const part of [
    "click: COVERED: A press on",
    "Menu.Stop cannot be seen after 0.2 s",
    "shake",
    "sb.ui.waitFor: not after 0.1 s; its last error: not yet",
    "timed out after 5 s",
    "5 failed, 1 passed",
    "fails.spec.luau:11",
  ])
    expect(text).toContain(part);
}, 60_000);

test("the edited place has no player, and can be looked at", async () => {
  const { exitCode, text } = await testAsync("edited", EDITED);
  expect(exitCode).toBe(1);
  expect(text).toContain("the edited place has none");
  expect(text).toContain("--@sb context=client");
  expect(text).toContain("1 passed");
}, 60_000);
