/** The panel of a headless Studio, as a user reaches it: opened by a script, looked at as text, and as a picture. */
import { expect, test } from "bun:test";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Sandbox, untilAsync } from "../harness.ts";

const PANEL = "CoreGui.StudioBridgePanel";
const REQUESTS = `for _, each in game:GetService("CoreGui").StudioBridgePanel.Panel.Activity.Requests:GetDescendants() do
  if each:IsA("TextLabel") then print(each.Text) end
end`;
const OPEN = 'game:GetService("CoreGui").StudioBridgePanel.Enabled = true';

test("the panel lists what commands did, and can be looked at and drawn", async () => {
  await using box = await Sandbox.createAsync();
  await box.headlessAsync("Alpha");
  const lookAsync = async () => (await box.sbAsync(["ui", "look", PANEL])).stdout;
  expect(await lookAsync()).not.toContain("Connected");
  expect((await box.sbAsync(["exec", OPEN])).exitCode).toBe(0);
  expect((await box.sbAsync(["new", "Part", "Workspace", "Name=Door"])).exitCode).toBe(0);
  // Each look is a request that the panel lists too, so that waiting for a row could push it out of what is shown.
  const step = await untilAsync("the panel is drawn", async () => {
    const seen = (await box.sbAsync(["ui", "look", `${PANEL}.Panel.Activity.Undoing`])).stdout;
    return seen.includes("Last step") ? seen : undefined;
  });
  expect(step).toMatch(/TextButton "Undo" .* pressable/);
  expect((await box.sbAsync(["exec", REQUESTS])).stdout).toContain("new Part in game.Workspace");
  const text = await lookAsync();
  expect(text).toContain('TextLabel "Connected"');
  expect(text).toContain(`"Bridge host: 127.0.0.1:${box.port}"`);
  const file = join(box.folder, "panel.png");
  const drawn = await box.sbAsync(["screenshot", "--frame", `${PANEL}.Panel`, "-o", file]);
  expect([drawn.exitCode, drawn.stderr]).toEqual([0, ""]);
  expect((await readFile(file)).subarray(1, 4).toString()).toBe("PNG");
}, 120_000);
