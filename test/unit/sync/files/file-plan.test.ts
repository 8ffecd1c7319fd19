/** Which files a pull changes, from the change in Studio to the bytes on the disk. */
import { describe, expect, test } from "bun:test";
import { add, at, remove, setSource, worldAsync } from "./sync-world.ts";

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
