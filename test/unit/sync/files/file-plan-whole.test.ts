/** What a pull must not lose or refuse: kinds of files and names with which other tools lose work. */
import { describe, expect, test } from "bun:test";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { add, at, BAD_NAMES, names, reasonsAsync, remove, setSource, worldAsync } from "./sync-world.ts";

describe("where other tools lose work", () => {
  test("data modules, plugin scripts and forms of sync rules do not stop a pull of anything else", async () => {
    const syncRules = [{ pattern: "*.srv.luau", use: "legacyServerScript", suffix: ".srv.luau" }];
    const project = {
      name: "Game",
      syncRules,
      tree: { $className: "DataModel", ReplicatedStorage: { $path: "src" } },
    };
    await using world = await worldAsync(
      {
        "src/J.json": { a: 1 },
        "src/T.toml": "a = 1\n",
        "src/Y.yaml": "a: 1\n",
        "src/P.plugin.luau": "print(1)\n",
        "src/R.srv.luau": "print(1)\n",
        "src/A.luau": "return 1\n",
      },
      { project },
    );
    const parent = at(world.studio, "ReplicatedStorage");
    for (const name of ["J", "T", "Y"]) setSource(at(parent, name), "return 2\n");
    for (const name of ["P", "R"]) setSource(at(parent, name), "print(2)\n");
    setSource(at(parent, "A"), "return 2\n");
    await world.tryPullAsync();
    const left = await world.leftAsync();
    expect(left.map((line) => line.split(" ").slice(0, 3).join(" "))).toEqual([
      "ReplicatedStorage.J edit skip",
      "ReplicatedStorage.T edit skip",
      "ReplicatedStorage.Y edit skip",
    ]);
    const files = await world.snapshotAsync();
    expect(files["src/P.plugin.luau"]).toBe("644 print(2)\n");
    expect(files["src/R.srv.luau"]).toBe("644 print(2)\n");
    expect(files["src/Y.yaml"]).toBe("644 a: 1\n");
  });

  test("each kind of leaf that gains a child keeps its content and the child, or says why not", async () => {
    await using world = await worldAsync({
      "src/A.luau": "return 1\n",
      "src/B.client.luau": "print(1)\n",
      "src/C.csv": "Key,Source,en\nhi,Hi,Hi\n",
      "src/D.txt": "text",
      "src/E.model.json": { className: "RemoteEvent" },
      "src/J.json": { a: 1 },
    });
    for (const name of ["A", "B", "C", "D", "E", "J"])
      add(at(world.studio, `ReplicatedStorage/${name}`), "New", "ModuleScript", "return 2\n");
    expect(await reasonsAsync(world)).toEqual([
      "J.json holds data and nothing else; make it a .luau file by hand",
    ]);
    await world.tryPullAsync();
    expect(await world.leftAsync()).toEqual(["ReplicatedStorage.J.New add pull source"]);
    expect(await names(world)).toEqual([
      "src/A/",
      "src/A/New.luau",
      "src/A/init.luau",
      "src/B/",
      "src/B/New.luau",
      "src/B/init.client.luau",
      "src/C/",
      "src/C/New.luau",
      "src/C/init.csv",
      "src/D/",
      "src/D/New.luau",
      "src/D/init.meta.json",
      "src/E/",
      "src/E/New.luau",
      "src/E/init.meta.json",
      "src/J.json",
    ]);
  });

  test("each change names the file that it is written to", async () => {
    await using world = await worldAsync({
      "src/A.luau": "return 1\n",
      "src/B.luau": "return 1\n",
      "src/C/init.luau": "return 1\n",
      "src/C/Kid.luau": "return 1\n",
    });
    for (const name of ["A", "B"])
      add(at(world.studio, `ReplicatedStorage/${name}`), "New", "ModuleScript", "return 2\n");
    for (const name of ["B", "C"]) setSource(at(world.studio, `ReplicatedStorage/${name}`), "return 3\n");
    const { items, paths } = await world.planAsync();
    const named = items.map((item) => [item.path, paths.get(item)?.slice(world.folder.length + 1)]);
    expect(Object.fromEntries(named)).toEqual({
      "ReplicatedStorage.A.New": "src/A/New.luau",
      "ReplicatedStorage.B": "src/B/init.luau",
      "ReplicatedStorage.B.New": "src/B/New.luau",
      "ReplicatedStorage.C": "src/C/init.luau",
    });
  });

  test("a script of another class is read back as that class, in every direction", async () => {
    const classes = ["Script", "LocalScript", "ModuleScript"];
    const suffixes: Record<string, string> = {
      Script: ".server.luau",
      LocalScript: ".client.luau",
      ModuleScript: ".luau",
    };
    const files = Object.fromEntries(
      classes.flatMap((from) => classes.map((to) => [`src/${from}To${to}${suffixes[from]}`, "print(1)\n"])),
    );
    await using world = await worldAsync(files);
    for (const from of classes)
      for (const to of classes) at(world.studio, `ReplicatedStorage/${from}To${to}`).className = to;
    await world.pullAsync();
    expect(await world.leftAsync()).toEqual([]);
    expect(await names(world)).toEqual(
      classes.flatMap((from) => classes.map((to) => `src/${from}To${to}${suffixes[to]}`)).sort(),
    );
  });

  test("a Folder that becomes a ModuleScript gets an init file with the source, and back", async () => {
    await using world = await worldAsync({
      "src/F/A.luau": "return 1\n",
      "src/M/init.luau": "return 1\n",
      "src/M/A.luau": "",
    });
    const [folder, module] = [
      at(world.studio, "ReplicatedStorage/F"),
      at(world.studio, "ReplicatedStorage/M"),
    ];
    folder.className = "ModuleScript";
    setSource(folder, "return {}\n");
    module.className = "Folder";
    module.properties.delete("Source");
    await world.pullAsync();
    expect(await world.leftAsync()).toEqual([]);
    expect(await names(world)).toEqual([
      "src/F/",
      "src/F/A.luau",
      "src/F/init.luau",
      "src/M/",
      "src/M/A.luau",
    ]);
  });

  test("a StringValue that becomes another class gets another file", async () => {
    await using world = await worldAsync({ "src/V.txt": "5" });
    const value = at(world.studio, "ReplicatedStorage/V");
    value.className = "IntValue";
    value.properties.set("Value", { type: "Int64", value: 5n });
    await world.pullAsync();
    expect(await world.leftAsync()).toEqual([]);
    expect(await names(world)).toEqual(["src/V.model.json"]);
  });

  test("an old property in a file becomes those that have replaced it, when Studio changes one of them", async () => {
    await using world = await worldAsync({
      "src/A.model.json": {
        className: "ScreenGui",
        properties: { IgnoreGuiInset: true, ResetOnSpawn: false },
      },
      "src/C.model.json": { className: "UICorner", properties: { CornerRadius: { UDim: [0, 4] } } },
      "src/T.model.json": { className: "TextLabel", properties: { Font: "Arial", Text: "t" } },
      "src/P.model.json": { className: "Part", properties: { BrickColor: { BrickColor: 21 } } },
    });
    expect(await world.leftAsync()).toEqual([]);
    const inStudio = (name: string) => at(world.studio, `ReplicatedStorage/${name}`).properties;
    inStudio("A").delete("IgnoreGuiInset");
    inStudio("C").delete("CornerRadius");
    for (const [index, name] of ["BottomLeft", "BottomRight", "TopLeft", "TopRight"].entries())
      inStudio("C").set(`${name}Radius`, { type: "UDim", value: [0, index === 0 ? 9 : 4] });
    inStudio("T").delete("Font");
    inStudio("P").set("Color", { type: "Color3", value: [0, 1, 0] });
    await world.pullAsync();
    expect(await world.leftAsync()).toEqual([]);
    const stated = async (name: string) =>
      JSON.parse(await readFile(join(world.folder, `src/${name}.model.json`), "utf8")).properties;
    expect(await stated("A")).toEqual({ ResetOnSpawn: false });
    expect(await stated("C")).toEqual({
      BottomLeftRadius: { UDim: [0, 9] },
      BottomRightRadius: { UDim: [0, 4] },
      TopLeftRadius: { UDim: [0, 4] },
      TopRightRadius: { UDim: [0, 4] },
    });
    expect(await stated("T")).toEqual({ Text: "t" });
    expect(await stated("P")).toEqual({ Color: [0, 1, 0] });
  });

  test("the pivot of a Tool that comes from a place file is written in its meta file", async () => {
    await using world = await worldAsync({ "src/": "" });
    const tool = add(at(world.studio, "ReplicatedStorage"), "T", "Tool");
    const value = [1, 2, 3, 1, 0, 0, 0, 1, 0, 0, 0, 1];
    tool.properties.set("WorldPivotData", { type: "OptionalCFrame", value });
    add(tool, "Use", "Script", "print(1)\n");
    await world.pullAsync();
    expect(await world.leftAsync()).toEqual([]);
    expect(await readFile(join(world.folder, "src/T/init.meta.json"), "utf8")).toContain(
      '"position": [1, 2, 3]',
    );
  });

  test("siblings whose names differ in case only are refused one by one, and the folder stays", async () => {
    await using world = await worldAsync({ "src/Door.luau": "return 1\n" });
    const parent = at(world.studio, "ReplicatedStorage");
    add(parent, "door", "ModuleScript", "return 2\n");
    add(parent, "Other", "ModuleScript", "return 3\n");
    add(parent, "Twin", "Folder");
    add(parent, "TWIN", "Folder");
    const reasons = await reasonsAsync(world);
    expect(reasons).toHaveLength(2);
    for (const reason of reasons) expect(reason).toContain("in case only");
    await world.tryPullAsync();
    expect(await names(world)).toContain("src/Door.luau");
    expect(await names(world)).toContain("src/Other.luau");
  });

  test("of new siblings with one name the first gets the file, and the others are refused by name", async () => {
    for (const safeNames of [false, true]) {
      await using world = await worldAsync({ "src/Other.luau": "return 1\n" }, { safeNames });
      const parent = at(world.studio, "ReplicatedStorage");
      for (const number of [1, 2]) add(parent, "Twin", "ModuleScript", `return ${number}\n`);
      for (let count = 0; count < 2; count++) add(parent, "Part", "Part");
      const reasons = await reasonsAsync(world);
      const refused = ["Twin.luau", "Part.rbxm"].map(
        (name) =>
          `${name} is the file of another Instance of that name; rename one of them in Studio, or add --safe-names`,
      );
      expect(reasons.sort()).toEqual(safeNames ? [] : refused.sort());
      await world.tryPullAsync();
      expect(await names(world)).toEqual(expect.arrayContaining(["src/Twin.luau", "src/Part.rbxm"]));
      world.rememberStudio();
      if (safeNames) expect(await world.leftAsync()).toEqual([]);
    }
  });

  test("an Instance that files cannot say keeps no other from them", async () => {
    await using world = await worldAsync({
      "src/Twin.json": { a: 1 },
      "src/Twin.luau": "return 1\n",
      "src/F/Old.luau": "return 1\n",
    });
    const [data, script] = at(world.studio, "ReplicatedStorage").children.filter(
      ({ name }) => name === "Twin",
    );
    // The folder of one Twin would be that of the other.
    for (const twin of [data, script])
      if (twin !== undefined) add(twin, "Child", "ModuleScript", "return 2\n");
    // Both have the same meta file.
    script?.attributes.set("Speed", { type: "Float64", value: 1 });
    add(at(world.studio, "ReplicatedStorage/F"), "New", "ModuleScript", "return 3\n");
    setSource(at(world.studio, "ReplicatedStorage/F/Old"), "return 4\n");
    const { refusals } = await world.planAsync();
    expect([...refusals.keys()].map(({ path }) => path).sort()).toEqual(
      ["Twin[1].Child", "Twin[2]", "Twin[2].Child"].map((path) => `ReplicatedStorage.${path}`),
    );
  });

  test("a removed folder keeps the files that are no part of the project, and says so", async () => {
    await using world = await worldAsync({
      "src/A/B.luau": "return 1\n",
      "src/A/README.md": "mine",
      "src/C/D.luau": "return 1\n",
      "src/C/.DS_Store": "",
    });
    const parent = at(world.studio, "ReplicatedStorage");
    remove(parent, "A");
    remove(parent, "C");
    expect(await reasonsAsync(world)).toEqual([
      `its folder ${join(world.folder, "src/A")} also holds README.md, which is not part of it; move that away first`,
    ]);
    await world.tryPullAsync();
    expect(await names(world)).toEqual(["src/A/", "src/A/B.luau", "src/A/README.md"]);
  });

  test("a folder that is renamed in case only keeps all of its files", async () => {
    await using world = await worldAsync({ "src/door/A.luau": "return 1\n", "src/door/README.md": "mine" });
    at(world.studio, "ReplicatedStorage/door").name = "Door";
    await world.pullAsync();
    expect(await world.leftAsync()).toEqual([]);
    expect(await names(world)).toEqual(["src/Door/", "src/Door/A.luau", "src/Door/README.md"]);
  });

  test("files that globIgnorePaths hides are not overwritten", async () => {
    const project = {
      name: "Game",
      globIgnorePaths: ["**/*.spec.luau", "**/Hidden.luau"],
      tree: { $className: "DataModel", ReplicatedStorage: { $path: "src" } },
    };
    await using world = await worldAsync({ "src/Hidden.luau": "mine\n" }, { project });
    const parent = at(world.studio, "ReplicatedStorage");
    add(parent, "Hidden", "ModuleScript", "return 1\n");
    add(parent, "New.spec", "ModuleScript", "return 1\n");
    expect(await reasonsAsync(world)).toHaveLength(2);
    await world.tryPullAsync();
    expect((await world.snapshotAsync())["src/Hidden.luau"]).toBe("644 mine\n");
    expect(await names(world)).toEqual(["src/Hidden.luau"]);
  });

  test("a float that changes by its last bit is written", async () => {
    await using world = await worldAsync({
      "src/P.model.json": { className: "Part", properties: { Transparency: 0.5 } },
    });
    const value = Math.fround(0.5 + 2 ** -24);
    at(world.studio, "ReplicatedStorage/P").properties.set("Transparency", { type: "Float32", value });
    await world.pullAsync();
    expect(await world.leftAsync()).toEqual([]);
    expect(await readFile(join(world.folder, "src/P.model.json"), "utf8")).toContain("0.50000006");
  });

  test("a meta file loses what is no longer so, and goes when it says nothing any more", async () => {
    await using world = await worldAsync({
      "src/A.server.luau": "print(1)\n",
      "src/A.meta.json": { properties: { Disabled: true } },
      "src/B.server.luau": "print(1)\n",
      "src/B.meta.json": { properties: { Disabled: true }, attributes: { speed: 1 } },
    });
    for (const name of ["A", "B"])
      at(world.studio, `ReplicatedStorage/${name}`).properties.delete("Disabled");
    await world.pullAsync();
    expect(await world.leftAsync()).toEqual([]);
    expect(await names(world)).toEqual(["src/A.server.luau", "src/B.meta.json", "src/B.server.luau"]);
    expect(JSON.parse(await readFile(join(world.folder, "src/B.meta.json"), "utf8"))).toEqual({
      attributes: { speed: 1 },
    });
  });

  test("a file that has changed as well stays as it is: both sides count", async () => {
    await using world = await worldAsync({ "src/A.luau": "return 1\n" });
    setSource(at(world.studio, "ReplicatedStorage/A"), "return 2\n");
    await writeFile(join(world.folder, "src/A.luau"), "return 3\n");
    expect((await world.planAsync()).items).toEqual([]);
  });

  test("a name that leads out of the folder writes nothing anywhere", async () => {
    await using world = await worldAsync({ "src/A.luau": "return 1\n" });
    const parent = at(world.studio, "ReplicatedStorage");
    for (const name of BAD_NAMES) add(parent, name, "ModuleScript", "return 2\n");
    for (const name of ["../y", "default.project.json"]) add(parent, name, "Folder");
    add(parent, "Good", "ModuleScript", "return 2\n");
    const { items, refusals } = await world.planAsync();
    const reasons = [...refusals.values()];
    expect(items.filter((item) => !refusals.has(item)).map(({ path }) => path)).toEqual([
      "ReplicatedStorage.Good",
    ]);
    for (const reason of reasons) expect(reason).toContain("--safe-names");
    await world.tryPullAsync();
    expect(await names(world)).toEqual(["src/A.luau", "src/Good.luau"]);
  });
});
