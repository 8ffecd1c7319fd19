/** A generated place of so many Instances, to measure how long a plan of it takes. */
import type { FileValue } from "../../../../src/roblox/model.ts";
import type { RojoNode } from "../../../../src/roblox/rojo/node.ts";
import { randomFrom } from "../../roblox/generated.ts";
import { allBelow, copyOf } from "./random-trees.ts";
import { node, number, originOf, text } from "./trees.ts";

const MODEL_PARTS = 28;
/** Of the parts: those that share their name with a sibling, and those with an attribute and a tag. */
const EQUAL_NAMES = 0.06;
const TAGGED = 0.01;
const SOURCE_LINES = 250;

export interface LargePlace {
  readonly files: RojoNode;
  readonly studio: RojoNode;
  readonly base: RojoNode;
}

/** The three sides are equal and share no value. Studio and the base have Studio's numbers. */
export function largePlace(count: number): LargePlace {
  const files = placeOf(count);
  const [studio, base] = [copyOf(files), copyOf(files)];
  for (const tree of [studio, base])
    for (const [index, each] of allBelow(tree).entries()) {
      each.studioId = index + 1;
      for (const [name, value] of each.properties) each.properties.set(name, structuredClone(value));
    }
  return { files, studio, base };
}

/** Changes one in a hundred Instances. */
export function changeSome(tree: RojoNode): void {
  for (const [index, { className, properties }] of allBelow(tree).entries()) {
    if (index % 100 !== 0) continue;
    if (className === "ModuleScript") properties.set("Source", text(`changed ${index}`));
    if (className === "Part") properties.set("Transparency", number(0.77));
  }
}

function placeOf(count: number): RojoNode {
  const random = randomFrom(7);
  const int = (limit: number) => Math.floor(random() * limit);
  const storage = node("ReplicatedStorage", "ReplicatedStorage");
  const root = node("game", "DataModel", { children: [storage] });
  root.origin = originOf({ kind: "projectNode", ignoreUnknownInstances: true });
  const part = (index: number): RojoNode => {
    const isTagged = random() < TAGGED;
    const tuple = (type: "Vector3" | "CFrame", value: readonly number[]): FileValue => ({ type, value });
    return node(random() < EQUAL_NAMES ? "Part" : `P${index}`, "Part", {
      properties: {
        Size: tuple("Vector3", [4, 1, int(9)]),
        CFrame: tuple("CFrame", [int(1000), int(1000), int(1000), 1, 0, 0, 0, 1, 0, 0, 0, 1]),
        Anchored: { type: "Bool", value: true },
        Material: { type: "Enum", value: 256 },
        Transparency: { type: "Float32", value: Math.fround(int(10) / 10) },
      },
      ...(isTagged ? { attributes: { A: number(int(5)) }, tags: ["tag"] } : {}),
    });
  };
  for (let made = 2; made < count; made += MODEL_PARTS + 2) {
    const script = node("Main", "ModuleScript", {
      source: `-- ${made}\n${"local x = 1\n".repeat(SOURCE_LINES)}`,
    });
    const parts = Array.from({ length: MODEL_PARTS }, (_, index) => part(index));
    const model = node(`M${made}`, "Model", { children: [script, ...parts] });
    if (parts[0] !== undefined) model.references.set("PrimaryPart", parts[0]);
    storage.children.push(model);
  }
  return root;
}
