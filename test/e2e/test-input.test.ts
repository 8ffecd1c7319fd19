/** `sb test` and input: what one file leaves pressed or focused, no other file finds. Through the compiled binary. */
import { expect, test } from "bun:test";
import { sandbox } from "../sandbox.ts";

const box = sandbox();

const LEAVES = `return function()
	it("leaves a key and a button down, and a text box with the focus", function()
		local service = game:GetService("UserInputService")
		local input = service:CreateVirtualInput()
		input:SendKey(true, Enum.KeyCode.W)
		input:SendMouseButton(Vector2.new(300, 300), Enum.UserInputType.MouseButton1, true)
		local gui = Instance.new("ScreenGui")
		local box = Instance.new("TextBox", gui)
		gui.Parent = game.Players.LocalPlayer.PlayerGui
		box:CaptureFocus()
		expect(service:IsKeyDown(Enum.KeyCode.W)).to.equal(true)
		expect(service:GetFocusedTextBox()).to.equal(box)
	end)
end
`;
const FINDS_NOTHING = `return function()
	it("finds nothing of it", function()
		local service = game:GetService("UserInputService")
		expect(service:IsKeyDown(Enum.KeyCode.W)).to.equal(false)
		expect(#service:GetMouseButtonsPressed()).to.equal(0)
		expect(service:GetMouseLocation()).to.equal(Vector2.zero)
		expect(service:GetFocusedTextBox()).to.equal(nil)
		expect(service:GetLastInputType()).to.equal(Enum.UserInputType.None)
	end)
end
`;

test("a file that ends with a key down leaves nothing to the next", async () => {
  for (const [name, source] of [
    ["a", LEAVES],
    ["b", FINDS_NOTHING],
    ["c", LEAVES],
  ] as const)
    await box.writeAsync(`${name}.spec.luau`, source);
  const { exitCode, stdout, stderr } = await box.localSbAsync([
    "test",
    "--workers",
    "1",
    "--context",
    "client",
    ".",
  ]);
  expect({ exitCode, stdout, stderr }).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining("3 passed"),
  });
});
