/** Which files a pull changes, from the change in Studio to the bytes on the disk. */
import { describe, expect, test } from "bun:test";
import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { builtFile } from "../../../../src/roblox/rojo/build.ts";
import { newNode } from "../../../../src/roblox/rojo/node.ts";
import { readRojoTreeAsync } from "../../../../src/roblox/rojo/project.ts";
import { utf8ByteString } from "../../../../src/util/bytes.ts";
import { add, at, remove, schema, setSource, type World, worldAsync } from "./sync-world.ts";

const names = async (world: World): Promise<string[]> =>
  Object.keys(await world.snapshotAsync()).filter(
    (name) => name !== "default.project.json" && name !== "src/",
  );

const text = (value: string) => ({ type: "String", value: utf8ByteString(value) }) as const;

async function reasonsAsync(world: World): Promise<string[]> {
  return [...(await world.planAsync()).refusals.values()];
}

const BAD_NAMES = [
  "../x",
  "a/b",
  "/abs",
  "..",
  "con",
  "CON.luau",
  "a:b",
  "tail.",
  "tail ",
  "",
  "init",
  "foo.server",
  "nul\u0000",
  "x".repeat(300),
];

describe("a source that changed in Studio", () => {
  test("is written into the file of its script", async () => {
    await using world = await worldAsync({ "src/A.luau": "return 1\n" });
    setSource(at(world.studio, "ReplicatedStorage/A"), "return 2\n");
    await world.pullAsync();
    expect((await world.snapshotAsync())["src/A.luau"]).toBe("644 return 2\n");
    expect(await world.leftAsync()).toEqual([]);
  });
});

describe("a new Instance", () => {
  test("becomes the file or folder that its class has", async () => {
    await using world = await worldAsync({ "src/A.luau": "return 1\n" });
    const parent = at(world.studio, "ReplicatedStorage");
    add(parent, "B", "ModuleScript", "return 2\n");
    add(parent, "C", "Script", "print(1)\n");
    add(parent, "D", "LocalScript", "print(2)\n");
    add(add(parent, "E", "Folder"), "F", "ModuleScript", "return 3\n");
    add(add(parent, "G", "ModuleScript", "return 4\n"), "H", "ModuleScript", "return 5\n");
    add(add(parent, "M", "Model"), "S", "Script", "print(3)\n");
    add(parent, "R", "RemoteEvent");
    await world.pullAsync();
    expect(await world.leftAsync()).toEqual([]);
    expect(Object.keys(await world.snapshotAsync())).toEqual([
      "default.project.json",
      "src/",
      "src/A.luau",
      "src/B.luau",
      "src/C.server.luau",
      "src/D.client.luau",
      "src/E/",
      "src/E/F.luau",
      "src/G/",
      "src/G/H.luau",
      "src/G/init.luau",
      "src/M/",
      "src/M/S.server.luau",
      "src/M/init.meta.json",
      "src/R.model.json",
    ]);
  });
  test("below a script makes it a folder, with its meta file", async () => {
    await using world = await worldAsync({
      "src/A.server.lua": "print(1)\n",
      "src/A.meta.json": { properties: { Disabled: true } },
    });
    add(at(world.studio, "ReplicatedStorage/A"), "B", "ModuleScript", "return 2\n");
    await world.pullAsync();
    expect(await world.leftAsync()).toEqual([]);
    expect(Object.keys(await world.snapshotAsync())).toEqual([
      "default.project.json",
      "src/",
      "src/A/",
      "src/A/B.luau",
      "src/A/init.meta.json",
      "src/A/init.server.lua",
    ]);
  });
});

describe("a script that gets another class", () => {
  test("gets the suffix of that class", async () => {
    await using world = await worldAsync({
      "src/A.luau": "return 1\n",
      "src/B/init.luau": "return 2\n",
      "src/B/C.luau": "",
    });
    for (const name of ["A", "B"]) at(world.studio, `ReplicatedStorage/${name}`).className = "Script";
    await world.pullAsync();
    expect(await world.leftAsync()).toEqual([]);
    expect(Object.keys(await world.snapshotAsync())).toEqual([
      "default.project.json",
      "src/",
      "src/A.server.luau",
      "src/B/",
      "src/B/C.luau",
      "src/B/init.server.luau",
    ]);
  });
});

describe("a removed Instance", () => {
  test("takes its files into the trash, and its empty folder", async () => {
    await using world = await worldAsync({
      "src/A.luau": "return 1\n",
      "src/A.meta.json": { properties: {} },
      "src/B/C.luau": "return 2\n",
    });
    const parent = at(world.studio, "ReplicatedStorage");
    remove(parent, "A");
    remove(parent, "B");
    await world.pullAsync();
    expect(await world.leftAsync()).toEqual([]);
    expect(Object.keys(await world.snapshotAsync())).toEqual(["default.project.json", "src/"]);
  });
});

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

describe("the form of a file", () => {
  test("keeps line ends, byte order mark and the missing last line end", async () => {
    await using world = await worldAsync({ "src/A.luau": "one\r\ntwo\r\nthree", "src/T.txt": "\ufeffold" });
    const [script, value] = [
      at(world.studio, "ReplicatedStorage/A"),
      at(world.studio, "ReplicatedStorage/T"),
    ];
    setSource(script, "one\n2\nthree");
    value.properties.set("Value", text("new"));
    await world.pullAsync();
    expect(await readFile(join(world.folder, "src/A.luau"), "utf8")).toBe("one\r\n2\r\nthree");
    expect(await readFile(join(world.folder, "src/T.txt"), "utf8")).toBe("\ufeffnew");
  });

  test("keeps comments and order in JSON, where one value changes", async () => {
    const meta = '{\n  // why\n  "properties": { "RunContext": "Client", "Disabled": true }, // both\n}\n';
    await using world = await worldAsync({ "src/A.server.luau": "print(1)\n", "src/A.meta.jsonc": meta });
    at(world.studio, "ReplicatedStorage/A").properties.set("Disabled", { type: "Bool", value: false });
    await world.pullAsync();
    expect(await readFile(join(world.folder, "src/A.meta.jsonc"), "utf8")).toBe(
      meta.replace('"Disabled": true', '"Disabled": false'),
    );
  });

  test("says the context of a script that its suffix does not say", async () => {
    for (const emitLegacyScripts of [true, false]) {
      const project = {
        name: "Game",
        emitLegacyScripts,
        tree: { $className: "DataModel", ReplicatedStorage: { $path: "src" } },
      };
      await using world = await worldAsync({ "src/Old.server.luau": "print(1)\n" }, { project });
      const parent = at(world.studio, "ReplicatedStorage");
      for (const context of [0, 1, 2, 3]) {
        const script = add(parent, `C${context}`, "Script", "print(1)\n");
        script.properties.set("RunContext", { type: "Enum", value: context });
      }
      at(parent, "Old").properties.set("RunContext", { type: "Enum", value: 2 });
      await world.pullAsync();
      expect(await world.leftAsync()).toEqual([]);
    }
  });

  test("writes properties, attributes, tags and references where they belong", async () => {
    await using world = await worldAsync({
      "src/A.luau": "return 1\n",
      "src/F/B.luau": "return 1\n",
      "src/O.model.json": { className: "ObjectValue" },
    });
    const parent = at(world.studio, "ReplicatedStorage");
    at(parent, "A").attributes.set("speed", { type: "Float64", value: 3 });
    at(parent, "A").properties.set("Tags", { type: "Tags", value: ["x", "y"] });
    at(parent, "F").attributes.set("deep", text("yes"));
    at(parent, "O").references.set("Value", at(parent, "F/B"));
    parent.attributes.set("top", { type: "Bool", value: true });
    await world.pullAsync();
    expect(await world.leftAsync()).toEqual([]);
    expect(await names(world)).toEqual([
      "src/A.luau",
      "src/A.meta.json",
      "src/F/",
      "src/F/B.luau",
      "src/F/B.meta.json",
      "src/F/init.meta.json",
      "src/O.model.json",
    ]);
    const project = JSON.parse(await readFile(join(world.folder, "default.project.json"), "utf8"));
    expect(project.tree.ReplicatedStorage.$attributes).toEqual({ top: true });
  });
});

describe("moves and renames", () => {
  test("carry the files along, with meta files and everything in a folder", async () => {
    await using world = await worldAsync({
      "src/A.server.luau": "print(1)\n",
      "src/A.meta.json": { properties: { Disabled: true } },
      "src/F/X.luau": "return 1\n",
      "src/G/README.md": "mine",
      "src/G/Y.luau": "return 2\n",
    });
    const parent = at(world.studio, "ReplicatedStorage");
    const moved = remove(parent, "A");
    at(parent, "F").children.push(moved);
    moved.name = "B";
    const folder = remove(parent, "G");
    at(parent, "F/X").children.push(folder);
    await world.pullAsync();
    expect(await world.leftAsync()).toEqual([]);
    expect(await names(world)).toEqual([
      "src/F/",
      "src/F/B.meta.json",
      "src/F/B.server.luau",
      "src/F/X/",
      "src/F/X/G/",
      "src/F/X/G/README.md",
      "src/F/X/G/Y.luau",
      "src/F/X/init.luau",
    ]);
  });

  test("exchange two names, and two places", async () => {
    await using world = await worldAsync({
      "src/A.luau": "return 'A'\n",
      "src/B.luau": "return 'B'\n",
      "src/F/One/X.luau": "return 1\n",
      "src/F/Two/Y.luau": "return 2\n",
    });
    const parent = at(world.studio, "ReplicatedStorage");
    const [one, two] = [at(parent, "A"), at(parent, "B")];
    [one.name, two.name] = ["B", "A"];
    const [left, right] = [at(parent, "F/One"), at(parent, "F/Two")];
    [left.name, right.name] = ["Two", "One"];
    const before = await world.snapshotAsync();
    await world.pullAsync();
    expect(await world.leftAsync()).toEqual([]);
    const after = await world.snapshotAsync();
    expect(after["src/A.luau"]).toBe(before["src/B.luau"] ?? "");
    expect(await names(world)).toEqual([
      "src/A.luau",
      "src/B.luau",
      "src/F/",
      "src/F/One/",
      "src/F/One/Y.luau",
      "src/F/Two/",
      "src/F/Two/X.luau",
    ]);
  });
});

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

describe("names that no file can bear", () => {
  test("are kept with --safe-names, each as the name of a project in the folder", async () => {
    for (const emitLegacyScripts of [true, false]) {
      const tree = { $className: "DataModel", ReplicatedStorage: { $path: "src" } };
      const project = { name: "Game", emitLegacyScripts, tree };
      await using world = await worldAsync({ "src/Door.luau": "return 1\n" }, { project, safeNames: true });
      const parent = at(world.studio, "ReplicatedStorage");
      for (const name of BAD_NAMES) {
        const script = add(parent, name, "Script", `print(${JSON.stringify(name)})\n`);
        script.attributes.set("kept", { type: "Bool", value: true });
        add(script, "Child", "ModuleScript", "return 1\n");
      }
      add(add(parent, "a/b", "Folder"), "c:d", "RemoteEvent");
      add(parent, "door", "ModuleScript", "return 2\n");
      add(parent, "init.luau", "Folder");
      for (const inner of ["One", "Two"]) add(add(parent, "Twin", "Folder"), inner, "ModuleScript", "");
      add(parent, "x:y", "Part").properties.set("Anchored", { type: "Bool", value: true });
      await world.pullAsync();
      expect(await world.leftAsync()).toEqual([]);
      const before = await world.snapshotAsync();
      expect((await world.planAsync()).operations).toEqual([]);
      expect(await world.snapshotAsync()).toEqual(before);
    }
  });
});

describe("files outside of the project", () => {
  const project = {
    name: "Game",
    tree: { $className: "DataModel", ReplicatedStorage: { $path: "../outside" } },
  };

  test("are read, and written only when that is allowed", async () => {
    for (const allowsOutside of [false, true]) {
      await using world = await worldAsync({ "../outside/A.luau": "return 1\n" }, { project, allowsOutside });
      setSource(at(world.studio, "ReplicatedStorage/A"), "return 2\n");
      add(at(world.studio, "ReplicatedStorage"), "B", "ModuleScript", "return 3\n");
      const reasons = await reasonsAsync(world);
      if (allowsOutside) expect(reasons).toEqual([]);
      for (const reason of reasons) expect(reason).toContain("--allow-outside");
      await world.tryPullAsync();
      const written = await readFile(join(world.folder, "../outside/A.luau"), "utf8");
      expect(written).toBe(allowsOutside ? "return 2\n" : "return 1\n");
      expect(await Bun.file(join(world.folder, "../outside/B.luau")).exists()).toBe(allowsOutside);
    }
  });

  test("that a link inside the project leads to stay as they are", async () => {
    await using world = await worldAsync({ "src/A.luau": "return 1\n" });
    const outside = join(world.folder, "../outside");
    await mkdir(outside);
    await writeFile(join(outside, "L.luau"), "return 1\n");
    await symlink(outside, join(world.folder, "src/linked"));
    await world.freshStudioAsync();
    setSource(at(world.studio, "ReplicatedStorage/linked/L"), "return 2\n");
    expect((await reasonsAsync(world))[0]).toContain("outside");
    await world.tryPullAsync();
    expect(await readFile(join(outside, "L.luau"), "utf8")).toBe("return 1\n");
  });
});
