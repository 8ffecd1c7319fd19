/** `sb.ui` for a player with a touch screen and no mouse, and for one with a gamepad alone. Through the compiled binary. */
import { expect, test } from "bun:test";
import { sandbox } from "../sandbox.ts";

const box = sandbox();

const FILE = `--@sb context=client
return function()
	local gui = Instance.new("ScreenGui") gui.Name = "Menu"
	local play = Instance.new("TextButton", gui) play.Name = "Play" play.Size = UDim2.fromOffset(200, 50)
	local nick = Instance.new("TextBox", gui) nick.Name = "Nick" nick.Position = UDim2.fromOffset(0, 60) nick.Size = UDim2.fromOffset(200, 50)
	gui.Parent = game.Players.LocalPlayer.PlayerGui
	local service = game:GetService("UserInputService")
	local isPhone = service.TouchEnabled
	local hint = if isPhone then "use tap, or start" else "no mouse; start"
	for _, word in { "click", "move", "press", "scroll" } do
		it(word .. " needs a mouse", function()
			local ok, why = pcall(sb.ui[word], "Menu.Play")
			expect(ok).to.equal(false)
			expect(string.find(why, word .. ": UNSUPPORTED: This player", 1, true)).to.be.ok()
			expect(string.find(why, hint, 1, true)).to.be.ok()
			expect(service:GetLastInputType()).to.equal(Enum.UserInputType.None)
		end)
	end
	it("keys need none", function()
		expect(sb.ui.key("E").ok).to.equal(true)
	end)
	it("text is typed after a tap", function()
		local ok, why = pcall(sb.ui.text, "Menu.Nick", "Ada")
		expect(ok).to.equal(isPhone)
		expect(nick.Text == "Ada").to.equal(isPhone)
		expect(ok or string.find(why, "text: UNSUPPORTED: This player", 1, true)).to.be.ok()
	end)
	it("a detector is tapped", function()
		local part = Instance.new("Part", workspace) part.Anchored = true part.Name = "Lever"
		part.Position = game.Players.LocalPlayer.Character:GetPivot().Position + Vector3.new(0, 0, -8)
		local detector = Instance.new("ClickDetector", part)
		workspace.CurrentCamera.CFrame = CFrame.new(part.Position + Vector3.new(0, 5, 5), part.Position)
		local clicks = 0
		detector.MouseClick:Connect(function() clicks += 1 end)
		expect(pcall(sb.ui.detector, detector)).to.equal(isPhone)
		expect(clicks).to.equal(if isPhone then 1 else 0)
		expect(service:GetLastInputType() == Enum.UserInputType.Touch).to.equal(isPhone)
	end)
end
`;

test.each(["phone", "gamepad"])("a player with a %s has no mouse", async (device) => {
  await box.writeAsync("device.spec.luau", FILE);
  const { stdout, exitCode } = await box.sbAsync(["test", "device.spec.luau", "--device", device]);
  expect({ stdout, exitCode }).toEqual({ stdout: expect.stringContaining("7 passed"), exitCode: 0 });
});
