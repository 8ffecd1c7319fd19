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

interface Start {
  readonly elapsedMs: number;
  /** Of the process that reads the place, in MB. */
  readonly peakMemory: number;
}

async function firstLineAsync(box: Sandbox, args: readonly string[]): Promise<Start> {
  const start = performance.now();
  const child = box.spawn(["exec", "--headless", ...args, "print('up') task.wait(0.1)"]);
  await child.stdout.getReader().read();
  const elapsedMs = performance.now() - start;
  const peakMemory = process.platform === "linux" ? await megabytesAsync(child.pid, "VmHWM") : Number.NaN;
  await child.exited;
  return { elapsedMs, peakMemory };
}

async function megabytesAsync(pid: number, field: "VmHWM" | "VmRSS"): Promise<number> {
  const status = await Bun.file(`/proc/${pid}/status`).text();
  return Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1] ?? Number.NaN) / 1024;
}

export async function placeFiguresAsync(box: Sandbox): Promise<Figures[]> {
  const children = Array.from({ length: PARTS }, (_, index) => part(index));
  const workspace: InstanceSpec = { className: "Workspace", name: "Workspace", children };
  const dom = createDom({ className: "DataModel", children: [workspace] });
  await box.writeAsync("large.rbxl", dom.toBinary());
  await box.writeAsync("large.rbxlx", dom.toXml());
  const empty: Start[] = [];
  const large: Start[] = [];
  const xml: Start[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    empty.push(await firstLineAsync(box, []));
    large.push(await firstLineAsync(box, ["--place", "large.rbxl"]));
    xml.push(await firstLineAsync(box, ["--place", "large.rbxlx"]));
  }
  const times = (starts: readonly Start[]) => starts.map(({ elapsedMs }) => elapsedMs);
  const memory = (starts: readonly Start[]) => starts.map(({ peakMemory }) => peakMemory);
  return [
    figures("headless start to first line", "ms", times(empty)),
    figures("the same with a place of 10,000 parts", "ms", times(large)),
    figures("the same with that place as XML", "ms", times(xml)),
    figures("reading that place: peak memory", "MB", memory(large)),
    figures("reading it as XML: peak memory", "MB", memory(xml)),
    ...(process.platform === "linux" ? [await memoryAsync(box)] : []),
  ];
}

async function memoryAsync(box: Sandbox): Promise<Figures> {
  const before = (await box.sessionsAsync()).length;
  const studio = box.spawn(["headless", "large.rbxl"]);
  await untilAsync("the place is open", async () =>
    (await box.sessionsAsync()).length > before ? true : undefined,
  );
  const memory = await megabytesAsync(studio.pid, "VmRSS");
  studio.kill("SIGTERM");
  await studio.exited;
  return figures("headless memory with a place of 10,000 parts (RSS)", "MB", [memory]);
}
