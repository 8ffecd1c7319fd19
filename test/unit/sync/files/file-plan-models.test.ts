/** Which files a pull changes where one file holds several Instances: JSON, XML and binary models. */
import { describe, expect, test } from "bun:test";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { builtFile } from "../../../../src/roblox/rojo/build.ts";
import { newNode } from "../../../../src/roblox/rojo/node.ts";
import { readRojoTreeAsync } from "../../../../src/roblox/rojo/project.ts";
import { add, at, names, reasonsAsync, remove, schema, setSource, worldAsync } from "./sync-world.ts";

describe("files of several Instances", () => {
  test("are edited inside: parts change, come, go and move", async () => {
    await using world = await worldAsync({
      "src/M.model.json": {
        className: "Model",
        children: [
          { name: "A", className: "Part", properties: { Anchored: true } },
          { name: "B", className: "Folder", children: [{ name: "Deep", className: "Part" }] },
          { name: "C", className: "ModuleScript", properties: { Source: "return 1" } },
        ],
      },
      "src/F/": "",
      "src/F/keep.luau": "",
    });
    const model = at(world.studio, "ReplicatedStorage/M");
    at(model, "A").properties.set("Anchored", { type: "Bool", value: false });
    at(model, "A").name = "Renamed";
    remove(model, "B");
    setSource(at(model, "C"), "return 2");
    add(add(model, "New", "Folder"), "Below", "ModuleScript", "return 3");
    await world.pullAsync();
    expect(await world.leftAsync()).toEqual([]);
    const json = JSON.parse(await readFile(join(world.folder, "src/M.model.json"), "utf8"));
    expect(json.children.map(({ name }: { name: string }) => name)).toEqual(["Renamed", "C", "New"]);
    at(world.studio, "ReplicatedStorage/F").children.push(remove(model, "C"));
    await world.pullAsync();
    expect(await world.leftAsync()).toEqual([]);
    expect(await names(world)).toEqual(["src/F/", "src/F/C.luau", "src/F/keep.luau", "src/M.model.json"]);
  });
});

describe("binary and XML models", () => {
  for (const ending of ["rbxm", "rbxmx"] as const) {
    test(`a .${ending} is written anew with what changed in it, and keeps the rest`, async () => {
      const model = newNode("M", "Model");
      const [part, weld] = [add(model, "P", "Part"), add(model, "W", "WeldConstraint")];
      part.properties.set("Size", { type: "Vector3", value: [1, 2, 3] });
      part.attributes.set("kept", { type: "Bool", value: true });
      weld.references.set("Part0", part);
      add(model, "S", "Script", "print(1)\n");
      await using world = await worldAsync({ [`src/M.${ending}`]: builtFile(model, schema, ending).content });
      const there = at(world.studio, "ReplicatedStorage/M");
      setSource(at(there, "S"), "print(2)\n");
      at(there, "P").properties.set("Transparency", { type: "Float32", value: 0.5 });
      const fresh = add(there, "New", "ObjectValue");
      fresh.references.set("Value", at(there, "P"));
      await world.pullAsync();
      expect(await world.leftAsync()).toEqual([]);
      expect(await names(world)).toEqual([`src/M.${ending}`]);
      const { tree } = (await world.planAsync()).input.project;
      const read = at(tree.root, "ReplicatedStorage/M");
      expect(at(read, "P").attributes).toEqual(new Map([["kept", { type: "Bool", value: true }]]));
      expect([...at(read, "W").references.values()]).toEqual([at(read, "P")]);
    });
  }

  test("what Studio has under an old and a newer name is written, in a model file under the newer one", async () => {
    await using world = await worldAsync({ "src/": "" });
    const screen = add(at(world.studio, "ReplicatedStorage"), "Hud", "ScreenGui");
    screen.properties.set("IgnoreGuiInset", { type: "Bool", value: true });
    screen.properties.set("ScreenInsets", { type: "Enum", value: 1 });
    const round = { type: "UDim", value: [0, 12] } as const;
    // An older Studio has this name alone.
    add(screen, "Old", "UICorner").properties.set("CornerRadius", round);
    const corner = add(screen, "New", "UICorner");
    for (const name of ["CornerRadius", "TopLeftRadius", "TopRightRadius", "BottomLeftRadius"])
      corner.properties.set(name, round);
    corner.properties.set("BottomRightRadius", { type: "UDim", value: [0, 3] });
    expect(await reasonsAsync(world)).toEqual([]);
    await world.pullAsync();
    expect(await names(world)).toContain("src/Hud.rbxm");
    const { root } = await readRojoTreeAsync(join(world.folder, "default.project.json"), schema);
    const read = at(root, "ReplicatedStorage/Hud/New").properties;
    expect([read.get("TopLeftRadius"), read.get("BottomRightRadius")?.value]).toEqual([round, [0, 3]]);
  });

  test("a new model without scripts is one file, with its references inside", async () => {
    await using world = await worldAsync({ "src/A.luau": "" });
    const model = add(at(world.studio, "ReplicatedStorage"), "M", "Model");
    const [part, weld] = [add(model, "P", "Part"), add(model, "W", "WeldConstraint")];
    weld.references.set("Part0", part);
    await world.pullAsync();
    expect(await world.leftAsync()).toEqual([]);
    expect(await names(world)).toEqual(["src/A.luau", "src/M.rbxm"]);
    const { tree } = (await world.planAsync()).input.project;
    expect(at(tree.root, "ReplicatedStorage/M/P").attributes.size).toBe(0);
  });
});
