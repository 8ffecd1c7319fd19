/** Places, models and Rojo projects in headless Studio, end to end; the files are rbx-dom's, and it reads what is saved. */
import { beforeAll, describe, expect, test } from "bun:test";
import { mkdir, readdir, rm } from "node:fs/promises";
import { createDom, readBinary, readXml } from "rbx-dom";
import { untilAsync } from "../harness.ts";
import { sandbox } from "../sandbox.ts";

const box = sandbox();

const place = createDom({
  className: "DataModel",
  children: [
    {
      className: "Workspace",
      name: "Workspace",
      children: [{ className: "Part", name: "Block", properties: { Size: { Vector3: [1, 2, 3] } } }],
    },
    {
      className: "ReplicatedStorage",
      name: "ReplicatedStorage",
      children: [
        { className: "ModuleScript", name: "Answer", properties: { Source: { String: "return 42" } } },
      ],
    },
  ],
});
const LOOK = "print(game.Name, workspace.Block.Size, require(game.ReplicatedStorage.Answer))";

beforeAll(async () => {
  await box.writeAsync("game.rbxl", place.toBinary());
  await box.writeAsync("game.rbxlx", place.toXml());
  await box.writeAsync("look.luau", LOOK);
}, 120_000);

describe("--place", () => {
  for (const file of ["game.rbxl", "game.rbxlx"]) {
    test(`opens ${file} for one command`, async () => {
      expect(await box.sbAsync(["run", "--headless", "--place", file, "look.luau"])).toEqual({
        stdout: "game 1, 2, 3 42\n",
        stderr: "",
        exitCode: 0,
      });
    });
  }

  test("opens the whole place where the engine refuses a value of it, and tells it once", async () => {
    const withDebris = (MaxItems: number) =>
      createDom({
        className: "DataModel",
        children: [
          { className: "Debris", name: "Debris", properties: { MaxItems: { Int32: MaxItems } } },
          { className: "Workspace", name: "Workspace", children: [{ className: "Part", name: "Block" }] },
        ],
      });
    const code = 'task.wait() print(workspace.Block.Name, #game:GetService("LogService"):GetLogHistory())';
    // Studio saves the one value that there is.
    await box.writeAsync("usual.rbxl", withDebris(1000).toBinary());
    await box.writeAsync("odd.rbxl", withDebris(5).toBinary());
    const usual = await box.sbAsync(["exec", "--headless", "--place", "usual.rbxl", code]);
    expect(usual).toEqual({ stdout: "Block 0\n", stderr: "", exitCode: 0 });
    const odd = await box.sbAsync(["exec", "--headless", "--place", "odd.rbxl", code]);
    expect(odd).toMatchObject({ stdout: "Block 1\n", exitCode: 0 });
  });

  test("opens a Rojo project with the files it names", async () => {
    await box.writeAsync("rojo/src/init.luau", "return { name = script.Name, data = require(script.data) }");
    await box.writeAsync("rojo/src/data.json", '{ "n": [1, 2] }');
    const tree = { $className: "DataModel", ReplicatedStorage: { Lib: { $path: "src" } } };
    await box.writeAsync("rojo/default.project.json", JSON.stringify({ name: "Mine", tree }));
    const code = "local lib = require(game.ReplicatedStorage.Lib) print(game.Name, lib.name, lib.data.n[2])";
    for (const file of ["rojo", "rojo/default.project.json"]) {
      const { stdout, stderr, exitCode } = await box.sbAsync(["exec", "--headless", "--place", file, code]);
      expect({ stdout, stderr, exitCode }).toEqual({ stdout: "Mine Lib 2\n", stderr: "", exitCode: 0 });
    }
  });

  test("says what is wrong with a file, and runs nothing", async () => {
    await box.writeAsync("cut.rbxl", place.toBinary().subarray(0, 100));
    await box.writeAsync("empty.rbxl", "");
    await box.writeAsync("text.rbxl", "a place");
    const lfs = "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n";
    await box.writeAsync("pointer.rbxl", lfs);
    await box.writeAsync("pointer.rbxm", lfs);
    await box.writeAsync("lfs.project.json", '{ "tree": { "$path": "pointer.rbxm" } }');
    await box.writeAsync("outer.project.json", '{ "tree": { "$path": "bad.project.json" } }');
    await box.writeAsync("bad.project.json", '{ "tree": { "$path": "nowhere" } }');
    const outcomes = [];
    for (const file of [
      "none.rbxl",
      "cut.rbxl",
      "empty.rbxl",
      "text.rbxl",
      "pointer.rbxl",
      "lfs.project.json",
      "bad.project.json",
      "outer.project.json",
    ]) {
      const { stdout, stderr, exitCode } = await box.sbAsync([
        "exec",
        "--headless",
        "--place",
        file,
        "print(1)",
      ]);
      outcomes.push([stdout, stderr.replaceAll(box.folder, "…").split("\n").slice(0, -1), exitCode]);
    }
    const error = "error: Could not read place:";
    const nothing = '"bad": there is not a file that Rojo knows at nowhere';
    const pointer = "it is a Git LFS pointer, not the file itself";
    const damaged = "hint: It may be damaged, or its name may be wrong.";
    const correct = "hint: Correct that in the file it names.";
    expect(outcomes).toEqual([
      [
        "",
        [
          "error: Place file not found: none.rbxl",
          "hint: Check the path; it is relative to the current folder.",
        ],
        1,
      ],
      ["", [`${error} cut.rbxl: the file is cut short`, damaged], 1],
      ["", [`${error} empty.rbxl: the file is empty`, damaged], 1],
      ["", [`${error} text.rbxl: not a Roblox file`, damaged], 1],
      ["", [`${error} pointer.rbxl: ${pointer}`, "hint: Fetch it with `git lfs pull`."], 1],
      ["", [`${error} lfs.project.json: …/pointer.rbxm: ${pointer}`, correct], 1],
      ["", [`${error} bad.project.json: ${nothing}`, correct], 1],
      ["", [`${error} outer.project.json: …/bad.project.json: ${nothing}`, correct], 1],
    ]);
    const script = await box.sbAsync(["exec", "--headless", "--place", "look.luau", "print(1)"]);
    expect([script.stderr.split("\n")[0], script.exitCode]).toEqual(["error: Not a place: look.luau", 2]);
  });
});

test("errors in a project's scripts are shown with the file, the line and an excerpt", async () => {
  const tree = { $className: "DataModel", ReplicatedStorage: { Shared: { $path: "code" } } };
  await box.writeAsync("files.project.json", JSON.stringify({ name: "Files", tree }));
  await box.writeAsync("code/Mod.luau", 'return function()\n\terror("oops")\nend\n');
  await box.writeAsync("code/Bad.luau", "\nreturn workspace.Nope\n");
  await box.writeAsync(
    "uses.luau",
    "local Shared = game.ReplicatedStorage.Shared\npcall(require, Shared.Bad)\nrequire(Shared.Mod)()",
  );
  const words = ["run", "--headless", "--place", "files.project.json", "uses.luau"];
  const { stderr, exitCode } = await box.sbAsync(words);
  expect({ lines: stderr.trimEnd().split("\n"), exitCode }).toEqual({
    lines: [
      'Nope is not a valid member of Workspace "Workspace"',
      "Stack Begin",
      "Script 'ReplicatedStorage.Shared.Bad', Line 2 (code/Bad.luau:2)",
      "Stack End",
      "Script error: ReplicatedStorage.Shared.Mod:2: oops",
      "  code/Mod.luau:2",
      '  2 |   error("oops")',
      "    |   ^^^^^^^^^^^^^",
      "ReplicatedStorage.Shared.Mod:2 (code/Mod.luau:2)",
      "uses.luau:3",
    ],
    exitCode: 1,
  });
  const { stdout } = await box.sbAsync([...words, "--json"]);
  expect(JSON.parse(stdout)).toMatchObject({
    error: "ReplicatedStorage.Shared.Mod:2: oops",
    errorInfo: { traceback: "ReplicatedStorage.Shared.Mod:2\nuses.luau:3" },
  });
});

describe("sb headless PLACE --save OUT", () => {
  for (const [file, read] of [
    ["saved.rbxl", readBinary],
    ["saved.rbxlx", readXml],
  ] as const) {
    test(`saves ${file} when it is told to end`, async () => {
      const studio = box.spawn(["headless", "game.rbxl", "--save", file]);
      await untilAsync("the place is open", async () => (await box.sessionsAsync())[0]);
      await box.sbAsync(["exec", "workspace.Block.Anchored = true workspace.Block.Name = 'Renamed'"]);
      studio.kill("SIGINT");
      await studio.exited;
      expect(await new Response(studio.stdout).text()).toEndWith(`Ctrl+C ends it and saves ${file}.\n`);
      const saved = read(await Bun.file(`${box.folder}/${file}`).bytes());
      const block = saved.snapshot().instances.find(({ className }) => className === "Part");
      expect({ name: block?.name, properties: block?.properties }).toEqual({
        name: "Renamed",
        properties: { Anchored: { Bool: true }, Size: { Vector3: [1, 2, 3] } },
      });
      expect((await readdir(box.folder)).filter((name) => name.endsWith(".tmp"))).toEqual([]);
    });
  }

  test("keeps identities, whole numbers that scripts would round, and the files of fonts", async () => {
    const ids = ["Folder", "Model"].map((className, index) => ({
      className,
      name: className,
      properties: {
        UniqueId: { UniqueId: `${index + 1}`.padStart(32, "1a") },
        HistoryId: { UniqueId: `${index + 1}`.padStart(32, "2b") },
      },
    }));
    const numbers = ["9007199254740993", "-9223372036854775807", "4611686018427387905"].map(
      (Int64, index) => ({
        className: "IntValue",
        name: `Number${index}`,
        properties: { Value: { Int64 } },
      }),
    );
    const font = (family: string) => ({
      Font: { family, weight: "Bold", style: "Italic", cachedFaceId: `rbxasset://fonts/${family}.otf` },
    });
    const labels = ["Kept", "Renewed"].map((name) => ({
      className: "TextLabel",
      name,
      properties: { FontFace: font(name) },
    }));
    const children = [...ids, ...numbers, ...labels];
    const workspace = { className: "Workspace", name: "Workspace", children };
    const dom = createDom({ className: "DataModel", children: [workspace] });
    await box.writeAsync("kept.rbxl", dom.toBinary());
    const studio = box.spawn(["headless", "kept.rbxl", "--save", "kept-out.rbxl"]);
    await untilAsync("the place is open", async () => (await box.sessionsAsync())[0]);
    await box.sbAsync([
      "exec",
      "workspace.Number2.Value = 5 workspace.Folder:Clone().Parent = workspace workspace.Renewed.FontFace = Font.new('Other')",
    ]);
    studio.kill("SIGINT");
    await studio.exited;
    const saved = readBinary(await Bun.file(`${box.folder}/kept-out.rbxl`).bytes()).snapshot().instances;
    const said = saved
      .filter(({ className }) => className !== "Terrain" && className !== "Camera")
      .flatMap(({ name, properties }) => Object.entries(properties).map((entry) => [name, ...entry]));
    expect(said).toEqual(
      expect.arrayContaining([
        ["Folder", "UniqueId", ids[0]?.properties.UniqueId],
        ["Folder", "HistoryId", ids[0]?.properties.HistoryId],
        ["Folder", "UniqueId", { UniqueId: "0".repeat(32) }],
        ["Model", "UniqueId", ids[1]?.properties.UniqueId],
        ["Number0", "Value", { Int64: "9007199254740993" }],
        ["Number1", "Value", { Int64: "-9223372036854775807" }],
        ["Number2", "Value", { Int64: "5" }],
        ["Kept", "FontFace", font("Kept")],
        [
          "Renewed",
          "FontFace",
          { Font: { family: "Other", weight: "Regular", style: "Normal", cachedFaceId: null } },
        ],
      ]),
    );
  });

  test("waits for a script that keeps it from saving", async () => {
    const studio = box.spawn(["headless", "game.rbxl", "--save", "late.rbxl"]);
    await untilAsync("the place is open", async () => (await box.sessionsAsync())[0]);
    const busy = "print('busy') task.wait(0.2) local start = os.clock() repeat until os.clock() - start > 3";
    const script = box.spawn(["exec", busy]);
    const { value } = await script.stdout.getReader().read();
    expect(new TextDecoder().decode(value)).toBe("busy\n");
    await Bun.sleep(500);
    studio.kill("SIGINT");
    expect(await studio.exited).toBe(130);
    const saved = readBinary(await Bun.file(`${box.folder}/late.rbxl`).bytes()).snapshot().instances;
    expect(saved.map(({ name }) => name)).toContain("Block");
    await script.exited;
  });

  test("a name that is no place file is refused before anything starts", async () => {
    const { stderr, exitCode } = await box.sbAsync(["headless", "--save", "out.txt"]);
    expect([stderr.split("\n")[0], exitCode]).toEqual(["error: Cannot save a place as out.txt", 2]);
  });

  test("a file that cannot be written is refused before anything starts", async () => {
    const file = "no/such/folder/out.rbxl";
    for (const args of [[], ["--detach"]]) {
      const { stderr, exitCode } = await box.sbAsync(["headless", "--save", file, ...args]);
      expect([stderr.split("\n")[0], exitCode]).toEqual([
        `error: Could not save place: ${file}: its folder does not exist`,
        1,
      ]);
    }
  });

  describe("into a folder that goes away meanwhile", () => {
    const reason = () =>
      `error: Could not save place: ${box.folder}/gone/out.rbxl: its folder does not exist`;
    const openAsync = async (...flags: string[]) => {
      await mkdir(`${box.folder}/gone`);
      const studio = box.spawn(["headless", "--save", "gone/out.rbxl", ...flags]);
      await untilAsync("the place is open", async () => (await box.sessionsAsync())[0]);
      await rm(`${box.folder}/gone`, { recursive: true });
      return studio;
    };

    test("says why, ends with an error and says where the place is kept", async () => {
      const studio = await openAsync();
      studio.kill("SIGINT");
      const stderr = await studio.stderr.text();
      const [error, hint] = stderr.trim().split("\n");
      expect(error).toBe(reason());
      expect(hint).toMatch(/^hint: The place is kept: `sb headless --restore Place1-\w+` opens it again\.$/);
      await untilAsync("it is gone", async () =>
        (await box.sessionsAsync()).length === 0 ? true : undefined,
      );
    });

    test("sb close says why, and Studio goes on until its changes are discarded", async () => {
      await openAsync("--detach");
      const { stdout, stderr, exitCode } = await box.sbAsync(["close"]);
      expect([stdout, ...stderr.trim().split("\n"), exitCode]).toEqual([
        "",
        `${reason()}.`,
        "hint: It was not closed. Save it with `sb save FILE`, then end it with `sb close --discard`.",
        1,
      ]);
      expect((await box.sbAsync(["close", "--discard"])).stdout).toBe("Closed Place1.\n");
    });
  });
});
