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
];

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
