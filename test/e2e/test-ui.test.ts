/** `sb.ui` in test files: input and looking, in clients, servers and the edited place. Through the compiled binary. */
import { expect, test } from "bun:test";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
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
		expect(sb.ui.look("Menu")).to.equal(sb.ui.look(gui))
		expect(string.find(sb.ui.look("Menu"), 'TextBox "Ada"', 1, true)).to.be.ok()
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

const SCREEN = "local size = workspace.CurrentCamera.ViewportSize expect(size.X * 1e4 + size.Y)";
const USUAL = 1280e4 + 720;

test.each(["", "--@sb context=client\n", "--@sb context=server\n"])(
  "a file takes another viewport, and the next one has its own again (%j)",
  async (head) => {
    const isServer = head.includes("server");
    const seen = isServer ? "expect(1)" : SCREEN;
    const [small, usual] = isServer ? [1, 1] : [844e4 + 390, USUAL];
    await box.writeAsync(
      "views/a.spec.luau",
      `${head}return function()
	it("is small", function()
		sb.ui.viewport(844, 390, { 59, 0, 59, 21 })
		${seen}.to.equal(${small})
		expect(sb.ui.matchPicture("small", { gui = true }).same).to.equal(true)
	end)
	it("stays so for the next case, and can be as before", function()
		${seen}.to.equal(${small})
		sb.ui.viewport()
		${seen}.to.equal(${usual})
		sb.ui.viewport(320, 480)
		expect(pcall(sb.ui.viewport, 0, 5)).to.equal(false)
		expect(pcall(sb.ui.viewport, 5, 5, { 1 })).to.equal(false)
	end)
end`,
    );
    await box.writeAsync(
      "views/b.spec.luau",
      `${head}return function() it("is usual", function() ${seen}.to.equal(${usual}) sb.ui.matchPicture("usual", { gui = true }) end) end`,
    );
    for (const isolation of ["file", "none"]) {
      const words = ["test", "views", "--workers", "1", "--isolate", isolation, "-u"];
      const { stdout, stderr, exitCode } = await box.localSbAsync(words);
      expect({ exitCode, text: stdout + stderr }).toMatchObject({ exitCode: 0 });
    }
    const names = await Promise.all(
      ["a", "b"].map((name) => readdir(join(box.folder, `views/__pictures__/${name}.spec`))),
    );
    expect(names).toEqual([["small-844x390@1.png"], ["usual-1280x720@1.png"]]);
  },
  60_000,
);

test("a file that ends with a key down, a moved object and another viewport leaves nothing for the next one", async () => {
  const leaves = `sb.ui.press(nil, { key = "W" })
		sb.ui.move(Vector2.new(33, 44))
		gui.Parent.Moved.Position = UDim2.fromOffset(70, 80)
		sb.ui.viewport(500, 400)
		expect(input:IsKeyDown(Enum.KeyCode.W)).to.equal(true)`;
  const file = `--@sb context=client
return function()
	it("begins as the play test did", function()
		local input, camera = game:GetService("UserInputService"), workspace.CurrentCamera
		local gui = game.Players.LocalPlayer.PlayerGui:WaitForChild("Kept").Moved
		expect(input:IsKeyDown(Enum.KeyCode.W)).to.equal(false)
		expect(input:GetMouseLocation() == Vector2.new(33, 44 + 58)).to.equal(false)
		expect(camera.ViewportSize.X).to.equal(1280)
		expect(gui.AbsolutePosition.X).to.equal(0)
		${leaves}
	end)
end`;
  for (const name of ["a", "b", "c"]) await box.writeAsync(`left/${name}.spec.luau`, file);
  await box.writeAsync(
    "left/place.project.json",
    JSON.stringify({
      name: "Left",
      tree: {
        $className: "DataModel",
        StarterGui: { Kept: { $className: "ScreenGui", Moved: { $className: "Frame" } } },
      },
    }),
  );
  const words = ["test", "left", "--place", "left/place.project.json", "--workers", "1"];
  const { stdout, stderr, exitCode } = await box.localSbAsync(words);
  expect({ exitCode, text: stdout + stderr }).toMatchObject({ exitCode: 0 });
}, 60_000);
