/** Rojo's finer rules: which of several files counts, what goes on into nested projects, how values are written. */
import { describe, expect, test } from "bun:test";
import { type Files, library, linesAsync, readFilesAsync } from "./rojo-tree.ts";

const project = (tree: Files, settings: Files = {}): Files => ({
  "default.project.json": { name: "P", tree, ...settings },
});

describe("files", () => {
  test("with comments end in .jsonc, whatever they are", async () => {
    const files = {
      "src/m.model.jsonc": '{ "className": "Model" } // m',
      "src/m.meta.jsonc": "{}",
      "src/d.jsonc": "[1] // d",
      "src/s.luau": "S",
      "src/s.meta.jsonc": '{ "attributes": { "n": 1 } } // s',
      "src/f/init.meta.jsonc": '{ "className": "Configuration" } // f',
      "src/inner/default.project.jsonc": '{ "tree": { "$className": "Folder" } } // inner',
      "src/side.project.jsonc": '{ "tree": { "$className": "Folder" } } // side',
      "outer.project.jsonc": '{ "tree": { "$path": "src" } } // outer',
    };
    expect(await linesAsync(files, "outer.project.jsonc")).toEqual([
      "/outer Folder",
      '/outer/d ModuleScript Source=String "return {1}"',
      "/outer/f Configuration",
      "/outer/inner Folder",
      "/outer/m Model NeedsPivotMigration=Bool false",
      expect.stringContaining('/outer/s ModuleScript Source=String "S" AttributesSerialize='),
      "/outer/side Folder",
    ]);
  });

  test("called init may be a plugin's script", async () => {
    const files = { "src/init.plugin.luau": "P", "src/old/init.plugin.lua": "O" };
    expect(await linesAsync(library(files))).toEqual([
      '/Lib Script RunContext=Enum 3 Source=String "P"',
      '/Lib/old Script RunContext=Enum 3 Source=String "O"',
    ]);
  });

  test("of scripts get the line ends of Unix, texts keep theirs", async () => {
    const files = { "src/a.luau": "A\r\nB\n", "src/b.server.lua": "\r\n", "src/c.txt": "\r\n" };
    expect(await linesAsync(library(files))).toEqual([
      "/Lib Folder",
      '/Lib/a ModuleScript Source=String "A\\nB\\n"',
      '/Lib/b Script Source=String "\\n"',
      '/Lib/c StringValue Value=String "\\r\\n"',
    ]);
  });

  test("of data have the keys of JSON and TOML in their order, and those of YAML as written", async () => {
    const files = {
      "src/a.json": '{"b": 1, "a": [{ "c": [], "d": {} }], "n": [-0, 1e-7, -1.25e21, 1.5e300]}',
      "src/b.toml": "b = 1\na = 2",
      "src/c.yaml": "b: 1\na: 2",
    };
    const sourceOf = (name: string, source: string) =>
      `/Lib/${name} ModuleScript Source=String ${JSON.stringify(source)}`;
    expect(await linesAsync(library(files))).toEqual([
      "/Lib Folder",
      sourceOf(
        "a",
        `return {\n\ta = {{\n\t\tc = {},\n\t\td = {\n\t\t},\n\t}},\n\tb = 1,\n\tn = {-0, 0.0000001, -1250000000000000000000, 15${"0".repeat(299)}},\n}`,
      ),
      sourceOf("b", "return {\n\ta = 2,\n\tb = 1,\n}"),
      sourceOf("c", "return {\n\tb = 1,\n\ta = 2,\n}"),
    ]);
  });

  test("of TOML have dates and times as text", async () => {
    const files = {
      "src/a.toml": "d = 2001-02-03\nt = 04:05:06.5\nl = 2001-02-03T04:05:06\nu = 2001-02-03 04:05:06Z",
    };
    const source =
      'return {\n\td = "2001-02-03",\n\tl = "2001-02-03T04:05:06",\n\tt = "04:05:06.5",\n\tu = "2001-02-03T04:05:06Z",\n}';
    expect(await linesAsync(library(files))).toContain(
      `/Lib/a ModuleScript Source=String ${JSON.stringify(source)}`,
    );
  });

  test("of YAML have one document", async () => {
    const one = "%YAML 1.2\n# c\n---\na: '---'\n...\n# end\n";
    expect(await linesAsync(library({ "src/a.yml": one }))).toContain(
      '/Lib/a ModuleScript Source=String "return {\\n\\ta = \\"---\\",\\n}"',
    );
    expect(linesAsync(library({ "src/a.yml": "a: 1\n---\nb: 2\n" }))).rejects.toThrow(
      "a.yml: it has several documents",
    );
  });

  test("of YAML keep keys that are numbers or truth values, unless they are in quotes", async () => {
    const yaml =
      "1: a\n0x1F: b\n1.5: c\ntrue: d\n- 2: x\n".replace("- 2", '"2"') + "yes: {3: e, !!str 4: f}\n";
    const source =
      'return {\n\t[1] = "a",\n\t["2"] = "x",\n\t[31] = "b",\n\t[1.5] = "c",\n\t[true] = "d",\n\tyes = {\n\t\t[3] = "e",\n\t\t["4"] = "f",\n\t},\n}';
    expect(await linesAsync(library({ "src/a.yaml": yaml }))).toContain(
      `/Lib/a ModuleScript Source=String ${JSON.stringify(source)}`,
    );
    await expect(linesAsync(library({ "src/a.yaml": '- 1: a\n- "1": b\n' }))).rejects.toThrow(
      "a.yaml: the key 1 is written with quotes and without",
    );
  });

  test.each([
    ["src/a.json", '{ "a": 1 }\n}', "line 2, column 1: unexpected text after the end"],
    ["src/a.meta.json", '{} // one\n{ "id": "x" }', "line 2, column 1: unexpected text after the end"],
    ["src/a.model.json", '{ "className": "Part" } x', "line 1, column 25: unexpected text after the end"],
    ["default.project.json", " \n", "the file is empty"],
    [
      "src/b.luau",
      Buffer.from("return\n  '\xff'\n", "latin1"),
      "it is not UTF-8 at line 2, byte 4; save it in that encoding",
    ],
    [
      "src/b/init.server.lua",
      new Uint8Array([0xc3]),
      "it is not UTF-8 at line 1, byte 1; save it in that encoding",
    ],
    ["src/a.txt", new Uint8Array([0xff, 0xfe]), "it is not UTF-8; save it in that encoding"],
    ["src/a.meta.json", "[]", "expected an object"],
    ["src/a.csv", "Key,es\na,b\nc,d,e\n", "row 3 has another number of fields than the header: 3 and 2"],
  ])("a fault in %s is said once, with the file: %j", async (name, content, reason) => {
    const files = { ...library({ "src/a.luau": "A" }), [name]: content };
    await expect(linesAsync(files)).rejects.toThrow(new RegExp(`^[^:]*/${name}: ${reason}$`));
  });

  test("that hold arrays too deep for Luau are refused", () => {
    const files = { "src/a.json": "[".repeat(200) + "]".repeat(200) };
    expect(linesAsync(library(files))).rejects.toThrow("a.json: it is nested more than 100 deep");
  });

  test("of translations may have quotes inside a field, and list their facts in Rojo's order", async () => {
    const files = { "src/t.csv": 'es,Source,Key,Context,de\n5" lang,s,k,c,"d"\n' };
    const [, line] = await linesAsync(library(files));
    const contents = '[{"key":"k","context":"c","source":"s","values":{"de":"d","es":"5\\" lang"}}]';
    expect(line).toBe(`/Lib/t LocalizationTable Contents=String ${JSON.stringify(contents)}`);
  });

  test("of translations may have empty lines", async () => {
    const [, line] = await linesAsync(library({ "src/t.csv": "\n\r\nKey,es\r\n\r\nk,uno\r\n\r\n" }));
    const contents = '[{"key":"k","values":{"es":"uno"}}]';
    expect(line).toBe(`/Lib/t LocalizationTable Contents=String ${JSON.stringify(contents)}`);
  });

  test("of JSON models are nothing while they are empty", async () => {
    expect(await linesAsync(library({ "src/a.model.json": " \n" }))).toEqual(["/Lib Folder"]);
  });

  test("that say all themselves take nothing from a meta file", async () => {
    const files = {
      "src/a.model.json": { className: "BoolValue" },
      "src/a.meta.json": { properties: { Value: true } },
    };
    expect(await linesAsync(library(files))).toEqual(["/Lib Folder", "/Lib/a BoolValue"]);
  });

  test("called init also take the meta file of the folder's name", async () => {
    const files = { "src/a/init.server.luau": "A", "src/a/a.meta.json": { properties: { Disabled: true } } };
    expect(await linesAsync(library(files))).toEqual([
      "/Lib Folder",
      '/Lib/a Script Source=String "A" Disabled=Bool true',
    ]);
  });
});

describe("globIgnorePaths", () => {
  const files = {
    "src/a.spec.luau": "A",
    "src/b.spec.luau": "B",
    "src/!c.luau": "C",
    "src/lib/default.project.json": { tree: { $path: "in" } },
    "src/lib/in/d.spec.luau": "D",
    "src/lib/in/e.luau": "E",
  };

  test("hold for nested projects too, from the folder that they stand in", async () => {
    const globIgnorePaths = ["**/*.spec.luau", "in/e.luau", "src/!c.luau"];
    expect(await linesAsync(library(files, { globIgnorePaths }))).toEqual([
      "/Lib Folder",
      "/Lib/lib Folder",
      '/Lib/lib/e ModuleScript Source=String "E"',
    ]);
  });

  test("take back in what follows an exclamation mark; the last that fits decides", async () => {
    const globIgnorePaths = ["**/*.luau", "!**/b.*", "!src/!c.luau", "src/lib/**"];
    expect(await linesAsync(library(files, { globIgnorePaths }))).toEqual([
      "/Lib Folder",
      '/Lib/!c ModuleScript Source=String "C"',
      '/Lib/b.spec ModuleScript Source=String "B"',
      "/Lib/lib Folder",
    ]);
  });

  test.each([
    ["**", "globIgnorePaths must be"],
    [[1], "globIgnorePaths must be"],
    [["a["], '"a[" is not a glob: a bracket is never closed'],
    [["[]a"], '"[]a" is not a glob: a bracket is never closed'],
    [["{a"], '"{a" is not a glob: a brace is never closed'],
  ])("that are no list of globs are refused: %j", async (globIgnorePaths, message) => {
    await expect(linesAsync(library({ "src/a.luau": "" }, { globIgnorePaths }))).rejects.toThrow(message);
  });
});

describe("nested projects", () => {
  test("have legacy scripts unless they say otherwise", async () => {
    const files = {
      "src/a.client.luau": "A",
      "src/in/default.project.json": { tree: { $path: "code" } },
      "src/in/code/b.client.luau": "B",
    };
    expect(await linesAsync(library(files, { emitLegacyScripts: false }))).toEqual([
      "/Lib Folder",
      '/Lib/a Script RunContext=Enum 2 Source=String "A"',
      "/Lib/in Folder",
      '/Lib/in/b LocalScript Source=String "B"',
    ]);
  });

  test("may be named by their file, and may be nothing", async () => {
    const files = {
      "lib/default.project.json": { tree: { $className: "Model" } },
      "none/default.project.json": { tree: { $path: { optional: "later" } } },
      ...project({
        $className: "Folder",
        A: { $path: "lib/default.project.json" },
        B: { $path: { optional: "none" } },
      }),
    };
    expect(await linesAsync(files)).toEqual(["/P Folder", "/P/A Model NeedsPivotMigration=Bool false"]);
  });
});

describe("a path with nothing", () => {
  test("leaves the class that is stated or meant, and is told", async () => {
    const tree = {
      $className: "DataModel",
      Lighting: { $path: "none" },
      Chat: { $className: "Chat", $path: "no" },
    };
    expect(await linesAsync(project(tree))).toEqual(["/Chat Chat", "/Lighting Lighting"]);
    expect((await readFilesAsync(project(tree))).problems).toEqual([
      '"Chat": there is not a file that Rojo knows at no.',
      '"Lighting": there is not a file that Rojo knows at none.',
    ]);
  });

  test("names the folder as what stands for an init file", async () => {
    const files = {
      "src/init.luau": "I",
      ...project({ $className: "Folder", A: { $path: "src/init.luau" } }),
    };
    await expect(linesAsync(files)).rejects.toThrow(
      '"A": there is not a file that Rojo knows at src/init.luau; name its folder',
    );
  });
});
