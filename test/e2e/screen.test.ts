/** The screen of a headless Studio, end to end: --viewport, --insets and --device, their settings, and where each DataModel sees it. */
import { describe, expect, test } from "bun:test";
import { sandbox } from "../sandbox.ts";

const box = sandbox();

const FULL_SCREEN = `
local gui = Instance.new("ScreenGui")
local frame = Instance.new("Frame")
frame.Size = UDim2.fromScale(1, 1)
frame.Parent = gui
local player = game:GetService("Players").LocalPlayer
gui.Parent = if player then player:WaitForChild("PlayerGui") else game:GetService("StarterGui")
local function show()
	local at, size = frame.AbsolutePosition, frame.AbsoluteSize
	print(gui.ScreenInsets.Name, at.X, at.Y, size.X, size.Y)
end
for _, insets in { "CoreUISafeInsets", "DeviceSafeInsets", "None" } do
	gui.ScreenInsets = Enum.ScreenInsets[insets]
	show()
end
local input = game:GetService("UserInputService")
print(workspace.CurrentCamera.ViewportSize, input.KeyboardEnabled, input.TouchEnabled, input.GamepadEnabled)
gui:Destroy()
`;
const PHONE = ["--viewport", "844x390@3", "--insets", "59,0,59,21", "--device", "phone"];

async function linesAsync(words: readonly string[], source = FULL_SCREEN): Promise<string[]> {
  const { stdout, stderr, exitCode } = await box.sbAsync(["run", "--headless", ...words, "-"], {
    stdin: source,
  });
  expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 0 });
  return stdout.trimEnd().split("\n");
}

describe("the screen of a headless Studio", () => {
  test("is that of a desktop unless flags say otherwise, and the edited place has no top bar", async () => {
    expect(await linesAsync([])).toEqual([
      "CoreUISafeInsets 0 0 1280 720",
      "DeviceSafeInsets 0 0 1280 720",
      "None 0 0 1280 720",
      "1280, 720 true false false",
    ]);
  });

  test("is in a client of a test what the flags say, below the top bar", async () => {
    expect(await linesAsync(["--context", "client", ...PHONE])).toEqual([
      "CoreUISafeInsets 0 0 844 332",
      "DeviceSafeInsets 0 -58 844 390",
      "None -59 -58 962 411",
      "844, 390 false true false",
    ]);
  });

  test("is not in the server", async () => {
    const [core, , , last] = await linesAsync(["--context", "server", ...PHONE]);
    expect([core, last]).toEqual(["CoreUISafeInsets 0 0 0 0", "1, 1 false false false"]);
  });

  test("is as sb.config.json says, unless a flag is given", async () => {
    await box.writeAsync("sb.config.json", JSON.stringify({ viewport: "640x480", device: "gamepad" }));
    const last = async (...words: string[]): Promise<string | undefined> => (await linesAsync(words)).at(-1);
    expect(await last()).toBe("640, 480 false false true");
    expect(await last("--viewport", "800x600")).toBe("800, 600 false false true");
    await box.writeAsync(
      "screen.spec.luau",
      'assert(workspace.CurrentCamera.ViewportSize.X == 640)\nprint("tested")',
    );
    const { exitCode } = await box.sbAsync(["test", "screen.spec.luau"]);
    expect(exitCode).toBe(0);
    const other = await box.sbAsync(["test", "screen.spec.luau", "--viewport", "10x10"]);
    expect(other.exitCode).toBe(1);
    expect(other.stdout + other.stderr).toContain("--viewport 10x10");
    await box.writeAsync("sb.config.json", JSON.stringify({ viewport: "640" }));
    const wrong = await box.sbAsync(["run", "--headless", "-"], { stdin: "print(1)" });
    expect(wrong.exitCode).toBe(2);
    expect(wrong.stderr).toContain("sb.config.json:1:13: viewport: expected WIDTHxHEIGHT");
    await box.writeAsync("sb.config.json", "{}");
  });

  test("is refused where there is no headless Studio, or no such screen", async () => {
    const cases: readonly (readonly [readonly string[], string])[] = [
      [["--viewport", "800x600"], "Cannot use --viewport without --headless."],
      [["--headless", "--viewport", "800"], "--viewport: expected WIDTHxHEIGHT"],
      [["--headless", "--insets", "1,2"], "--insets: expected LEFT,TOP,RIGHT,BOTTOM"],
      [["--headless", "--device", "tv"], "--device: expected"],
    ];
    for (const [words, message] of cases) {
      const { stderr, exitCode } = await box.sbAsync(["run", ...words, "-"], { stdin: "print(1)" });
      expect({ exitCode, message: stderr.includes(message) ? message : stderr }).toEqual({
        exitCode: 2,
        message,
      });
    }
    const { stderr, exitCode } = await box.sbAsync(["test", "--on", "studio", "--device", "phone"]);
    expect([exitCode, stderr.includes("Cannot use --device with --on studio.")]).toEqual([2, true]);
  });

  test("gives each test file the same interface, whatever the one before has left", async () => {
    const leaves = `
local gui = game:GetService("StarterGui"):FindFirstChild("Menu")
assert(gui == nil, "a menu was left")
gui = Instance.new("ScreenGui")
gui.Name = "Menu"
gui.Parent = game:GetService("StarterGui")
local label = Instance.new("TextLabel")
label.Size, label.Parent = UDim2.fromScale(0.5, 1), gui
assert(label.AbsoluteSize.X == 640 and label.TextBounds.X > 0)
workspace.CurrentCamera.FieldOfView = 40
`;
    await box.writeAsync("one.spec.luau", leaves);
    await box.writeAsync("two.spec.luau", leaves);
    const { exitCode, stdout, stderr } = await box.sbAsync([
      "test",
      "one.spec.luau",
      "two.spec.luau",
      "--workers",
      "1",
    ]);
    expect({ exitCode, stdout: exitCode === 0 ? "" : stdout + stderr }).toEqual({ exitCode: 0, stdout: "" });
  });
});
