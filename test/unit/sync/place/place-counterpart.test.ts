/** Places and models as the other side of a sync: what is read, and what is refused. */
import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { StudioBridgeError } from "../../../../src/protocol/errors.ts";
import { writeBinaryModel } from "../../../../src/roblox/binary-writer.ts";
import { ModelBuilder, NO_PARENT } from "../../../../src/roblox/model.ts";
import { newNode } from "../../../../src/roblox/rojo/node.ts";
import { writeXmlModel } from "../../../../src/roblox/xml-writer.ts";
import { placeCounterpartAsync } from "../../../../src/sync/place/place-counterpart.ts";

const folder = mkdtempSync(join(tmpdir(), "sb-place-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const { signal } = new AbortController();

/** A file with these roots, each with a script below it. */
function fileOf(name: string, roots: readonly string[]): string {
  const builder = new ModelBuilder();
  for (const root of roots) {
    const id = builder.add(root, NO_PARENT);
    builder.set(id, "Name", { type: "String", value: root });
    const script = builder.add("ModuleScript", id);
    builder.set(script, "Name", { type: "String", value: "M" });
    builder.set(script, "Source", { type: "String", value: "return 1" });
  }
  const model = builder.finish();
  const path = join(folder, name);
  writeFileSync(path, name.endsWith("x") ? writeXmlModel(model) : writeBinaryModel(model, () => false));
  return path;
}

const failureAsync = async (work: Promise<unknown>): Promise<StudioBridgeError> => {
  const error: unknown = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error instanceof StudioBridgeError) return error;
  throw new Error(`expected a StudioBridgeError, got ${error}`);
};

const readAsync = async (path: string, rootClass: string) =>
  (await placeCounterpartAsync(path)).readAsync(newNode("Game", rootClass), "listed", signal);

test.each(["place.rbxl", "place.rbxlx"])("reads the services of %s below a DataModel", async (name) => {
  const root = await readAsync(fileOf(name, ["ReplicatedStorage", "ServerStorage"]), "DataModel");
  expect(root.className).toBe("DataModel");
  expect(root.children.map(({ className }) => className)).toEqual(["ReplicatedStorage", "ServerStorage"]);
  const [script] = root.children[0]?.children ?? [];
  expect(script?.properties.get("Source")).toEqual({ type: "String", value: "return 1" });
});

test("the root of a model has the name of the project, whatever its file says", async () => {
  const root = await readAsync(fileOf("model.rbxm", ["Folder"]), "Folder");
  expect([root.name, root.className, root.children.length]).toEqual(["Game", "Folder", 1]);
});

test.each([
  ["one.rbxm", ["Folder"], "DataModel", "is a model, but the project is a place"],
  ["one.rbxl", ["Workspace"], "Folder", "is a place, but the project is a model"],
  ["two.rbxm", ["Folder", "Folder"], "Folder", "has 2 roots"],
] as const)(
  "refuses %s with %p for a project whose root is a %s",
  async (name, roots, rootClass, message) => {
    const error = await failureAsync(readAsync(fileOf(name, roots), rootClass));
    expect(error.message).toContain(message);
    expect([error.code, error.hint !== undefined]).toEqual(["INVALID_INPUT", true]);
  },
);

test("a damaged file and one that is not there are errors of that file", async () => {
  const damaged = join(folder, "damaged.rbxl");
  writeFileSync(damaged, "<roblox! nothing of the kind");
  expect((await failureAsync(readAsync(damaged, "DataModel"))).code).toBe("FILE_ERROR");
  expect((await failureAsync(readAsync(join(folder, "none.rbxl"), "DataModel"))).code).toBe("FILE_ERROR");
  expect((await failureAsync(placeCounterpartAsync(join(folder, "a.txt")))).code).toBe("INVALID_INPUT");
});

test("nothing is written into a place file, and each push says so", async () => {
  const counterpart = await placeCounterpartAsync(fileOf("kept.rbxl", ["Workspace"]));
  expect(counterpart.isWritable).toBe(false);
  const item = {
    id: "@1",
    path: "Workspace.M",
    className: "ModuleScript",
    change: "edit",
    verdict: "push",
    aspects: [],
  } as const;
  const plan = { items: [item], pairs: new Map() };
  const names = { step: { project: "", plan: "" }, revision: "" };
  expect(await counterpart.applyAsync([item], plan, signal, names)).toEqual([
    { item, applied: false, reason: "a place file is only read; `sb build` writes one" },
  ]);
});
