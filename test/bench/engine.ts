/** What scripts in headless Studio wait for: Instances in bulk, and the arithmetic of a CFrame. */
import type { Sandbox } from "../harness.ts";
import { figures, type Figures } from "./statistics.ts";

const ROUNDS = 5;

/** Each prints a number for one round in a fresh Studio. */
const SCRIPTS = [
  {
    name: "10,000 parts made and parented",
    unit: "ms",
    script: `local start = os.clock()
for _ = 1, 10000 do Instance.new("Part").Parent = workspace end
print((os.clock() - start) * 1e3)`,
  },
  {
    name: "CFrame multiply",
    unit: "µs",
    script: `local turn = CFrame.new(1, 2, 3) * CFrame.Angles(1, 2, 3)
for _ = 1, 200000 do local _ = turn * turn end
local start = os.clock()
for _ = 1, 200000 do local _ = turn * turn end
print((os.clock() - start) * 5)`,
  },
  {
    name: "10,000 Frames in nested lists, first layout of a Studio",
    unit: "ms",
    script: `${nestedLists(10_000, 20)}
local start = os.clock()
local _ = frames[#frames].AbsolutePosition
print((os.clock() - start) * 1e3)`,
  },
  {
    name: "10,000 Frames in nested lists, once the VM is warm",
    unit: "ms",
    script: `for _ = 1, 3 do
${nestedLists(10_000, 20)}
local _ = frames[#frames].AbsolutePosition
end
${nestedLists(10_000, 20)}
local start = os.clock()
local _ = frames[#frames].AbsolutePosition
print((os.clock() - start) * 1e3)`,
  },
  {
    name: "5,000 labels of 20 characters measured",
    unit: "ms",
    script: `local gui = Instance.new("ScreenGui", game:GetService("StarterGui"))
local labels = {}
for index = 1, 5000 do
	local label = Instance.new("TextLabel")
	label.Text, label.Parent = string.format("Label with number %03d", index % 1000), gui
	labels[index] = label
end
local start = os.clock()
for _, label in labels do local _ = label.TextBounds end
print((os.clock() - start) * 1e3)`,
  },
  {
    name: "one size changed in a list of 1,000",
    unit: "ms",
    script: `${nestedLists(1_000, 1_000)}
local start = os.clock()
for round = 1, 20 do
	frames[500].Size = UDim2.new(1, -4, 0, 10 + round)
	local _ = frames[1000].AbsolutePosition
end
print((os.clock() - start) * 1e3 / 20)`,
  },
];

/** Makes Frames, each list of which is in a Frame of the list above it. */
function nestedLists(total: number, inList: number): string {
  return `local frames = {}
local parents = { Instance.new("ScreenGui", game:GetService("StarterGui")) }
for index = 1, ${total} do
	local parent = parents[(index - 1) // ${inList} + 1]
	if (index - 1) % ${inList} == 0 then Instance.new("UIListLayout", parent) end
	local frame = Instance.new("Frame")
	frame.Size, frame.LayoutOrder, frame.Parent = UDim2.new(1, -4, 0, 10), index, parent
	frames[index] = frame
	table.insert(parents, frame)
end`;
}

export async function engineFiguresAsync(box: Sandbox): Promise<Figures[]> {
  const rows: Figures[] = [];
  for (const { name, unit, script } of SCRIPTS) {
    const samples: number[] = [];
    for (let round = 0; round < ROUNDS; round++)
      samples.push(Number((await box.sbAsync(["exec", "--headless", script])).stdout));
    rows.push(figures(name, unit, samples));
  }
  return rows;
}
