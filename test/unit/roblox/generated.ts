/** Trees with every type of value, made from a seed, and rbx-dom's view of them for comparison. */
import { type Dom, createDom, type InstanceSpec, types } from "rbx-dom";

type Json = Parameters<typeof types.variant>[0];
type Random = () => number;

/** Numbers from 0 up to 1, the same for the same seed (mulberry32). */
export function randomFrom(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const RIGHT_ANGLES = [
  [
    [0, 0, 1],
    [0, 1, 0],
    [-1, 0, 0],
  ],
  [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
];
const ODD_ROTATION = [
  [0.5, -0.25, 1],
  [-0.75, 0.125, 2],
  [3, 4, 5],
];

class Maker {
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  int(limit: number): number {
    return Math.floor(this.#random() * limit);
  }

  /** Exact in 32 bits. */
  float = (): number => this.int(65_536) / 64 - 512;
  text = (): string =>
    ["", "a", "ü€😀", '<&>"]]>', "line\nline", "x".repeat(this.int(40))][this.int(6)] ?? "";
  floats = (count: number): number[] => Array.from({ length: count }, this.float);
  bytes = (): string =>
    Buffer.from(Array.from({ length: this.int(30) }, () => this.int(256))).toString("base64");
  frame = (): Json => ({
    position: this.floats(3),
    orientation: this.int(2) === 0 ? ODD_ROTATION : (RIGHT_ANGLES[this.int(2)] ?? []),
  });
  color = (): number[] => Array.from({ length: 3 }, () => this.int(256) / 256);
}

/** Classes that have a property of each type, and how to make its value, which is not the default of the class. */
const CLASSES: readonly [className: string, properties: (make: Maker) => Record<string, Json>][] = [
  ["StringValue", (m) => ({ Value: { String: m.text() } })],
  ["BoolValue", () => ({ Value: { Bool: true } })],
  ["IntValue", (m) => ({ Value: { Int64: String(m.int(2 ** 31) - 2 ** 30) } })],
  ["NumberValue", (m) => ({ Value: { Float64: m.float() / 3 } })],
  ["Vector3Value", (m) => ({ Value: { Vector3: m.floats(3) } })],
  ["Color3Value", (m) => ({ Value: { Color3: m.color() } })],
  ["BrickColorValue", (m) => ({ Value: { BrickColor: [1, 21, 194, 1004][m.int(4)] ?? 1 } })],
  ["CFrameValue", (m) => ({ Value: { CFrame: m.frame() } })],
  ["RayValue", (m) => ({ Value: { Ray: { origin: m.floats(3), direction: m.floats(3) } } })],
  [
    "Part",
    (m) => ({
      CFrame: { CFrame: m.frame() },
      Size: { Vector3: [m.int(2000) / 4 + 1, 2, 3] },
      Color: { Color3uint8: [m.int(256), m.int(256), m.int(256)] },
      Material: { Enum: [512, 272, 288][m.int(3)] ?? 272 },
      Anchored: { Bool: m.int(2) === 1 },
      Transparency: { Float32: m.int(5) / 4 },
      CustomPhysicalProperties: {
        PhysicalProperties: m.int(2) === 0 ? "Default" : types.physicalProperties(1, 0.5, 0.25, 2, 3, 0.5),
      },
      Attributes: { Attributes: attributes(m) },
      Tags: { Tags: ["one", "two"].slice(m.int(2)) },
      SourceAssetId: { Int64: String(m.int(2 ** 31)) },
    }),
  ],
  [
    "Frame",
    (m) => ({
      Position: {
        UDim2: [
          [m.float(), m.int(99) - 50],
          [m.float(), m.int(99)],
        ],
      },
      ZIndex: { Int32: m.int(2000) - 1000 },
    }),
  ],
  ["UIPadding", (m) => ({ PaddingTop: { UDim: [m.float(), m.int(99) - 50] } })],
  [
    "ImageLabel",
    (m) => ({
      ImageRectOffset: { Vector2: m.floats(2) },
      SliceCenter: { Rect: [m.floats(2), m.floats(2)] },
      ImageContent: { Content: m.int(2) === 0 ? "None" : { Uri: `rbxassetid://${m.int(999)}` } },
    }),
  ],
  [
    "ParticleEmitter",
    (m) => ({
      Lifetime: { NumberRange: [1, 1 + m.int(9)] },
      Size: {
        NumberSequence: {
          keypoints: [0, 0.5, 1].map((time) => ({ time, value: m.int(9), envelope: m.int(4) / 4 })),
        },
      },
      Color: { ColorSequence: { keypoints: [0, 1].map((time) => ({ time, color: m.color() })) } },
    }),
  ],
  ["Handles", (m) => ({ Faces: { Faces: ["Right", "Top", "Front"].slice(m.int(3)) } })],
  ["ArcHandles", (m) => ({ Axes: { Axes: ["X", "Y", "Z"].slice(m.int(3)) } })],
  [
    "TextLabel",
    (m) => ({
      Text: { String: m.text() },
      FontFace: {
        Font: {
          family: "rbxasset://fonts/families/Arial.json",
          weight: ["Regular", "Bold", "Thin"][m.int(3)] ?? "Regular",
          style: ["Normal", "Italic"][m.int(2)] ?? "Normal",
          cachedFaceId: null,
        },
      },
    }),
  ],
  [
    "Model",
    (m) => ({
      WorldPivotData: { OptionalCFrame: m.int(2) === 0 ? null : m.frame() },
      ModelMeshData: { SharedString: m.bytes() },
    }),
  ],
  ["TerrainRegion", (m) => ({ ExtentsMax: { Vector3int16: [m.int(9), -m.int(9), m.int(30_000)] } })],
  ["Folder", (m) => ({ Capabilities: { SecurityCapabilities: String(m.int(99)) } })],
  ["ModuleScript", (m) => ({ Source: { String: m.text() } })],
];

function attributes(make: Maker): Record<string, Json> {
  const all: Record<string, Json> = {
    text: { String: make.text() },
    flag: { Bool: true },
    number: { Float64: make.float() },
    dim: { UDim: [0.5, -3] },
    dims: {
      UDim2: [
        [0.5, -3],
        [1, 4],
      ],
    },
    brick: { BrickColor: 1004 },
    color: { Color3: make.color() },
    two: { Vector2: make.floats(2) },
    three: { Vector3: make.floats(3) },
    frame: { CFrame: make.frame() },
    range: { NumberRange: [1, 2] },
    rect: {
      Rect: [
        [1, 2],
        [3, 4],
      ],
    },
    curve: {
      NumberSequence: { keypoints: [0, 1].map((time) => ({ time, value: make.int(4), envelope: 0.25 })) },
    },
    colors: { ColorSequence: { keypoints: [0, 1].map((time) => ({ time, color: make.color() })) } },
    item: { EnumItem: { type: "Material", value: 272 } },
  };
  return Object.fromEntries(Object.entries(all).filter(() => make.int(3) > 0));
}

/** About `size` Instances below Workspace, nested at random; some ObjectValues refer to others. */
export function generatedDom(seed: number, size: number): Dom {
  const make = new Maker(randomFrom(seed));
  const workspace: InstanceSpec = { className: "Workspace", name: "Workspace", children: [] };
  const all = [workspace];
  for (let count = 0; count < size; count++) {
    // The first ones see to it that every type is there.
    const [className, properties] = CLASSES[count < CLASSES.length ? count : make.int(CLASSES.length)] ?? [];
    if (className === undefined || properties === undefined) continue;
    const spec: InstanceSpec = {
      className,
      name: `${className}${count}`,
      properties: properties(make),
      children: [],
    };
    (all[make.int(all.length)] ?? workspace).children?.push(spec);
    all.push(spec);
  }
  const dom = createDom({ className: "DataModel", name: "DataModel", children: [workspace] });
  const referents = dom.descendants(dom.children(dom.rootRef)[0]).map(({ referent }) => referent);
  for (let count = 0; count < 3; count++) {
    const value = dom.insert(referents[0] ?? "", { className: "ObjectValue", name: `Object${count}` });
    dom.setProperty(value, "Value", { Ref: referents[make.int(referents.length)] ?? "" });
  }
  return dom;
}

/** A tree as lines of text: path, class and properties, with references as paths. */
export function describeDom(dom: Dom): string[] {
  const { instances, rootRef } = dom.snapshot();
  const byReferent = new Map(instances.map((instance) => [instance.referent, instance]));
  const pathOf = (referent: string): string => {
    const instance = byReferent.get(referent);
    if (instance === undefined || referent === rootRef) return "";
    const siblings = byReferent.get(instance.parent)?.children ?? [];
    return `${pathOf(instance.parent)}/${siblings.indexOf(referent)} ${instance.name}`;
  };
  return instances
    .filter(({ referent }) => referent !== rootRef)
    .flatMap(({ referent, className, properties }) => {
      const path = `${pathOf(referent)} ${className}`;
      const entries = Object.entries(properties).map(([name, value]) => {
        const target = value["Ref"];
        return `${path}.${name} = ${typeof target === "string" ? pathOf(target) : JSON.stringify(value)}`;
      });
      return [path, ...entries];
    })
    .sort();
}

/** A few bytes changed, cut out or put in, at places that the seed decides. */
export function mutated(file: Uint8Array, seed: number): Uint8Array {
  const random = randomFrom(seed);
  const int = (limit: number): number => Math.floor(random() * limit);
  const bytes = [...file];
  for (let count = 1 + int(4); count > 0; count--) {
    const at = int(bytes.length);
    const kind = int(4);
    if (kind === 0) bytes[at] = int(256);
    else if (kind === 1) bytes.splice(at, 1 + int(40));
    else if (kind === 2)
      bytes.splice(at, 0, ...Array.from({ length: 1 + int(8) }, () => [0, 255, int(256)][int(3)] ?? 0));
    else bytes.splice(at, 4, 255, 255, 255, int(2) * 127);
  }
  return new Uint8Array(bytes);
}

/** Some bytes are others; nothing moves, so that most such files can still be read. */
export function flipped(file: Uint8Array, seed: number): Uint8Array {
  const random = randomFrom(seed);
  const bytes = new Uint8Array(file);
  for (let count = 0; count < 3; count++)
    bytes[Math.floor(random() * bytes.length)] = Math.floor(random() * 256);
  return bytes;
}
