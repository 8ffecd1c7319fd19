/** Input to the world of a play test, with the compiled binary: prompts, click detectors and parts that touch. */
import { beforeAll, expect, test } from "bun:test";
import { sandbox } from "../sandbox.ts";

const box = sandbox({ headless: true });

/** A prompt and a detector beside the character; others far away, and behind a wall. Each thing that happens is a line. */
const WORLD = `
local function part(name, at, size)
  local made = Instance.new("Part", workspace) made.Name = name
  made.Anchored = true made.Size = size or Vector3.one * 4 made.Position = at
  return made
end
local spawn = Instance.new("SpawnLocation", workspace) spawn.Anchored = true spawn.Position = Vector3.zero
local near, far = part("Near", Vector3.new(0, 4, -6)), part("Far", Vector3.new(0, 4, -300))
local behind = part("Behind", Vector3.new(8, 4, 0))
part("Wall", Vector3.new(7, 4, 6), Vector3.new(10, 8, 1))
for _, each in { near, far, behind } do
  local prompt = Instance.new("ProximityPrompt", each) prompt.Name = "Prompt" prompt.HoldDuration = 0.2
end
near.Prompt.RequiresLineOfSight = false
for _, each in { near, far } do Instance.new("ClickDetector", each) end
local off = part("Off", Vector3.new(0, 4, 20)) off.CanTouch = false
part("Goal", Vector3.new(40, 4, 0))
local ball = part("Ball", Vector3.new(30, 4, 0)) ball.Anchored = false
local server = Instance.new("Script", game.ServerScriptService)
server.Source = [[
local lines = {}
local function note(what) table.insert(lines, what) workspace:SetAttribute("Lines", table.concat(lines, " ")) end
workspace.Near.Prompt.Triggered:Connect(function(player) note("Triggered-" .. player.Name) end)
workspace.Near.ClickDetector.MouseClick:Connect(function() note("MouseClick") end)
workspace.Goal.Touched:Connect(function(other) note("Touched-" .. other.Name) end)
workspace.Goal.TouchEnded:Connect(function(other) note("TouchEnded-" .. other.Name) end)]]`;

const inputAsync = async (steps: readonly object[], ...flags: readonly string[]) => {
  const { stdout, stderr, exitCode } = await box.sbAsync(["input", "-", "--json", ...flags], {
    stdin: JSON.stringify(steps),
  });
  return { exitCode, stderr, answer: stdout === "" ? undefined : JSON.parse(stdout) };
};
const execAsync = async (context: string, code: string) =>
  (await box.sbAsync(["exec", "--context", context, code])).stdout.trim();
const linesAsync = () => execAsync("server", `return workspace:GetAttribute("Lines")`);
const eventsOf = ({ fired }: { fired: { event: string }[] }) => fired.map(({ event }) => event);

beforeAll(async () => {
  expect((await box.sbAsync(["exec", WORLD])).exitCode).toBe(0);
  expect((await box.sbAsync(["play", "start"])).exitCode).toBe(0);
  await execAsync(
    "client",
    `local root = (game.Players.LocalPlayer.Character or game.Players.LocalPlayer.CharacterAdded:Wait()):WaitForChild("HumanoidRootPart")
    workspace.CurrentCamera.CFrame = CFrame.lookAt(root.Position + Vector3.new(0, 6, 14), root.Position)`,
  );
}, 120_000);

test("a prompt is held until it triggers, on the server too", async () => {
  const { exitCode, answer } = await inputAsync([{ do: "prompt", target: "Workspace.Near.Prompt" }]);
  expect({ exitCode, answer }).toMatchObject({ exitCode: 0, answer: { ok: true } });
  expect(eventsOf(answer.steps[0])).toEqual([
    "PromptButtonHoldBegan",
    "Triggered",
    "PromptButtonHoldEnded",
    "TriggerEnded",
  ]);
  expect(await linesAsync()).toContain("Triggered-");
});

test("a click detector is clicked where the camera sees its part", async () => {
  const { exitCode, answer } = await inputAsync([{ do: "detector", selector: "#Near > ClickDetector" }]);
  expect({ exitCode, answer }).toMatchObject({ exitCode: 0, answer: { ok: true } });
  expect(eventsOf(answer.steps[0])).toEqual(["MouseClick"]);
  expect(await linesAsync()).toContain("MouseClick");
});

test.each([
  [{ do: "prompt", target: "Workspace.Far.Prompt" }, "OUT_OF_REACH", "MaxActivationDistance is 10"],
  [{ do: "prompt", target: "Workspace.Behind.Prompt" }, "NO_SIGHT", "Wall is between the camera"],
  [{ do: "detector", target: "Workspace.Far.ClickDetector" }, "OUT_OF_REACH", "MaxActivationDistance is 32"],
  [{ do: "prompt", target: "Workspace.Near" }, "NOT_INTERACTABLE", "prompt is for a ProximityPrompt"],
  [{ do: "collide", target: "Workspace.Near", with: "Workspace.Goal" }, "NOT_INTERACTABLE", "are anchored"],
  [{ do: "collide", target: "Workspace.Ball", with: "Workspace.Off" }, "NOT_INTERACTABLE", "CanTouch of"],
  [{ do: "release", target: "Workspace.Ball" }, "NOT_INTERACTABLE", "touches nothing"],
  [{ do: "tap", at: [10, 10] }, "UNSUPPORTED", "--device phone"],
])("%j is %s", async (step, code, sentence) => {
  const { exitCode, answer } = await inputAsync([step], "--timeout", "100");
  expect({ exitCode, answer }).toMatchObject({
    exitCode: 1,
    answer: { ok: false, steps: [{ ok: false, code, message: expect.stringContaining(sentence) }] },
  });
});

test("parts touch until one is released, and no longer than the list", async () => {
  const before = (await linesAsync()).length;
  const collide = { do: "collide", target: "Workspace.Ball", with: "Workspace.Goal" };
  const { exitCode, answer } = await inputAsync([
    collide,
    { do: "release", target: "Workspace.Goal" },
    collide,
  ]);
  expect({ exitCode, answer }).toMatchObject({ exitCode: 0, answer: { ok: true } });
  expect(answer.steps.map(eventsOf)).toEqual([["Touched"], ["TouchEnded"], ["Touched"]]);
  const lines = await linesAsync();
  expect(lines.slice(before).trim()).toBe("Touched-Ball TouchEnded-Ball Touched-Ball TouchEnded-Ball");
});

test("an interrupted hold ends at once and releases what is down", async () => {
  const process = box.spawn(["input", "key", "W", "--hold", "50s"]);
  const isDown = `return game.UserInputService:IsKeyDown(Enum.KeyCode.W)`;
  while ((await execAsync("client", isDown)) !== "true") await Bun.sleep(50);
  const from = Date.now();
  process.kill("SIGINT");
  await process.exited;
  while ((await execAsync("client", isDown)) !== "false") await Bun.sleep(50);
  expect(Date.now() - from).toBeLessThan(10_000);
});
