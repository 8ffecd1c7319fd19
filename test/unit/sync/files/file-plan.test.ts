/** Which files a pull changes, from the change in Studio to the bytes on the disk. */
import { describe, expect, test } from "bun:test";
import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  add,
  at,
  BAD_NAMES,
  names,
  reasonsAsync,
  remove,
  setSource,
  text,
  worldAsync,
} from "./sync-world.ts";

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
