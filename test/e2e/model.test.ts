/** Models as files: inserting, exporting, and which files an agent may name, through the compiled binary. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { randomBytes } from "node:crypto";
import { access, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { ListRootsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { createDom, readBinary, readXml } from "rbx-dom";
import { binaryPath } from "../../build.ts";
import { Sandbox } from "../harness.ts";
import { describeDom } from "../unit/roblox/generated.ts";

setDefaultTimeout(120_000);

let box: Sandbox;
/** A folder that the sandbox does not contain. */
let outside: string;
beforeAll(async () => {
  box = await Sandbox.createAsync();
  outside = await mkdtemp(join(tmpdir(), "sb-outside-"));
  await box.headlessAsync();
  await writeFile(inBox("tree.model.json"), JSON.stringify(tree));
  await writeFile(inBox("pair.rbxm"), createDom({ className: "DataModel", children: pair }).toBinary());
  await writeFile(inBox("sparse.rbxmx"), SPARSE);
});
afterAll(async () => {
  await box[Symbol.asyncDispose]();
  await rm(outside, { recursive: true });
});

const inBox = (name: string) => join(box.folder, name);

const tree = {
  className: "Model",
  children: [
    { className: "Part", name: "Trunk", properties: { Size: [1, 5, 1], Anchored: true } },
    { className: "Script", name: "Sway", properties: { Source: "print(1)" } },
    { className: "LocalScript", name: "Shine" },
    { className: "ModuleScript", name: "Lib" },
  ],
};
const pair = [
  { className: "Folder", name: "A", children: [{ className: "Folder", name: "In" }] },
  { className: "Folder", name: "B" },
];
/** Only one of its parts says how large and how bouncy it is. */
const SPARSE = `<roblox version="4">
  <Item class="Part" referent="A"><Properties><string name="Name">Told</string>
    <bool name="CanCollide">false</bool><Vector3 name="size"><X>9</X><Y>9</Y><Z>9</Z></Vector3></Properties></Item>
  <Item class="Part" referent="B"><Properties><string name="Name">Usual</string></Properties></Item>
</roblox>`;

const sbAsync = (...words: readonly string[]) => box.sbAsync(words);
async function jsonAsync(...words: readonly string[]) {
  const { stdout } = await sbAsync(...words, "--json");
  return JSON.parse(stdout);
}
const luauAsync = async (code: string) => (await sbAsync("exec", code)).stdout.trim();
const existsAsync = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  );

describe("sb insert", () => {
  test("puts a model below an Instance with its scripts disabled, as one undo step", async () => {
    await sbAsync("new", "Folder", "Workspace", "Name=Map");
    const { inserted, scripts, runWhenRequired, undo } = await jsonAsync(
      "insert",
      "tree.model.json",
      "Workspace.Map",
    );
    expect(runWhenRequired).toEqual(["Workspace.Map.tree.Lib"]);
    expect(inserted).toEqual([
      { path: "Workspace.Map.tree", id: expect.stringMatching(/^@\d+$/), className: "Model" },
    ]);
    expect(scripts).toEqual(["Sway", "Shine", "Lib"].map((name) => `Workspace.Map.tree.${name}`));
    expect(undo).toEqual({ recorded: true, name: "sb: insert tree.model.json" });
    const look = `local tree = workspace.Map.tree
      return tree.Trunk.Size == Vector3.new(1, 5, 1), tree.Trunk.Anchored, tree.Sway.Enabled, tree.Shine.Enabled`;
    expect(await luauAsync(look)).toBe("true\ntrue\nfalse\nfalse");
    expect((await sbAsync("undo")).stdout).toBe("Undone: sb: insert tree.model.json\n");
    expect(await luauAsync("return #workspace.Map:GetChildren()")).toBe("0");
    await sbAsync("redo");
    const enabled = await jsonAsync("insert", "tree.model.json", inserted[0].id, "--enable-scripts");
    expect(enabled.inserted[0].path).toBe("Workspace.Map.tree.tree");
    expect(await luauAsync("return workspace.Map.tree.tree.Sway.Enabled")).toBe("true");
  });

  test("takes models of several Instances, binary and XML, and gives what the XML does not say its default", async () => {
    const shown = await sbAsync("insert", "pair.rbxm");
    expect(shown.stdout).toMatch(/^Workspace\.A @\d+\nWorkspace\.B @\d+\n$/);
    expect(await luauAsync("return workspace.A.In.ClassName")).toBe("Folder");
    await sbAsync("insert", "sparse.rbxmx");
    const look = `local t, u = workspace.Told, workspace.Usual
      return t.Size == Vector3.one * 9, t.CanCollide, u.Size == Instance.new("Part").Size, u.CanCollide`;
    expect(await luauAsync(look)).toBe("true\nfalse\ntrue\ntrue");
  });

  test("refuses what is no model with the next step, and changes nothing", async () => {
    const place = createDom({ className: "DataModel", children: [{ className: "Workspace" }] });
    await writeFile(inBox("place.rbxm"), place.toBinary());
    await writeFile(inBox("text.rbxm"), "hello");
    await writeFile(inBox("empty.model.json"), "{}");
    await writeFile(
      inBox("huge.rbxm"),
      createDom({ className: "DataModel", children: [hugeValue()] }).toBinary(),
    );
    const before = await luauAsync("return #workspace:GetDescendants()");
    for (const [file, code, ...texts] of [
      ["nowhere.rbxm", 1, "Model file not found: nowhere.rbxm"],
      ["text.rbxm", 1, "not a Roblox file", "It may be damaged"],
      ["empty.model.json", 1, "className is missing"],
      ["place.rbxm", 1, "it is a place, with a Workspace", "sb export PATH"],
      ["game.rbxl", 2, "Not a model file: game.rbxl", "sb export PATH"],
      ["default.project.json", 2, "Not a model file", "sb build PROJECT"],
      ["huge.rbxm", 2, "at most 32 MB can be inserted"],
      ["1818", 1, "Headless Studio has no access to assets of Roblox.", "insert the file"],
    ] as const) {
      const { exitCode, stdout, stderr } = await sbAsync("insert", file);
      expect({ file, exitCode, stdout }).toEqual({ file, exitCode: code, stdout: "" });
      for (const text of texts) expect(stderr).toContain(text);
    }
    const wrongParent = await sbAsync("insert", "pair.rbxm", "Workspace.Nowhere");
    expect(wrongParent.stderr).toContain("lists the Instances below it.");
    expect(await luauAsync("return #workspace:GetDescendants()")).toBe(before);
  });
});

/** Of random letters, so that no packing makes it smaller than 32 MB. */
function hugeValue() {
  const text = randomBytes(25 * 1024 * 1024).toString("base64");
  return { className: "StringValue", name: "Huge", properties: { Value: { String: text } } };
}

describe("sb export", () => {
  test("writes what other programs read, in both formats, each Instance once", async () => {
    await luauAsync(`local model = Instance.new("Model", workspace)
      model.Name = "Shrine"
      local part = Instance.new("Part", model)
      part.Name = "Base"
      part.Size = Vector3.new(3, 2, 1)
      part:SetAttribute("Zone", "Lobby")
      part:AddTag("Solid")
      local hidden = Instance.new("Folder", model)
      hidden.Archivable = false
      Instance.new("Folder", hidden)`);
    const result = await jsonAsync(
      "export",
      "Workspace.Shrine",
      "Workspace.Shrine.Base",
      "-o",
      "shrine.rbxm",
    );
    expect(result).toEqual({
      file: "shrine.rbxm",
      bytes: expect.any(Number),
      exported: [{ path: "Workspace.Shrine", id: expect.any(String) }],
      instances: 2,
      leftOut: 2,
    });
    const binary = await readFile(inBox("shrine.rbxm"));
    expect(binary.length).toBe(result.bytes);
    const xml = await sbAsync("export", "Workspace.Shrine", "-o", "shrine.rbxmx");
    expect(xml.stdout).toContain(
      "Exported 2 Instances to shrine.rbxmx\n2 left out, which are not Archivable.\n",
    );
    const [first, second] = [readBinary(binary), readXml(await readFile(inBox("shrine.rbxmx")))];
    for (const dom of [first, second]) {
      const lines = describeDom(dom).join("\n");
      expect(lines).toContain('Base Part.Size = {"Vector3":[3,2,1]}');
      expect(lines).toContain('"Zone"');
      expect(lines).toContain('Part.Tags = {"Tags":["Solid"]}');
    }
    await sbAsync("insert", "shrine.rbxmx", "ReplicatedStorage");
    const look = `local part = game.ReplicatedStorage.Shrine.Base
      return part.Size == Vector3.new(3, 2, 1), part:GetAttribute("Zone"), part:HasTag("Solid")`;
    expect(await luauAsync(look)).toBe("true\nLobby\ntrue");
  });

  test("replaces no file unasked, and writes none where it refuses", async () => {
    await writeFile(inBox("kept.rbxm"), "mine");
    const refused = await sbAsync("export", "Workspace.Shrine", "-o", "kept.rbxm");
    expect(refused).toMatchObject({ exitCode: 1, stdout: "" });
    expect(refused.stderr).toContain("--force");
    expect(await readFile(inBox("kept.rbxm"), "utf8")).toBe("mine");
    expect((await sbAsync("export", "Workspace.Shrine", "-o", "kept.rbxm", "--force")).exitCode).toBe(0);
    for (const [words, text] of [
      [["Workspace", "-o", "a.rbxm"], "Workspace cannot be in a model file."],
      [["Workspace.Shrine.Folder", "-o", "a.rbxm"], "Workspace.Shrine.Folder is not Archivable"],
      [["Workspace.Nowhere", "-o", "a.rbxm"], "Workspace has no Nowhere."],
      [["Workspace.Shrine", "-o", "none/a.rbxm"], "Make the folder none first."],
      [
        ["Workspace.Shrine", "-o", "a.rbxl"],
        "Name a .rbxm or .rbxmx file; `sb export game -o FILE.rbxl` writes the whole place.",
      ],
      [["Workspace.Shrine"], "Name the file to write."],
    ] as const) {
      const { exitCode, stderr } = await sbAsync("export", ...words);
      expect({ words, failed: exitCode > 0 }).toEqual({ words, failed: true });
      expect(stderr).toContain(text);
    }
    expect(await existsAsync(inBox("a.rbxm"))).toBe(false);
  });

  test("takes a part from a place file with a headless Studio of its own", async () => {
    const lamp = { className: "Model", name: "Lamp", children: [{ className: "Part", name: "Bulb" }] };
    const place = createDom({
      className: "DataModel",
      children: [{ className: "Workspace", name: "Workspace", children: [lamp] }],
    });
    await writeFile(inBox("game.rbxl"), place.toBinary());
    const words = ["export", "Workspace.Lamp", "-o", "lamp.rbxm", "--headless", "--place", "game.rbxl"];
    expect((await sbAsync(...words)).stdout).toContain("Exported 2 Instances to lamp.rbxm");
    expect(describeDom(readBinary(await readFile(inBox("lamp.rbxm")))).join("\n")).toContain("Bulb");
  });
});

async function clientAsync(roots?: readonly string[], flags: readonly string[] = []): Promise<Client> {
  const client = new Client(
    { name: "test", version: "1" },
    { capabilities: roots === undefined ? {} : { roots: {} } },
  );
  if (roots !== undefined)
    client.setRequestHandler(ListRootsRequestSchema, async () => ({
      roots: roots.map((folder) => ({ uri: pathToFileURL(folder).href })),
    }));
  await client.connect(
    new StdioClientTransport({
      command: binaryPath,
      args: ["mcp", "--port", String(box.port), ...flags],
      env: box.env(),
      cwd: inBox("work"),
    }),
  );
  return client;
}

async function insertAsync(client: Client, args: { [name: string]: unknown }) {
  const { content, isError = false } = await client.callTool({ name: "studio_insert", arguments: args });
  const [first] = Array.isArray(content) ? content : [];
  return { facts: JSON.parse(first.text), isError };
}

describe("studio_insert", () => {
  test("reads model files below the server's folder and the client's roots, and tells nothing about others", async () => {
    const bytes = await readFile(inBox("pair.rbxm"));
    await mkdir(inBox("work/models"), { recursive: true });
    await mkdir(inBox("shared"));
    for (const name of ["work/models/a.rbxm", "shared/b.rbxm", "work/notes.txt"])
      await writeFile(inBox(name), bytes);
    await writeFile(join(outside, "secret.rbxm"), bytes);
    await symlink(join(outside, "secret.rbxm"), inBox("work/link.rbxm"));
    await symlink(outside, inBox("work/folder"));
    const client = await clientAsync([inBox("shared")]);
    const { facts } = await insertAsync(client, { file: "models/a.rbxm", parent: "ServerStorage" });
    expect(facts).toEqual({
      inserted: ["A", "B"].map((name) => ({
        path: `ServerStorage.${name}`,
        id: expect.stringMatching(/^@\d+$/),
        className: "Folder",
      })),
      scripts: [],
      runWhenRequired: [],
      undo: { recorded: true, name: "sb: insert a.rbxm" },
    });
    const absolute = await insertAsync(client, { file: inBox("shared/b.rbxm"), parent: "ServerStorage" });
    expect(absolute.facts.inserted[0].path).toBe("ServerStorage.A[2]");
    for (const file of [
      join(outside, "secret.rbxm"),
      join(outside, "nothing.rbxm"),
      "link.rbxm",
      "folder/secret.rbxm",
      "folder/nothing.rbxm",
      "nothing.rbxm",
      "../../nothing.rbxm",
      "notes.txt",
      "models",
    ]) {
      const { facts: refusal, isError } = await insertAsync(client, { file });
      expect({ file, isError, ...refusal }).toMatchObject({
        file,
        isError: true,
        code: "FILE_ERROR",
        error: `There is no model file ${file} that this server may read.`,
        hint: expect.stringContaining("below"),
      });
    }
    await client.close();
    const withoutRoots = await clientAsync();
    expect((await insertAsync(withoutRoots, { file: inBox("shared/b.rbxm") })).isError).toBe(true);
    await withoutRoots.close();
  });

  test("takes one of file, assetId and query, and only a query with --read-only", async () => {
    const client = await clientAsync();
    expect((await insertAsync(client, { assetId: 1818 })).facts.code).toBe("NOT_SIMULATED");
    expect((await insertAsync(client, { query: "oak" })).facts).toMatchObject({
      code: "NOT_SIMULATED",
      error: "Headless Studio cannot search the Creator Store.",
    });
    const both = { query: "oak", file: "models/a.rbxm" };
    for (const args of [{}, { file: "models/a.rbxm", assetId: 1 }, both])
      expect((await insertAsync(client, args)).facts.error).toBe(
        "Give a file, an assetId or a query, and one of them only.",
      );
    for (const query of ["", "  "])
      expect((await insertAsync(client, { query })).facts.error).toContain("the query is empty");
    await client.close();
    const reader = await clientAsync(undefined, ["--read-only"]);
    expect((await insertAsync(reader, { query: "oak" })).facts.code).toBe("NOT_SIMULATED");
    expect((await insertAsync(reader, { file: "models/a.rbxm" })).facts.error).toContain(
      "file: is not taken, because this server was started with --read-only",
    );
    await reader.close();
  });
});
