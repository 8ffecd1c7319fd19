/** An agent builds a map, looks at it and changes it, over stdio, with the calls and bytes that it takes; a person undoes it. */
import { expect, test } from "bun:test";
import { Sandbox } from "../harness.ts";
import { CountingAgent } from "../peers/counting-agent.ts";

interface Edited {
  readonly ok: boolean;
  readonly items: readonly { readonly ok: boolean; readonly path: string; readonly id: string }[];
  readonly undo: { readonly recorded: boolean; readonly name: string };
}

const part = (name: string, position: readonly number[], size: readonly number[], color: string) => ({
  className: "Part",
  name,
  properties: { Position: position, Size: size, Color: color, Anchored: true },
});

/** 60 Instances: the map, its floor, four walls, and eighteen towers of a model, a base and a lamp. */
const map = {
  op: "create",
  className: "Folder",
  parent: "Workspace",
  name: "Map",
  children: [
    part("Floor", [0, 0, 0], [200, 1, 200], "#557755"),
    ...[
      [0, -100],
      [0, 100],
      [-100, 0],
      [100, 0],
    ].map(([x = 0, z = 0], index) =>
      part(`Wall${index + 1}`, [x, 5, z], x === 0 ? [200, 10, 1] : [1, 10, 200], "#888888"),
    ),
    ...Array.from({ length: 18 }, (_, index) => ({
      className: "Model",
      name: `Tower${index + 1}`,
      tags: ["Tower"],
      attributes: { Floors: index % 4 },
      children: [
        part("Base", [index * 10 - 85, 10, 0], [6, 20, 6], "#aa8866"),
        {
          ...part("Lamp", [index * 10 - 85, 21, 0], [2, 2, 2], "#ffee88"),
          properties: { Material: "Neon", Position: [index * 10 - 85, 21, 0], Size: [2, 2, 2] },
        },
      ],
    })),
  ],
};

test("a map of 60 Instances is made by one call, seen by two, moved on a condition, and undone by a step for each change", async () => {
  await using box = await Sandbox.createAsync();
  await box.headlessAsync();
  await using agent = await CountingAgent.openAsync(box);
  const luauAsync = async (code: string) => (await box.sbAsync(["exec", code])).stdout.trim();
  /** What Ctrl+Z does. */
  const undoAsync = () => luauAsync('game:GetService("ChangeHistoryService"):Undo()');
  const countAsync = () =>
    luauAsync(`local map = workspace:FindFirstChild("Map") return map and 1 + #map:GetDescendants()`);

  const made = await agent.askAsync<Edited>("studio_edit", { operations: [map] });
  expect(made).toMatchObject({
    ok: true,
    items: [{ index: 0, ok: true, path: "Workspace.Map" }],
    undo: { recorded: true, name: "sb: create Workspace.Map" },
  });
  expect(await countAsync()).toBe("60");

  const { instance } = await agent.askAsync<{ instance: { children: readonly { name: string }[] } }>(
    "studio_query",
    { path: "Workspace.Map", depth: 1, properties: ["Position"] },
  );
  expect(instance.children).toHaveLength(23);
  const lamps = await agent.askAsync<{
    total: number;
    instances: readonly { path: string; id: string; properties: object }[];
  }>("studio_query", {
    selector: "Model.Tower[$Floors = 3] > #Lamp",
    path: "Workspace.Map",
    properties: ["Position"],
  });
  expect(lamps.total).toBe(4);
  const [{ id, path } = { id: "", path: "" }] = lamps.instances;
  expect(path).toBe("Workspace.Map.Tower4.Lamp");

  const raise = (material: string) => ({
    operations: [
      {
        op: "set",
        path: id,
        properties: { Position: [-55, 30, 0] },
        expect: { properties: { Material: material } },
      },
    ],
  });
  const refused = await agent.askAsync<Edited>("studio_edit", raise("Plastic"));
  expect(refused).toMatchObject({
    ok: false,
    items: [{ index: 0, ok: false, path, id, code: "PRECONDITION_FAILED" }],
    undo: { recorded: false },
  });
  const height = `return workspace.Map.Tower4.Lamp.Position.Y`;
  expect(await luauAsync(height)).toBe("21");
  expect(await agent.askAsync<Edited>("studio_edit", raise("Neon"))).toMatchObject({
    ok: true,
    items: [{ ok: true, path, id }],
    undo: { recorded: true, name: `sb: set ${id}` },
  });
  expect(await luauAsync(height)).toBe("30");
  expect(agent.calls).toBe(5);
  expect(agent.bytes).toBeLessThan(6 * 1024);

  await undoAsync();
  expect(await luauAsync(height)).toBe("21");
  await undoAsync();
  expect(await countAsync()).toBe("nil");
  expect(await luauAsync('return (game:GetService("ChangeHistoryService"):GetCanUndo())')).toBe("false");
}, 120_000);
