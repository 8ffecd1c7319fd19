/** Looking at a user interface and checking it, in the edited place, in clients and over MCP, with the compiled binary. */
import { beforeAll, describe, expect, test } from "bun:test";
import { McpPeer } from "../peers/mcp-peer.ts";
import { sandbox } from "../sandbox.ts";

const box = sandbox({ headless: true });

/** Each call makes a button of a window. */
const MENU = `
local gui = Instance.new("ScreenGui", game.StarterGui) gui.Name = "Menu"
local window = Instance.new("Frame", gui) window.Name = "Window" window.Size = UDim2.fromOffset(400, 300)
local function button(name, x, y, width, height)
  local made = Instance.new("TextButton", window) made.Name = name made.Text = name
  made.Position = UDim2.fromOffset(x, y) made.Size = UDim2.fromOffset(width, height)
  return made
end
button("Play", 10, 20, 200, 50)
button("Far", 5000, 20, 60, 20):SetAttribute("SbIgnore", "off-screen")`;

const COVER = `
local cover = Instance.new("Frame", game.StarterGui.Menu) cover.Name = "Cover" cover.Active = true
cover.Size = UDim2.fromOffset(300, 100) cover.ZIndex = 9`;

const uiAsync = (...words: readonly string[]) => box.sbAsync(["ui", ...words]);
const execAsync = async (code: string) => expect((await box.sbAsync(["exec", code])).exitCode).toBe(0);

beforeAll(() => execAsync(MENU), 120_000);

describe("the edited place", () => {
  test("shows each visible object of StarterGui, and those that can be pressed", async () => {
    const { stdout, exitCode } = await uiAsync("look");
    expect({ stdout: stdout.replaceAll(/@\d+/g, "@"), exitCode }).toEqual({
      stdout:
        '@ Frame Window 0,0,400,300\n@ TextButton "Play" 10,20,200,50 pressable\n@ TextButton "Far" 5000,20,60,20 off screen\n',
      exitCode: 0,
    });
    for (const path of ["StarterGui.Menu.Window.Play", "Menu.Window.Play"])
      expect((await uiAsync("look", path, "--interactive")).stdout).toContain('"Play"');
  });

  test("has no finding, until something covers a button", async () => {
    const clean = await uiAsync("check");
    expect(clean).toMatchObject({
      exitCode: 0,
      stdout: "Nothing is wrong with the 3 objects of StarterGui that are not hidden.\n",
    });
    await execAsync(COVER);
    const { stdout, exitCode } = await uiAsync("check", "--json");
    expect({ exitCode, findings: JSON.parse(stdout).findings }).toMatchObject({
      exitCode: 1,
      findings: [{ rule: "covered", path: "StarterGui.Menu.Window.Play" }],
    });
    expect((await uiAsync("look")).stdout).toMatch(/"Play" 10,20,200,50 covered by @\d+\n/);
    expect((await uiAsync("check", "--ignore", "covered")).exitCode).toBe(0);
    await execAsync("game.StarterGui.Menu.Cover:Destroy()");
  });

  test.each([
    [[], "ACTION"],
    [["look", "--ignore", "covered"], "ignore goes with check."],
    [["check", "--interactive"], "interactive goes with look."],
    [["check", "--ignore", "all"], "text-does-not-fit"],
    [["shake"], "look"],
  ])("%j is wrong usage", async (words, sentence) => {
    const { stderr, exitCode } = await uiAsync(...words);
    expect({ exitCode, isNamed: stderr.includes(sentence) }).toEqual({ exitCode: 2, isNamed: true });
  });

  test("says what no root is", async () => {
    const { stderr, exitCode } = await uiAsync("look", "StarterGui.Nothing");
    expect({ exitCode, isNamed: stderr.includes("StarterGui.Nothing") }).toEqual({
      exitCode: 1,
      isNamed: true,
    });
    expect((await uiAsync("look", "Workspace")).stdout).toBe(
      "Nothing of Workspace can be seen; it has 0 objects that are not hidden.\n",
    );
  });
});

test("a check looks at several screens, and leaves the one that there was", async () => {
  const listen = `_G.sizes = {} local camera = workspace.CurrentCamera
    camera:GetPropertyChangedSignal("ViewportSize"):Connect(function() table.insert(_G.sizes, camera.ViewportSize.X) end)
    local low = Instance.new("TextButton", game.StarterGui.Menu.Window) low.Name = "Low" low.Position = UDim2.fromOffset(10, 500) low.Size = UDim2.fromOffset(90, 30)`;
  await execAsync(listen);
  const { stdout, exitCode } = await uiAsync("check", "--viewports", "1920x1080,844x390@2", "--json");
  expect(exitCode).toBe(1);
  const answer = JSON.parse(stdout);
  expect(answer.viewports).toEqual(["1920x1080", "844x390@2"]);
  expect(answer.findings).toContainEqual(
    expect.objectContaining({
      rule: "off-screen",
      path: "StarterGui.Menu.Window.Low",
      viewport: "844x390@2",
    }),
  );
  expect(JSON.stringify(answer.findings)).not.toContain("1920x1080");
  const after = await box.sbAsync(["exec", "return _G.sizes, workspace.CurrentCamera.ViewportSize.X"]);
  expect(after.stdout).toContain("1280");
  expect((await uiAsync("look", "--viewports", "844x390")).exitCode).toBe(2);
  expect((await uiAsync("check", "--viewports", "844")).stderr).toContain("expected WIDTHxHEIGHT");
  await execAsync("game.StarterGui.Menu.Window.Low:Destroy()");
});

test("an agent looks at what the client of a play test sees", async () => {
  await using peer = new McpPeer(box);
  await peer.initializeAsync();
  await peer.toolAsync("studio_play", { action: "start" });
  const seen = await peer.toolAsync("studio_ui", { action: "look", interactive: true });
  expect(seen["structuredContent"]).toMatchObject({
    root: expect.stringContaining("PlayerGui"),
    look: expect.stringMatching(/^@\d+ TextButton "Play" 10,20,200,50 pressable\n@\d+ TextButton "Far" /),
    context: "client:1",
  });
  expect((await uiAsync("look", "--context", "server")).stderr).toContain(
    "The server of a play test has no interface",
  );
  expect((await uiAsync("look", "Menu.Window.Play")).stdout).toContain('"Play"');
  const checked = await peer.toolAsync("studio_ui", { action: "check" });
  expect(checked).toMatchObject({ structuredContent: { findings: [] } });
  await peer.toolAsync("studio_play", { action: "stop" });
});
