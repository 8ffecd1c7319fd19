/** Input to the client of a play test, with the compiled binary: a menu that is pressed, and what refuses to be. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { McpPeer } from "../peers/mcp-peer.ts";
import { sandbox } from "../sandbox.ts";

const box = sandbox({ headless: true });

/** A press of Play is counted on the server; the client counts what keys and boxes do. */
const MENU = `
local gui = Instance.new("ScreenGui", game.StarterGui) gui.Name = "Menu"
local function add(class, name, x, y, width, height, parent)
  local made = Instance.new(class, parent or gui) made.Name = name
  made.Position = UDim2.fromOffset(x, y) made.Size = UDim2.fromOffset(width, height)
  return made
end
add("TextButton", "Play", 10, 20, 200, 50)
add("TextButton", "Hidden", 10, 100, 60, 20).Visible = false
add("TextButton", "Far", 5000, 100, 60, 20)
add("TextButton", "Below", 300, 20, 100, 50)
local cover = add("Frame", "Cover", 290, 10, 200, 100) cover.Active = true cover.ZIndex = 9
add("TextButton", "Barred", 10, 130, 60, 20).Interactable = false
add("TextButton", "Twin", 10, 160, 60, 20) add("TextButton", "Twin", 80, 160, 60, 20)
add("TextButton", "Idle", 160, 160, 60, 20).Active = false
add("TextBox", "Nick", 10, 200, 200, 30)
add("TextButton", "Mover", 10, 260, 60, 20) add("TextButton", "Passing", 10, 300, 60, 20)
local list = add("ScrollingFrame", "List", 500, 100, 200, 200) list.CanvasSize = UDim2.fromOffset(0, 2000)
add("TextButton", "Deep", 0, 1500, 100, 30, list)
local remote = Instance.new("RemoteEvent", game.ReplicatedStorage) remote.Name = "Pressed"
local server = Instance.new("Script", game.ServerScriptService)
server.Source = [[
workspace:SetAttribute("Presses", 0)
game.ReplicatedStorage.Pressed.OnServerEvent:Connect(function()
  workspace:SetAttribute("Presses", workspace:GetAttribute("Presses") + 1)
end)]]
local client = Instance.new("LocalScript", gui)
client.Source = [[
local remote = game.ReplicatedStorage:WaitForChild("Pressed")
script.Parent:WaitForChild("Play").Activated:Connect(function() remote:FireServer() end)
script.Parent:WaitForChild("List"):WaitForChild("Deep").Activated:Connect(function() remote:FireServer() end)]]`;

const inputAsync = (...words: readonly string[]) => box.sbAsync(["input", ...words]);
const stepsAsync = async (steps: readonly object[], ...flags: readonly string[]) => {
  const { stdout, stderr, exitCode } = await box.sbAsync(["input", "-", "--json", ...flags], {
    stdin: JSON.stringify(steps),
  });
  return { exitCode, stderr, answer: stdout === "" ? undefined : JSON.parse(stdout) };
};
const pressesAsync = async (count: number) => {
  const words = ["wait", "--until", `workspace:GetAttribute("Presses") == ${count}`, "--context", "server"];
  return (await box.sbAsync(words)).exitCode;
};
const clientAsync = async (code: string) =>
  (await box.sbAsync(["exec", "--context", "client", code])).stdout.trim();

test("without a running test it refuses and names the command that starts one", async () => {
  const { stderr, exitCode } = await inputAsync("click", "Menu.Play");
  expect({ exitCode, isNamed: stderr.includes("sb play start") }).toEqual({ exitCode: 2, isNamed: true });
});

describe("a client", () => {
  beforeAll(async () => {
    expect((await box.sbAsync(["exec", MENU])).exitCode).toBe(0);
    expect((await box.sbAsync(["play", "start"])).exitCode).toBe(0);
  }, 120_000);
  afterAll(() => box.sbAsync(["play", "stop"]), 120_000);

  test("presses a button, and the server counts", async () => {
    const { exitCode, answer } = await stepsAsync([{ do: "click", target: "Menu.Play" }]);
    expect({ exitCode, answer }).toMatchObject({
      exitCode: 0,
      answer: {
        ok: true,
        steps: [{ ok: true, at: [110, 45], hit: { path: expect.stringMatching(/Play$/) } }],
      },
    });
    expect(answer.steps[0].fired.map(({ event }: { event: string }) => event)).toContain("Activated");
    expect(await pressesAsync(1)).toBe(0);
  });

  test("scrolls a button into view before it presses it", async () => {
    expect((await inputAsync("click", "Menu.List.Deep")).exitCode).toBe(0);
    expect(await pressesAsync(2)).toBe(0);
  });

  test.each([
    ["Menu.Nothing", "NOT_FOUND", "Nothing is at Menu.Nothing"],
    ["Menu.Hidden", "HIDDEN", "It is not visible"],
    ["Menu.Far", "OFF_SCREEN", "on the screen"],
    ["Menu.Below", "COVERED", "Menu.Cover"],
    ["Menu.Twin", "AMBIGUOUS", "Twin"],
    ["Menu.Idle", "DISABLED", "its Active is false"],
    ["Menu.Barred", "NOT_INTERACTABLE", "Its Interactable is false"],
  ])("%s is %s", async (target, code, sentence) => {
    const { exitCode, answer } = await stepsAsync([{ do: "click", target }], "--timeout", "200");
    expect({ exitCode, answer }).toMatchObject({
      exitCode: 1,
      answer: { ok: false, steps: [{ ok: false, code, message: expect.stringContaining(sentence) }] },
    });
    if (code === "COVERED") expect(answer.steps[0].coveredBy.path).toEndWith("Menu.Cover");
  });

  test("what moves is MOVING, unless it is pressed by force", async () => {
    await clientAsync(`local mover = game.Players.LocalPlayer.PlayerGui.Menu.Mover
      mover.Activated:Connect(function() mover:SetAttribute("Pressed", true) end)
      task.spawn(function() local x = 0 while not mover:GetAttribute("Pressed") do
        x = (x + 1) % 7 mover.Position = UDim2.fromOffset(10 + x, 260) task.wait()
      end end)`);
    const click = [{ do: "click", target: "Menu.Mover" }];
    const { exitCode, answer } = await stepsAsync(click, "--timeout", "200");
    expect({ exitCode, code: answer.steps[0].code }).toEqual({ exitCode: 1, code: "MOVING" });
    expect((await stepsAsync(click, "--force")).exitCode).toBe(0);
    const isPressed = `return game.Players.LocalPlayer.PlayerGui.Menu.Mover:GetAttribute("Pressed")`;
    expect(await clientAsync(isPressed)).toBe("true");
  });

  test("what is gone while a step waits is NOT_FOUND", async () => {
    await clientAsync(`local passing = game.Players.LocalPlayer.PlayerGui.Menu.Passing
      task.spawn(function() for x = 1, 20 do passing.Position = UDim2.fromOffset(x, 300) task.wait() end passing:Destroy() end)`);
    const { answer } = await stepsAsync([{ do: "click", target: "Menu.Passing" }], "--timeout", "1000");
    expect(answer.steps[0]).toMatchObject({ ok: false, code: "NOT_FOUND" });
    expect(answer.steps[0].waitedMs).toBeGreaterThanOrEqual(1_000);
  });

  test("a file holds the steps, and its first bad step is named before anything is pressed", async () => {
    const steps = [
      { do: "press", key: "W" },
      { do: "release", key: "W" },
    ];
    await box.writeAsync("steps.json", `// comments are read\n${JSON.stringify({ steps })}`);
    expect((await inputAsync("./steps.json")).exitCode).toBe(0);
    await box.writeAsync("bad.json", JSON.stringify([...steps, { do: "click", at: [1] }]));
    const bad = await inputAsync("./bad.json");
    expect({ exitCode: bad.exitCode, stderr: bad.stderr }).toEqual({
      exitCode: 2,
      stderr: expect.stringContaining("bad.json: step 3: at"),
    });
    const still = await inputAsync("scroll", "Menu.List", "--count", "0");
    expect({ exitCode: still.exitCode, stderr: still.stderr }).toEqual({
      exitCode: 2,
      stderr: expect.stringContaining("step 1: count is not 0"),
    });
    const { exitCode, stderr } = await stepsAsync([
      { do: "press", key: "W" },
      { do: "key", key: "Nonsense" },
    ]);
    expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: "" });
    expect(await clientAsync(`return game.UserInputService:IsKeyDown(Enum.KeyCode.W)`)).toBe("false");
  });

  test("a button that is down already presses nothing, and is released", async () => {
    expect((await inputAsync("press", "900,600")).exitCode).toBe(0);
    const { exitCode, answer } = await stepsAsync([{ do: "click", target: "Menu.Play" }]);
    expect({ exitCode, answer }).toMatchObject({
      exitCode: 1,
      answer: { steps: [{ code: "NOT_INTERACTABLE" }], released: ["MouseButton1"] },
    });
    expect(await clientAsync("return #game.UserInputService:GetMouseButtonsPressed()")).toBe("0");
  });

  test("a locked mouse is NOT_INTERACTABLE", async () => {
    await clientAsync("game.UserInputService.MouseBehavior = Enum.MouseBehavior.LockCenter");
    const { answer } = await stepsAsync([{ do: "click", target: "Menu.Play" }]);
    await clientAsync("game.UserInputService.MouseBehavior = Enum.MouseBehavior.Default");
    expect(answer.steps[0]).toMatchObject({
      code: "NOT_INTERACTABLE",
      message: expect.stringContaining("LockCenter"),
    });
  });

  test("a list that fails releases what is down and does nothing more", async () => {
    const { exitCode, answer } = await stepsAsync(
      [
        { do: "press", key: "W" },
        { do: "click", target: "Menu.Hidden" },
        { do: "click", target: "Menu.Play" },
      ],
      "--timeout",
      "200",
    );
    expect({ exitCode, answer }).toMatchObject({ exitCode: 1, answer: { released: ["W"] } });
    expect(answer.steps).toHaveLength(2);
    expect(await clientAsync(`return game.UserInputService:IsKeyDown(Enum.KeyCode.W)`)).toBe("false");
  });

  test("a key stays down from one call to the next, until it is released", async () => {
    expect((await inputAsync("press", "--key", "W")).exitCode).toBe(0);
    expect(await clientAsync(`return game.UserInputService:IsKeyDown(Enum.KeyCode.W)`)).toBe("true");
    expect((await inputAsync("release", "--key", "W")).exitCode).toBe(0);
    expect(await clientAsync(`return game.UserInputService:IsKeyDown(Enum.KeyCode.W)`)).toBe("false");
    expect((await inputAsync("release", "--key", "W")).exitCode).toBe(1);
  });

  test("types into a box", async () => {
    expect((await inputAsync("text", "Menu.Nick", "Ada")).exitCode).toBe(0);
    expect((await inputAsync("key", "Return")).exitCode).toBe(0);
    expect(await clientAsync("return game.Players.LocalPlayer.PlayerGui.Menu.Nick.Text")).toContain("Ada");
  });

  test("a selector names one object, and buttons, counts and modifiers reach its events", async () => {
    await clientAsync(`
      local play, service = game.Players.LocalPlayer.PlayerGui.Menu.Play, game.UserInputService
      play.MouseButton2Click:Connect(function()
        play:SetAttribute("Seen", (play:GetAttribute("Seen") or "") .. (if service:IsKeyDown(Enum.KeyCode.LeftShift) then "S" else "-"))
      end)`);
    const words = [
      "click",
      "--selector",
      "#Play",
      "--button",
      "right",
      "--count",
      "2",
      "--modifiers",
      "shift",
    ];
    expect((await inputAsync(...words)).exitCode).toBe(0);
    expect(
      await clientAsync(`return game.Players.LocalPlayer.PlayerGui.Menu.Play:GetAttribute("Seen")`),
    ).toContain("SS");
    expect(await clientAsync(`return game.UserInputService:IsKeyDown(Enum.KeyCode.LeftShift)`)).toBe("false");
    expect((await inputAsync("click", "--selector", "#Twin", "--timeout", "200")).exitCode).toBe(1);
  });

  test("turns the wheel and drags", async () => {
    await clientAsync("game.Players.LocalPlayer.PlayerGui.Menu.List.CanvasPosition = Vector2.zero");
    expect((await inputAsync("scroll", "Menu.List", "--count", "2")).exitCode).toBe(0);
    expect(
      await clientAsync("return game.Players.LocalPlayer.PlayerGui.Menu.List.CanvasPosition.Y > 0"),
    ).toBe("true");
    expect((await inputAsync("drag", "Menu.Play", "400,300")).exitCode).toBe(0);
    expect(
      await clientAsync(
        "return tostring(game.UserInputService:GetMouseLocation() - game.GuiService:GetGuiInset())",
      ),
    ).toContain("400, 300");
  });

  test("a trial checks and presses nothing, and force presses what is covered", async () => {
    expect((await inputAsync("click", "Menu.Play", "--trial")).exitCode).toBe(0);
    expect((await inputAsync("click", "Menu.Below", "--trial", "--timeout", "200")).exitCode).toBe(1);
    const { answer } = await stepsAsync([{ do: "click", target: "Menu.Below" }], "--force");
    expect(answer.steps[0]).toMatchObject({ ok: true, hit: { path: expect.stringMatching(/Cover$/) } });
    expect(await pressesAsync(2)).toBe(0);
  });

  test.each([
    [["shake"], "is no word of input"],
    [["click"], "click needs target"],
    [["key"], "key needs key"],
    [["key", "Nonsense"], "is no key"],
    [["key", "w"], "sb help input"],
    [["text", "Menu.Nick"], "text needs a TARGET"],
    [["drag", "Menu.Play"], "drag needs a TARGET"],
    [["click", "Menu.Play", "more"], "takes one target"],
    [["missing.json"], "missing.json"],
  ])("%j is wrong usage", async (words, sentence) => {
    const { stderr, exitCode } = await inputAsync(...words);
    expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: expect.stringContaining(sentence) });
  });
});

test("each of two players has an interface of its own", async () => {
  expect((await box.sbAsync(["play", "start", "--players", "2"])).exitCode).toBe(0);
  const click = ["click", "Menu.Play", "--timeout", "1000"];
  const { exitCode, stderr } = await inputAsync(...click);
  expect({ exitCode, isNamed: stderr.includes("--player") }).toEqual({ exitCode: 2, isNamed: true });
  const second = await inputAsync(...click, "--player", "2");
  expect({ exitCode: second.exitCode, stdout: second.stdout }).toEqual({
    exitCode: 0,
    stdout: expect.stringContaining("Player2"),
  });
  expect(await pressesAsync(1)).toBe(0);
  expect((await inputAsync(...click, "--player", "3")).exitCode).toBe(2);
  await box.sbAsync(["play", "stop"]);
}, 120_000);

test("an agent presses a button", async () => {
  await using peer = new McpPeer(box);
  await peer.initializeAsync();
  await peer.toolAsync("studio_play", { action: "start" });
  const steps = [{ do: "click", target: "Menu.Play" }];
  expect(await peer.toolAsync("studio_input", { steps })).toMatchObject({
    structuredContent: { ok: true, context: "client:1" },
  });
  expect(await pressesAsync(1)).toBe(0);
  await peer.toolAsync("studio_play", { action: "stop" });
});

test("a Studio that lets no plugin give input says so, and presses nothing", async () => {
  await box.headlessAsync("Closed", "no-virtual-input");
  expect((await box.sbAsync(["play", "start", "-s", "Closed"])).exitCode).toBe(0);
  const { exitCode, stderr } = await inputAsync("key", "E", "-s", "Closed");
  expect({ exitCode, stderr }).toEqual({
    exitCode: 2,
    stderr: expect.stringContaining("lets no plugin give input (UserInputService:CreateVirtualInput)"),
  });
  expect(stderr).toContain("sb headless");
  await box.sbAsync(["play", "stop", "-s", "Closed"]);
}, 120_000);
