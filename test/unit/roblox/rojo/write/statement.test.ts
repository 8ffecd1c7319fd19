/** Meta files, JSON models and projects: only what changes is touched, and the result reads back as the new Instance. */
import { describe, expect, test } from "bun:test";
import type { FileValue } from "../../../../../src/roblox/model.ts";
import { realDisk } from "../../../../../src/roblox/rojo/disk.ts";
import { jsonModelNode } from "../../../../../src/roblox/rojo/json-model.ts";
import { newNode, type RojoNode } from "../../../../../src/roblox/rojo/node.ts";
import { parseJsonAsync } from "../../../../../src/roblox/rojo/read-json.ts";
import {
  changedModelPart,
  modelJsonText,
  withModelPart,
  withoutModelPart,
} from "../../../../../src/roblox/rojo/write/json-model.ts";
import { metaText } from "../../../../../src/roblox/rojo/write/meta.ts";
import { changedProjectNode, newProjectText } from "../../../../../src/roblox/rojo/write/project.ts";
import { randomFrom } from "../../generated.ts";
import { nodeAt, schema, withTreeAsync } from "../rojo-tree.ts";

const number = (value: number): FileValue => ({ type: "Float32", value });
const flag = (value: boolean): FileValue => ({ type: "Bool", value });
const bytes = (value: string): FileValue => ({ type: "String", value });
const properties = (entries: Record<string, FileValue | undefined>) => ({
  properties: new Map(Object.entries(entries)),
});
const attributes = (entries: Record<string, FileValue | undefined>) => ({
  attributes: new Map(Object.entries(entries)),
});

describe("a meta file", () => {
  test("is made for what its Instance says beside its file", () => {
    const changes = {
      className: "Model",
      ...properties({ LevelOfDetail: { type: "Enum", value: 1 } }),
      ...attributes({ hp: { type: "Float64", value: 5 } }),
    };
    expect(metaText(schema, undefined, "Folder", changes)).toEqual({
      text: `{\n  "className": "Model",\n  "properties": {\n    "LevelOfDetail": "StreamingMesh"\n  },\n  "attributes": {\n    "hp": 5\n  }\n}\n`,
      unwritable: [],
    });
  });

  const old = `{
    // why this is off
    "properties": {
        "Disabled": true, /* for now */
        "Tags": ["a"],
    },
    "ignoreUnknownInstances": true
}
`;

  test("keeps its comments, order and indentation", () => {
    expect(metaText(schema, old, "Script", properties({ Disabled: flag(false) })).text).toBe(
      old.replace("true, /*", "false, /*"),
    );
    expect(metaText(schema, old, "Script", properties({ Tags: undefined })).text).toBe(
      old.replace(/ {8}"Tags".*\n/, ""),
    );
    expect(metaText(schema, old, "Script", properties({ Disabled: flag(true) })).text).toBe(old);
  });

  test("changes a property under the name that the file has for it", () => {
    const meta = '{ "properties": { "size": [1, 2, 3] } }';
    const size: FileValue = { type: "Vector3", value: [4, 5, 6] };
    expect(metaText(schema, meta, "Part", properties({ Size: size })).text).toBe(
      meta.replace("1, 2, 3", "4, 5, 6"),
    );
    const both = '{ "properties": { "size": [1, 2, 3], "Size": [7, 8, 9] } }';
    expect(metaText(schema, both, "Part", properties({ Size: size })).text).toBe(
      '{ "properties": { "size": [4, 5, 6] } }',
    );
  });

  test("changes attributes where the file has them", () => {
    const meta = '{ "properties": { "Attributes": { "Attributes": { "hp": { "Float64": 1 } } } } }';
    expect(metaText(schema, meta, "Folder", attributes({ hp: { type: "Float64", value: 2 } })).text).toBe(
      meta.replace("1", "2"),
    );
  });

  test("is gone when it says nothing any more", () => {
    const meta = '{"properties": {"Disabled": true}, "$schema": "x"}';
    expect(metaText(schema, meta, "Script", properties({ Disabled: undefined })).text).toBeUndefined();
    const explained = '{\n  // see the wiki\n  "properties": { "Disabled": true }\n}\n';
    expect(metaText(schema, explained, "Script", properties({ Disabled: undefined })).text).toContain(
      "// see the wiki",
    );
  });

  test("says what it cannot hold, and keeps what it had", () => {
    const meta = '{"properties": {"Volume": 1}}';
    expect(
      metaText(schema, meta, "Sound", {
        ...properties({ Volume: number(Infinity) }),
        ...attributes({ "\xff": bytes("x") }),
      }),
    ).toEqual({
      text: meta,
      unwritable: [
        { name: "Volume", reason: "is infinite, which JSON cannot hold" },
        { name: "\ufffd", reason: "has a name that is not UTF-8" },
      ],
    });
  });
});

/** As the reader gives it, in a form that can be compared. */
async function readModelAsync(text: string): Promise<object> {
  const node = jsonModelNode("Root", await parseJsonAsync(text), { schema, problems: [], disk: realDisk });
  return plain(node);
}

function plain({ name, className, properties: own, attributes: named, children, id }: RojoNode): object {
  return {
    name,
    className,
    id,
    properties: new Map([...own].sort()),
    attributes: new Map([...named].sort()),
    children: children.map(plain),
  };
}

class Nodes {
  readonly #random: () => number;
  constructor(seed: number) {
    this.#random = randomFrom(seed);
  }

  int = (limit: number) => Math.floor(this.#random() * limit);

  properties(): Map<string, FileValue> {
    const all: [string, FileValue][] = [
      ["Transparency", number(this.int(8) / 8)],
      ["Anchored", flag(this.int(2) === 1)],
      ["Size", { type: "Vector3", value: [this.int(9), this.int(9), 0.5] }],
      ["Material", { type: "Enum", value: [272, 256, 512][this.int(3)] ?? 272 }],
      ["Tags", bytes(["a", "b\0c"][this.int(2)] ?? "")],
    ];
    return new Map(all.filter(() => this.int(3) === 0));
  }

  attributes(): Map<string, FileValue> {
    const all: [string, FileValue][] = [
      ["hp", { type: "Float64", value: this.int(100) / 7 }],
      ["where", { type: "UDim2", value: [0.5, this.int(9), 0.25, 4] }],
      ["__proto__", bytes("odd name")],
    ];
    return new Map(all.filter(() => this.int(4) === 0));
  }

  node(name: string, depth: number): RojoNode {
    const node = { ...newNode(name, "Part"), properties: this.properties(), attributes: this.attributes() };
    if (this.int(6) === 0) node.id = `id${this.int(99)}`;
    const count = depth === 0 ? 0 : this.int(4);
    for (let index = 0; index < count; index++) node.children.push(this.node(`N${this.int(3)}`, depth - 1));
    return node;
  }

  /** A way from the top to some Instance. */
  position(node: RojoNode): number[] {
    if (node.children.length === 0 || this.int(3) === 0) return [];
    const index = this.int(node.children.length);
    const child = node.children[index];
    return child === undefined ? [] : [index, ...this.position(child)];
  }
}

const at = (root: RojoNode, position: readonly number[]): RojoNode =>
  position.reduce((node, index) => {
    const child = node.children[index];
    if (child === undefined) throw new Error("no such child");
    return child;
  }, root);

describe("a JSON model", () => {
  test("reads back as the tree that was written, and written twice it is the same", async () => {
    const nodes = new Nodes(1);
    for (let count = 0; count < 100; count++) {
      const root = nodes.node("Root", 3);
      const { text, unwritable } = modelJsonText(schema, root);
      expect(unwritable).toEqual([]);
      expect(await readModelAsync(text)).toEqual(plain(root));
      expect(modelJsonText(schema, root).text).toBe(text);
    }
  });

  test("reads back as the changed tree after changes of its parts", async () => {
    const nodes = new Nodes(2);
    for (let count = 0; count < 60; count++) {
      const root = nodes.node("Root", 3);
      let { text } = modelJsonText(schema, root);
      for (let step = 0; step < 6; step++) {
        const position = nodes.position(root);
        const node = at(root, position);
        text = step % 3 === 0 ? edited(text, position, node) : restructured(text, position, node);
        expect(await readModelAsync(text)).toEqual(plain(root));
      }
    }

    function edited(text: string, position: readonly number[], node: RojoNode): string {
      const after = { properties: nodes.properties(), attributes: nodes.attributes() };
      const changes = {
        properties: new Map(
          [...node.properties.keys(), ...after.properties.keys()].map((name) => [
            name,
            after.properties.get(name),
          ]),
        ),
        attributes: new Map(
          [...node.attributes.keys(), ...after.attributes.keys()].map((name) => [
            name,
            after.attributes.get(name),
          ]),
        ),
        ...(position.length === 0 ? {} : { name: "Renamed" }),
      };
      if (position.length > 0) node.name = "Renamed";
      replaceAll(node.properties, after.properties);
      replaceAll(node.attributes, after.attributes);
      const once = changedModelPart(schema, text, position, node.className, changes);
      expect(once.unwritable).toEqual([]);
      expect(changedModelPart(schema, once.text, position, node.className, changes).text).toBe(once.text);
      return once.text;
    }

    function restructured(text: string, position: readonly number[], node: RojoNode): string {
      const last = node.children.length - 1;
      if (nodes.int(2) === 0 && last >= 0) {
        node.children.pop();
        return withoutModelPart(text, [...position, last]);
      }
      const added = nodes.node("Added", 1);
      node.children.push(added);
      return withModelPart(schema, text, position, added).text;
    }
  });

  function replaceAll<Value>(map: Map<string, Value>, values: ReadonlyMap<string, Value>): void {
    map.clear();
    for (const [name, value] of values) map.set(name, value);
  }

  test("keeps the comments and the capitals of old files", () => {
    const old = `{
  "ClassName": "Folder",
  // the parts
  "Children": [
    { "Name": "A", "ClassName": "Part", "Properties": { "Anchored": true } }, // first
    { "Name": "B", "ClassName": "Part" }
  ]
}
`;
    const changes = properties({ Anchored: undefined, Transparency: number(0.1) });
    expect(changedModelPart(schema, old, [0], "Part", changes).text).toBe(
      old.replace('"Anchored": true', '"Transparency": 0.1'),
    );
    expect(withoutModelPart(old, [1])).toBe(old.replace(/,( \/\/ first\n).*\n/, "$1"));
    expect(() => withoutModelPart(old, [2])).toThrow("the model has no Instance at 2");
  });
});

describe("a project", () => {
  const project = `{
  "name": "Game", // ours
  "tree": {
    "$className": "DataModel",
    "Lighting": {
      "$properties": {
        "ClockTime": 12,
        "Ambient": [0, 0, 0]
      }
    },
    "ReplicatedStorage": { "$path": "shared" }
  }
}
`;
  const lighting = ["tree", "Lighting"];

  test("changes the properties of a node", () => {
    const { text } = changedProjectNode(schema, project, lighting, "Lighting", {
      ...properties({ ClockTime: number(3.1), Ambient: undefined }),
      ...attributes({ mood: bytes("dark") }),
    });
    expect(text).toBe(
      project.replace(
        / {6}"\$properties": \{[^}]*\}/,
        '      "$properties": {\n        "ClockTime": 3.1\n      },\n      "$attributes": {\n        "mood": "dark"\n      }',
      ),
    );
    const none = changedProjectNode(
      schema,
      project,
      lighting,
      "Lighting",
      properties({ ClockTime: undefined, Ambient: undefined }),
    );
    expect(none.text).toBe(project.replace(/\{\n {6}"\$properties": \{[^}]*\}\n {4}\}/, "{}"));
  });

  test("for a name that no file can bear reads back as that name", async () => {
    const files = {
      "default.project.json": { name: "P", tree: { $path: "src" } },
      "src/odd.project.json": newProjectText("a/b: c", { $path: "odd-files" }),
      "src/odd-files/x.luau": "",
    };
    await withTreeAsync(files, ({ root }) => {
      expect(nodeAt(root, "a/b: c", "x").className).toBe("ModuleScript");
    });
  });
});
