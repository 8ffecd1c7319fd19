/** The bytes of a place for a task: Folders stand in for services, and other Instances stay as they are. */
import { expect, test } from "bun:test";
import { loadFileSchemaAsync } from "../../../../src/headless/index.ts";
import { readBinaryModel } from "../../../../src/roblox/binary-reader.ts";
import type { FileValue } from "../../../../src/roblox/model.ts";
import { modelOf, newNode, nodesOf, type RojoNode } from "../../../../src/roblox/rojo/node.ts";
import { placeInput } from "../../../../src/testing/cloud/place-input.ts";

const schema = await loadFileSchemaAsync();

function node(className: string, ...children: RojoNode[]): RojoNode {
  const made = newNode(className, className);
  made.children.push(...children);
  return made;
}

/** The tree of Instances as class and name, with the class of a stand-in being the one that it stands for. */
function inputOf(...services: RojoNode[]) {
  const input = placeInput({ model: modelOf(node("DataModel", ...services), schema), schema });
  const length = new DataView(input.buffer).getUint32(0, true);
  const table = JSON.parse(new TextDecoder().decode(input.subarray(4, 4 + length)));
  const shown = ({ className, name, children }: RojoNode): unknown[] => [
    table[name] === undefined ? `${className} ${name}` : `for ${table[name].className}`,
    ...children.map(shown),
  ];
  const roots = nodesOf(readBinaryModel(input.subarray(4 + length)).model);
  return { table, roots, tree: roots.map(shown) };
}

test("services, and Instances in them that scripts cannot create, become Folders", () => {
  const { tree } = inputOf(
    node("ReplicatedStorage", node("ModuleScript")),
    node("StarterPlayer", node("StarterPlayerScripts", node("LocalScript"))),
    node("Lighting"),
  );
  // A service without any content is left out.
  expect(tree.toSorted()).toEqual([
    ["for ReplicatedStorage", ["ModuleScript ModuleScript"]],
    ["for StarterPlayer", ["for StarterPlayerScripts", ["LocalScript LocalScript"]]],
  ]);
});

test("Instances elsewhere that scripts cannot create are left out", () => {
  const { tree } = inputOf(node("Workspace", node("Model", node("Terrain"), node("Part"))));
  expect(tree).toEqual([["for Workspace", ["Model Model", ["Part Part"]]]]);
});

test("attributes and tags of a service are on its Folder, and its simple properties are in the table", () => {
  const service = node("Workspace");
  service.attributes.set("Stage", { type: "String", value: "test" });
  service.properties.set("Tags", { type: "Tags", value: ["seen"] });
  const properties: readonly (readonly [string, FileValue])[] = [
    ["Gravity", { type: "Float32", value: 50 }],
    ["StreamingEnabled", { type: "Bool", value: false }],
    ["GlobalWind", { type: "Vector3", value: [1, 2, 3] }],
  ];
  for (const [name, value] of properties) service.properties.set(name, value);
  const { table, roots } = inputOf(service);
  expect(Object.values(table)).toEqual([
    { className: "Workspace", properties: { Gravity: 50, StreamingEnabled: false } },
  ]);
  expect(roots[0]?.attributes.get("Stage")).toEqual({ type: "String", value: "test" });
  expect(roots[0]?.properties.get("Tags")?.value).toBe("seen");
});

test("references between Instances stay", () => {
  const value = node("ObjectValue");
  const part = node("Part");
  value.references.set("Value", part);
  const { roots } = inputOf(node("ReplicatedStorage", part, value));
  const found = roots[0]?.children.find(({ className }) => className === "ObjectValue");
  expect(found?.references.get("Value")?.className).toBe("Part");
});
