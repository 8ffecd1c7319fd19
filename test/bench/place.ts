/** What a large place costs: 10,000 parts with the properties that Studio saves, opened in headless Studio. */
import { createDom, type InstanceSpec } from "rbx-dom";
import type { Sandbox } from "../harness.ts";
import { untilAsync } from "../harness.ts";
import { figures, type Figures } from "./statistics.ts";

const PARTS = 10_000;
const ROUNDS = 5;
const UPRIGHT = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];
const TURNED = [
  [0.5, 0.1, 0],
  [0, 1, 0],
  [0, 0, 1],
];

/** Most values are the same for all, as in places that people made. */
function part(index: number): InstanceSpec {
  const flags = ["CanCollide", "CanTouch", "CanQuery", "CastShadow", "EnableFluidForces", "Archivable"];
  const surfaces = [
    "TopSurface",
    "BottomSurface",
    "LeftSurface",
    "RightSurface",
    "FrontSurface",
    "BackSurface",
  ];
  return {
    className: "Part",
    name: `Part${index % 100}`,
    properties: {
      ...Object.fromEntries(flags.map((name) => [name, { Bool: true }])),
      ...Object.fromEntries(surfaces.map((name) => [name, { Enum: 0 }])),
      Anchored: { Bool: true },
      Attributes: { Attributes: {} },
      CFrame: { CFrame: { position: [index, 2, 3], orientation: index % 3 === 0 ? TURNED : UPRIGHT } },
      CollisionGroup: { String: "Default" },
      Color: { Color3uint8: [index % 256, 2, 3] },
      CustomPhysicalProperties: { PhysicalProperties: "Default" },
      Locked: { Bool: false },
      Massless: { Bool: false },
      Material: { Enum: 256 },
      PivotOffset: { CFrame: { position: [0, 0, 0], orientation: UPRIGHT } },
      Reflectance: { Float32: 0 },
      RotVelocity: { Vector3: [0, 0, 0] },
      Size: { Vector3: [1, 2, (index % 7) + 1] },
      SourceAssetId: { Int64: "-1" },
      Tags: { Tags: [] },
      Transparency: { Float32: 0 },
      UniqueId: { UniqueId: (index + 1).toString(16).padStart(32, "0") },
      Velocity: { Vector3: [0, 0, 0] },
    },
  };
}

async function firstLineAsync(box: Sandbox, args: readonly string[]): Promise<number> {
  const start = performance.now();
  const child = box.spawn(["exec", "--headless", ...args, "print('up')"]);
  await child.stdout.getReader().read();
  const elapsed = performance.now() - start;
  await child.exited;
  return elapsed;
}

export async function placeFiguresAsync(box: Sandbox): Promise<Figures[]> {
  const children = Array.from({ length: PARTS }, (_, index) => part(index));
  const workspace: InstanceSpec = { className: "Workspace", name: "Workspace", children };
  await box.writeAsync("large.rbxl", createDom({ className: "DataModel", children: [workspace] }).toBinary());
  const empty: number[] = [];
  const large: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    empty.push(await firstLineAsync(box, []));
    large.push(await firstLineAsync(box, ["--place", "large.rbxl"]));
  }
  return [
    figures("headless start to first line", "ms", empty),
    figures("the same with a place of 10,000 parts", "ms", large),
    ...(process.platform === "linux" ? [await memoryAsync(box)] : []),
  ];
}

async function memoryAsync(box: Sandbox): Promise<Figures> {
  const before = (await box.sessionsAsync()).length;
  const studio = box.spawn(["headless", "large.rbxl"]);
  await untilAsync("the place is open", async () =>
    (await box.sessionsAsync()).length > before ? true : undefined,
  );
  const status = await Bun.file(`/proc/${studio.pid}/status`).text();
  studio.kill("SIGTERM");
  await studio.exited;
  const kilobytes = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? Number.NaN);
  return figures("headless memory with a place of 10,000 parts (RSS)", "MB", [kilobytes / 1024]);
}
