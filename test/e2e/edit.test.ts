/** Changing the place and undoing it, on the command line and over MCP, through the compiled binary. */
import { describe, expect, test } from "bun:test";
import * as z from "zod";
import { sandbox } from "../sandbox.ts";
import { McpPeer } from "../peers/mcp-peer.ts";

const box = sandbox({ headless: true });

const resultSchema = z.looseObject({
  ok: z.boolean(),
  items: z.array(
    z.looseObject({
      ok: z.boolean(),
      path: z.string().optional(),
      id: z.string().default(""),
      code: z.string().optional(),
    }),
  ),
  undo: z.looseObject({ recorded: z.boolean(), name: z.string().optional() }),
});

const sbAsync = (...words: readonly string[]) => box.sbAsync(words);

async function luauAsync(code: string): Promise<string> {
  const { stdout } = await box.sbAsync(["exec", code]);
  return stdout.trim();
}

const toolAsync = async (peer: McpPeer, name: string, args: object): Promise<unknown> =>
  (await peer.toolAsync(name, args))["structuredContent"];

const editAsync = async (peer: McpPeer, args: object) =>
  resultSchema.parse(await toolAsync(peer, "studio_edit", args));

describe("on the command line", () => {
  test("new, set, mv, rm and undo work together, by path and by id", async () => {
    const made = await sbAsync(
      "new",
      "Part",
      "Workspace",
      "Name=Floor",
      "Size=100,1,100",
      "Color=#ff8000",
      "--attribute",
      "Zone=Lobby",
      "--tag",
      "Ground",
      "--json",
    );
    const { items, undo } = resultSchema.parse(JSON.parse(made.stdout));
    const id = items[0]?.id ?? "";
    expect(items[0]).toMatchObject({
      index: 0,
      ok: true,
      path: "Workspace.Floor",
      id: expect.stringMatching(/^@\d+$/),
    });
    expect(undo).toEqual({ recorded: true, name: "sb: create Workspace.Floor" });
    expect(
      await sbAsync("set", id, "Material=Neon", "Name=Ground", "--attribute", "Zone=null"),
    ).toMatchObject({
      stdout: `Workspace.Ground ${id}\nWorkspace.Ground ${id}\n`,
      exitCode: 0,
    });
    await sbAsync("new", "Folder", "Workspace", "Name=Map");
    expect((await sbAsync("mv", "Workspace.Ground", "Workspace.Map")).stdout).toBe(
      `Workspace.Map.Ground ${id}\n`,
    );
    const read = `local part = workspace.Map.Ground
      return part.Size == Vector3.new(100, 1, 100), part.Color:ToHex(), part.Material.Name, part:GetAttribute("Zone") == nil, part:HasTag("Ground")`;
    expect(await luauAsync(read)).toBe("true\nff8000\nNeon\ntrue\ntrue");
    expect((await sbAsync("query", id, "--json")).stdout).toContain('"path":"Workspace.Map.Ground"');
    await sbAsync("rm", id);
    expect(await luauAsync("return #workspace.Map:GetChildren()")).toBe("0");
    const { stdout } = await sbAsync("undo", "5");
    expect(stdout.match(/Undone/g)).toHaveLength(5);
    expect(
      await luauAsync(
        `return workspace:FindFirstChild("Map") == nil, workspace:FindFirstChild("Ground") == nil`,
      ),
    ).toBe("true\ntrue");
    expect((await sbAsync("redo", "2")).stdout).toBe(
      "Redone: sb: create Workspace.Floor\nRedone: sb: edit 2 instances\n",
    );
    expect(await luauAsync("return workspace.Ground.Material.Name")).toBe("Neon");
    await sbAsync("undo", "2");
  });

  test("one call moves and renames what a path names", async () => {
    await sbAsync("new", "Part", "Workspace", "Name=Old");
    const words = ["set", "Workspace.Old", "Name=New", "Parent=ServerStorage", "Anchored=true"];
    expect(await sbAsync(...words)).toMatchObject({
      stdout: expect.stringMatching(/^(ServerStorage\.New @\d+\n){3}$/),
      exitCode: 0,
    });
    expect(await luauAsync("return game.ServerStorage.New.Anchored")).toBe("true");
    await sbAsync("undo", "2");
  });

  test("a number that is too large is refused, and does not mean the default", async () => {
    await sbAsync("set", "Workspace", "Gravity=7");
    for (const words of [["Gravity=1e999"], ["Gravity=1", "--attribute", "Far=[1e999,0]"]])
      expect(await sbAsync("set", "Workspace", ...words)).toMatchObject({
        stderr: expect.stringContaining("has a number that is too large."),
        exitCode: 1,
      });
    expect(await luauAsync("return workspace.Gravity")).toBe("7");
    await sbAsync("undo");
  });

  test("a service that the place has not made yet is made by what changes it", async () => {
    expect(await sbAsync("new", "Folder", "PathfindingService", "Name=Routes")).toMatchObject({
      exitCode: 0,
    });
    expect(await luauAsync('return game:FindService("PathfindingService").Routes.ClassName')).toBe("Folder");
  });

  test("what is wrong is told with the next step, and nothing is changed", async () => {
    const wrong: readonly [words: readonly string[], text: string][] = [
      [["new", "Prt", "Workspace"], "There is no class Prt. Did you mean Part?"],
      [["new", "Pat", "Workspace"], "There is no class Pat. Did you mean Part?"],
      [["new", "Workspace", "Workspace"], "A Workspace cannot be created."],
      [["new", "Part", "Workspace", "Colour=red"], "Part has no property Colour. Did you mean Color?"],
      [
        ["new", "Part", "Workspace", "Color=red"],
        'Part.Color takes a Color3, such as "#ff8800" or [1, 0.5, 0], not "red".',
      ],
      [
        ["new", "Part", "Workspace", "Material=Neonn"],
        'Part.Material takes an Enum.Material, such as "Neon", not "Neonn". `sb api Enum.Material` lists them.',
      ],
      [["new", "Part", "Workspace", "Mass=1"], "Part.Mass is read-only."],
      [["set", "Workspace", "Gravty=1"], "Workspace has no property Gravty. Did you mean Gravity?"],
      [["set", "Workspace", "Gravity=much"], 'Workspace.Gravity takes a number, such as 1.5, not "much".'],
      [
        ["set", "Workspace", "Gravty=1", "AirDensity=much"],
        'Workspace.AirDensity takes a number, such as 1.5, not "much". Workspace has no property Gravty. Did you mean Gravity?',
      ],
      [["rm", "Workspce"], "\nNo instance found at path: Workspce. Did you mean Workspace?\n"],
      [["mv", "Workspace", "ServerStorag"], "ServerStorag. Did you mean ServerStorage?"],
      [["rm", "Workspace/Map"], "Workspace/Map. Names are joined by dots: Workspace.Map.\n"],
      [["rm", "Workspace.Nothing"], "No instance found at path: Workspace.Nothing"],
      [["rm", "@4711"], "This session has no Instance with the id @4711."],
    ];
    const steps = (await sbAsync("undo", "--list", "--json")).stdout;
    for (const [words, text] of wrong) {
      const { stderr, stdout, exitCode } = await sbAsync(...words);
      expect({ stdout, exitCode }).toEqual({ stdout: "", exitCode: 1 });
      expect(stderr).toStartWith("Nothing was changed.\n");
      expect(stderr).toContain(text);
    }
    expect((await sbAsync("set", "Workspace", "Gravity")).stderr).toContain("Not a property: Gravity");
    const nameless = await sbAsync("set", "Workspace", "--attribute", "=1");
    expect(nameless.stderr).toContain("Not an attribute: =1");
    expect((await box.sbAsync(["edit", "-"], { stdin: "\n" })).stderr).toContain("There are no operations.");
    expect((await sbAsync("undo", "--list", "--json")).stdout).toBe(steps);
  });

  test("a path that fits several Instances lists them, and [2] or the id picks one", async () => {
    await box.sbAsync(["edit", "-"], {
      stdin: JSON.stringify([
        {
          op: "create",
          className: "Folder",
          parent: "Workspace",
          name: "Twins",
          children: [{ className: "Part" }, { className: "Part" }],
        },
      ]),
    });
    const { stderr } = await sbAsync("rm", "Workspace.Twins.Part");
    expect(stderr).toMatch(
      /2 Instances match the path: Workspace\.Twins\.Part \(@\d+ Workspace\.Twins\.Part\[1\], @\d+ Workspace\.Twins\.Part\[2\]\)/,
    );
    for (const words of [["query"], ["select"], ["script", "edit", "--old=a", "--new=b"]]) {
      const refused = await sbAsync(...words, "Workspace.Twins.Part");
      expect(refused.stderr + refused.stdout).toMatch(
        /2 Instances match the path: \S+ \(@\d+ Workspace\.Twins\.Part\[1\], @\d+ Workspace\.Twins\.Part\[2\]\)/,
      );
    }
    expect((await sbAsync("rm", "Workspace.Twins.Part[2]")).exitCode).toBe(0);
    expect((await sbAsync("rm", "Workspace.Twins.Part")).exitCode).toBe(0);
    await sbAsync("undo", "3");
  });

  test("a file of operations is checked, tried and done", async () => {
    const file = await box.writeAsync(
      "map.json",
      `{ "operations": [ // comments are fine
        { "op": "create", "className": "Model", "parent": "Workspace", "name": "House", "as": "house",
          "children": [
            { "className": "Part", "name": "Wall", "properties": { "Size": [4, 8, 1], "Anchored": true } },
            { "className": "ObjectValue", "name": "Owner", "properties": { "Value": "$house" } },
          ] },
        { "op": "set", "path": "$house.Wall", "properties": { "Transparency": 0.5 }, "expect": { "properties": { "Anchored": true } } },
        { "op": "clone", "path": "$house.Wall", "name": "Wall2" },
      ] }`,
    );
    const tried = resultSchema.parse(JSON.parse((await sbAsync("edit", file, "--dry-run", "--json")).stdout));
    expect(tried).toMatchObject({ ok: true, undo: { recorded: false } });
    expect(tried.items.map(({ path }) => path)).toEqual([
      "Workspace.House",
      "Workspace.House.Wall",
      "Workspace.House.Wall2",
    ]);
    expect(await luauAsync(`return workspace:FindFirstChild("House") == nil`)).toBe("true");
    expect((await sbAsync("edit", file)).exitCode).toBe(0);
    expect(await luauAsync(`local h = workspace.House return h.Wall2.Transparency, h.Owner.Value == h`)).toBe(
      "0.5\ntrue",
    );
    expect((await box.sbAsync(["edit", "-"], { stdin: '[{"op":"delte"}]' })).stderr).toContain(
      "stdin: operation 1: op: expected create",
    );
    expect((await box.sbAsync(["edit", "-"], { stdin: "[{" })).stderr).toContain("stdin is not JSON");
    expect((await box.sbAsync(["edit", "-"], { stdin: "[]" })).stderr).toContain("There are no operations.");
    await sbAsync("undo");
    expect(await luauAsync(`return workspace:FindFirstChild("House") == nil`)).toBe("true");
  });

  test("exec is a step where it changes the place, and the list says where it went on", async () => {
    await sbAsync("exec", `Instance.new("Part", workspace).Name = "Quick"`);
    await sbAsync(
      "exec",
      `Instance.new("Part", workspace).Name = "Slow" task.wait() workspace.Slow.Anchored = true`,
    );
    await sbAsync("exec", "return workspace.Slow.Anchored");
    const { stdout } = await sbAsync("undo", "--list");
    expect(stdout.split("\n").slice(0, 5)).toEqual([
      expect.stringMatching(/^1 {2}\d+s ago {2,}sb: exec {2}sb$/),
      expect.stringMatching(/^ +partly: the script went on afterwards$/),
      expect.stringMatching(/^ +Instance\.new\("Part", workspace\)\.Name = "Slow" task\.wait/),
      expect.stringMatching(/^2 {2}\d+s ago {2,}sb: exec {2}sb$/),
      expect.stringMatching(/^ +Instance\.new\("Part", workspace\)\.Name = "Quick"$/),
    ]);
    await sbAsync("undo", "2");
    expect(
      await luauAsync(
        `return workspace:FindFirstChild("Quick") == nil, workspace:FindFirstChild("Slow") == nil`,
      ),
    ).toBe("true\ntrue");
  });
});

describe("over MCP", () => {
  test("studio_edit and studio_undo have their shapes, and undo stops at the step of another client", async () => {
    await using peer = new McpPeer(box);
    await peer.initializeAsync();
    const made = await editAsync(peer, {
      operations: [
        {
          op: "create",
          className: "Part",
          parent: "Workspace",
          name: "Mine",
          properties: { Size: [1, 2, 3] },
        },
      ],
    });
    expect(made).toEqual({
      ok: true,
      items: [{ index: 0, ok: true, path: "Workspace.Mine", id: expect.stringMatching(/^@\d+$/) }],
      undo: { recorded: true, name: "sb: create Workspace.Mine" },
    });
    const { id } = made.items[0] ?? { id: "" };
    const stale = await editAsync(peer, {
      operations: [
        { op: "rename", path: "Workspace.Mine", name: "Renamed" },
        { op: "set", path: id, properties: { Anchored: true }, expect: { properties: { Size: [9, 9, 9] } } },
      ],
    });
    expect(stale).toMatchObject({
      ok: false,
      items: [
        { index: 0, ok: true },
        {
          index: 1,
          ok: false,
          code: "PRECONDITION_FAILED",
          details: { found: { properties: { Size: { value: [1, 2, 3] } } } },
        },
      ],
      undo: { recorded: false },
    });
    const script = (name: string, Source: string) => ({
      className: "Script",
      name,
      properties: { Source },
    });
    const scripts = await editAsync(peer, {
      dryRun: true,
      operations: [
        { op: "create", parent: "ServerStorage", ...script("Sound", "return 1") },
        {
          op: "create",
          className: "Folder",
          parent: "ServerStorage",
          children: [script("A", "return 1"), script("B", "local a\nlocal b = = 1")],
        },
      ],
    });
    expect(scripts.items[0]).not.toHaveProperty("compile");
    expect(scripts.items[1]).toMatchObject({
      ok: true,
      compile: { line: 2, message: expect.stringMatching(/^children\[1\]: Expected identifier/) },
    });
    const untyped = await editAsync(peer, {
      operations: [{ op: "set", path: "Workspace", attributes: { Where: [1, 2, 3] } }],
    });
    expect(untyped.items[0]).toMatchObject({
      ok: false,
      message: expect.stringContaining('such as { "type": "Vector3", "value": [0, 5, 0] }'),
    });
    const house = (glow: object) => ({
      operations: [
        {
          op: "create",
          className: "Model",
          parent: "Workspace",
          children: [
            { className: "Part" },
            {
              className: "Part",
              children: [{ className: "Part" }, { className: "SelectionBox", properties: glow }],
            },
          ],
        },
      ],
    });
    for (const [glow, message] of [
      [
        { Color3: "orange" },
        'SelectionBox.Color3 takes a Color3, such as "#ff8800" or [1, 0.5, 0], not "orange".',
      ],
      [{ Adornee: "Workspace.Nothing" }, "No instance found at path: Workspace.Nothing"],
    ] as const)
      expect((await editAsync(peer, house(glow))).items).toMatchObject([
        { index: 0, ok: false, message: `children[1].children[1]: ${message}` },
      ]);
    await sbAsync("new", "Part", "Workspace", "Name=Theirs");
    expect(await toolAsync(peer, "studio_undo", {})).toEqual({
      undone: [],
      stoppedAt: { name: "sb: create Workspace.Theirs", by: "sb" },
    });
    await sbAsync("undo");
    expect(await toolAsync(peer, "studio_undo", { steps: 3 })).toMatchObject({
      undone: ["sb: create Workspace.Mine"],
    });
    expect(await luauAsync(`return workspace:FindFirstChild("Mine") == nil`)).toBe("true");
  });

  test("of two agents at once, none loses an update and no call is half done", async () => {
    await using one = new McpPeer(box);
    await using other = new McpPeer(box);
    await Promise.all([one.initializeAsync(), other.initializeAsync()]);
    await editAsync(one, {
      operations: [{ op: "create", className: "NumberValue", parent: "Workspace", name: "Count" }],
    });
    // Each reads the count, and adds one under the condition that it is still what was read.
    const addAsync = async (peer: McpPeer): Promise<number> => {
      let tries = 0;
      for (let done = 0; done < 10; tries += 1) {
        const value = Number(
          await (async () => {
            const read = await peer.toolAsync("studio_query", {
              path: "Workspace.Count",
              properties: ["Value"],
            });
            return Object(read["structuredContent"]).instance.properties.Value;
          })(),
        );
        const result = await editAsync(peer, {
          operations: [
            { op: "create", className: "Folder", parent: "Workspace.Count", name: "Added" },
            {
              op: "set",
              path: "Workspace.Count",
              properties: { Value: value + 1 },
              expect: { properties: { Value: value } },
            },
          ],
        });
        if (result.ok) done += 1;
      }
      return tries;
    };
    await Promise.all([addAsync(one), addAsync(other)]);
    expect(await luauAsync("return workspace.Count.Value, #workspace.Count:GetChildren()")).toBe("20\n20");
    await sbAsync("undo", "21");
    expect(await luauAsync(`return workspace:FindFirstChild("Count") == nil`)).toBe("true");
  });
});
