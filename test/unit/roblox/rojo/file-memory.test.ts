/** A reading that remembers model files gives what a reading without memory gives, whatever happened to the files. */
import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeBinaryModel } from "../../../../src/roblox/binary-writer.ts";
import { openClassData } from "../../../../src/roblox/class-data.ts";
import { ModelBuilder, NO_PARENT } from "../../../../src/roblox/model.ts";
import { realDisk } from "../../../../src/roblox/rojo/disk.ts";
import { FileMemory } from "../../../../src/roblox/rojo/file-memory.ts";
import type { RojoNode } from "../../../../src/roblox/rojo/node.ts";
import { readRojoTreeAsync } from "../../../../src/roblox/rojo/project.ts";
import { FileSchema } from "../../../../src/roblox/schema.ts";
import { utf8ByteString } from "../../../../src/util/bytes.ts";

const classes = new URL("../../../../build/classes.txt", import.meta.url);
const schema = new FileSchema(openClassData(readFileSync(classes, "utf8")));
const folder = mkdtempSync(join(tmpdir(), "sb-file-memory-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const write = (name: string, content: string | Uint8Array) => Bun.write(join(folder, name), content);
const writeJson = (name: string, value: unknown) => write(name, JSON.stringify(value));

function modelFile(partName: string): Uint8Array {
  const builder = new ModelBuilder();
  const model = builder.add("Model", NO_PARENT);
  const part = builder.add("Part", model);
  builder.set(model, "Name", { type: "String", value: utf8ByteString("Inside") });
  builder.set(part, "Name", { type: "String", value: utf8ByteString(partName) });
  builder.set(model, "PrimaryPart", { type: "Ref", value: part });
  return writeBinaryModel(builder.finish(), () => false);
}

async function writeProjectAsync(tree: object): Promise<void> {
  await writeJson("default.project.json", { name: "Memory", tree: { $className: "Folder", ...tree } });
}

const byWay = (root: RojoNode, ...names: readonly string[]): RojoNode | undefined =>
  names.reduce<RojoNode | undefined>((at, name) => at?.children.find((child) => child.name === name), root);

test("every reading with a memory is as one without, after each change of the files", async () => {
  const memory = new FileMemory();
  const file = join(folder, "default.project.json");
  const readAsync = async () => {
    const remembered = await readRojoTreeAsync(file, schema, realDisk, { memory });
    expect(remembered).toEqual(await readRojoTreeAsync(file, schema));
    return remembered;
  };
  const changes: readonly (() => Promise<unknown>)[] = [
    async () => {
      await write("House.rbxm", modelFile("Door"));
      await writeJson("Values.model.json", {
        className: "Folder",
        // A file does not hold this, which is a problem that each reading tells.
        children: [{ name: "Speed", className: "Part", properties: { AssemblyMass: 3 }, id: "door" }],
      });
      await writeProjectAsync({
        House: { $path: "House.rbxm", $properties: { WorldPivot: [1, 2, 3, 1, 0, 0, 0, 1, 0, 0, 0, 1] } },
        Twin: { $path: "House.rbxm", More: { $className: "Folder" } },
        Values: { $path: "Values.model.json", $attributes: { A: 1 } },
      });
    },
    async () => {},
    // What a project adds to the root of a file may not stay with the file.
    () => writeProjectAsync({ House: { $path: "House.rbxm" }, Values: { $path: "Values.model.json" } }),
    () => write("House.rbxm", modelFile("Gate")),
    () => writeJson("Values.model.json", { className: "Folder", children: [] }),
    () => writeProjectAsync({ Other: { $path: "House.rbxm" } }),
    () => write("House.rbxm", modelFile("Door")),
  ];
  for (const change of changes) {
    await change();
    await readAsync();
  }
});

test("a tree stays as it was read, and has only nodes of its own", async () => {
  const memory = new FileMemory();
  await write("House.rbxm", modelFile("Door"));
  await writeProjectAsync({ House: { $path: "House.rbxm" } });
  const read = () => readRojoTreeAsync(join(folder, "default.project.json"), schema, realDisk, { memory });
  await read();
  const [first, second] = [await read(), await read()];
  const [one, other] = [byWay(first.root, "House"), byWay(second.root, "House")];
  expect(one?.references.get("PrimaryPart")).toBe(byWay(first.root, "House", "Door"));
  expect(other?.references.get("PrimaryPart")).toBe(byWay(second.root, "House", "Door"));
  one?.children.pop();
  expect(byWay((await read()).root, "House", "Door")).toBeDefined();
});

test("the first reading keeps nothing, and a file that was not read for one reading is forgotten", async () => {
  const memory = new FileMemory();
  let made = 0;
  const node: RojoNode = {
    name: "A",
    className: "Folder",
    properties: new Map(),
    attributes: new Map(),
    references: new Map(),
    children: [],
  };
  const nodeAsync = (path: string) =>
    memory.nodeAsync(path, new Uint8Array([1]), schema, async () => {
      made += 1;
      return node;
    });
  for (const path of ["one", "one", "one", "two", "one"]) {
    memory.beginReading();
    await nodeAsync(path);
  }
  expect(made).toBe(4);
});
