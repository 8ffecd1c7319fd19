/** Names that no file can bear, and the forms of new Instances. */
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import {
  fileNameFault,
  folderNameFault,
  formOf,
  type FormFacts,
  nameFault,
  nameKey,
} from "../../../../src/roblox/rojo/names.ts";
import { parseProjectRules } from "../../../../src/roblox/rojo/project-rules.ts";
import { library, nodeAt, schema, withTreeAsync } from "./rojo-tree.ts";

describe("a name that no file can bear", () => {
  test.each([
    ["", "is empty"],
    ["a/b", "has the character /"],
    ["..\\x", "has the character \\"],
    ["what?", "has the character ?"],
    ["a\tb", "has the character U+0009"],
    ["..", "ends with a dot"],
    ["end ", "ends with a dot or a space"],
    ["CON", "is the name of a device"],
    ["con", "is the name of a device"],
    ["nul.spec", "is the name of a device"],
    ["LPT1 .x", "is the name of a device"],
    ["COM¹", "is the name of a device"],
    [".GIT", "is the name of a folder that is not part"],
    ["x\ud800", "is not well-formed text"],
    ["é".repeat(128), "is longer than 255 bytes"],
  ])("is refused: %j", (name, reason) => {
    expect(nameFault(name)).toStartWith(reason);
  });

  test.each(["a", "Café Ünïcode 漢", "a.b", "console", "COM10", "-x", " lead", "x".repeat(255), "..a"])(
    "is not this one: %j",
    (name) => {
      expect(nameFault(name)).toBeUndefined();
    },
  );

  test("says of a folder when its name means another file", () => {
    expect(folderNameFault("Init.luau")).toStartWith("is the name of a file that says");
    expect(folderNameFault("default.project.json")).toStartWith("is the name of a file that says");
    expect(folderNameFault("a.server")).toBeUndefined();
  });

  test("is one that would be read as another Instance", () => {
    const rules = {
      syncRules: parseProjectRules({ syncRules: [{ pattern: "ui/*", use: "ignore" }] }, "/p", []).syncRules,
    };
    const faultOf = (
      name: string,
      kind: "moduleScript" | "serverScript" | "text" | "json",
      suffix: string,
      folder = "/p",
    ) => fileNameFault(name, { kind, suffix }, folder, { folder: "/p", rules });
    expect(faultOf("a.server", "moduleScript", ".luau")).toBe(
      "would be read as a (serverScript) from a file named a.server.luau",
    );
    expect(faultOf("a.client", "serverScript", ".server.luau")).toBeUndefined();
    expect(faultOf("INIT", "text", ".txt")).toStartWith("is the name of the file that says");
    expect(faultOf("a.meta", "json", ".json")).toStartWith("would be left out");
    expect(faultOf("a", "moduleScript", ".luau", "/p/ui")).toStartWith("would be left out");
    expect(faultOf("x".repeat(250), "moduleScript", ".luau")).toBeUndefined();
    expect(faultOf("x".repeat(251), "moduleScript", ".luau")).toStartWith("is longer than");
  });
});

test("names that some systems take for one have one key", () => {
  expect(nameKey("Straße")).toBe(nameKey("STRAßE"));
  expect(nameKey("Cafe\u0301")).toBe(nameKey("café"));
  expect(nameKey("a")).not.toBe(nameKey("b"));
});

describe("the form of a new", () => {
  const rulesOf = (settings: object) => parseProjectRules({ ...settings }, "/p", []);
  /** In a few words: the file or init file, or `folder`, and the class that it is read as. */
  function shown(facts: Partial<FormFacts> & { className: string }, settings: object = {}): string {
    const all = { hasChildren: false, holdsScripts: false, ...facts };
    const form = formOf(all, schema, rulesOf(settings));
    if (form.type === "none") return form.reason;
    const file =
      form.type === "file"
        ? `N${form.file.suffix}`
        : `N/${form.init === undefined ? "" : `init${form.init.suffix}`}`;
    const context = form.stated.runContext === undefined ? "" : ` ${form.stated.runContext}`;
    return `${file} ${form.stated.className}${context}`;
  }

  test.each([
    [{ className: "Folder" }, "N/ Folder"],
    [{ className: "Tool" }, "N/ Folder"],
    [{ className: "ModuleScript" }, "N.luau ModuleScript"],
    [{ className: "ModuleScript", hasChildren: true }, "N/init.luau ModuleScript"],
    [{ className: "Script" }, "N.server.luau Script 0"],
    [{ className: "Script", runContext: 2 }, "N.server.luau Script 0"],
    [{ className: "Script", runContext: 3 }, "N.plugin.luau Script 3"],
    [{ className: "LocalScript", hasChildren: true }, "N/init.client.luau LocalScript"],
    [{ className: "LocalizationTable" }, "N.csv LocalizationTable"],
    [{ className: "LocalizationTable", hasChildren: true }, "N/init.csv LocalizationTable"],
    [{ className: "StringValue" }, "N.txt StringValue"],
    [{ className: "StringValue", hasChildren: true }, "N/ Folder"],
    [{ className: "ObjectValue" }, "N.model.json ObjectValue"],
    [{ className: "RemoteEvent" }, "N.model.json RemoteEvent"],
    [{ className: "RemoteEvent", hasChildren: true }, "N/ Folder"],
    [{ className: "Model", hasChildren: true }, "N.rbxm Model"],
    [{ className: "Model", hasChildren: true, holdsScripts: true }, "N/ Folder"],
    [{ className: "Part" }, "N.rbxm Part"],
  ])("%j", (facts, form) => {
    expect(shown(facts)).toBe(form);
  });

  test("script follows the project's own words for scripts", () => {
    const modern = { emitLegacyScripts: false };
    expect(shown({ className: "Script", runContext: 2 }, modern)).toBe("N.client.luau Script 2");
    expect(shown({ className: "Script" }, modern)).toBe("N.server.luau Script 1");
    expect(shown({ className: "LocalScript" }, modern)).toBe(
      'no file is read as a LocalScript in a project with "emitLegacyScripts": false; make it a Script whose RunContext is Client',
    );
    const syncRules = [{ pattern: "**/*.local.luau", use: "legacyClientScript", suffix: ".local.luau" }];
    expect(shown({ className: "LocalScript" }, { ...modern, syncRules })).toBe("N.local.luau LocalScript");
  });

  test("Instance is read back as what its form says", async () => {
    for (const emitLegacyScripts of [true, false]) {
      for (const [className, runContext] of [
        ["Script", 1],
        ["Script", 3],
        ["Script", 0],
        ["ModuleScript", 0],
      ] as const) {
        const form = formOf(
          { className, runContext, hasChildren: false, holdsScripts: false },
          schema,
          rulesOf({ emitLegacyScripts }),
        );
        if (form.type !== "file") throw new Error("a script is a file");
        const files = library({ [join("src", `N${form.file.suffix}`)]: "" }, { emitLegacyScripts });
        await withTreeAsync(files, ({ root }) => {
          const { className: read, properties, origin } = nodeAt(root, "N");
          const context = read === "Script" ? { runContext: properties.get("RunContext")?.value ?? 0 } : {};
          expect({ className: read, ...context, content: ["Source"] }).toEqual({
            ...form.stated,
            content: ["Source"],
          });
          expect(origin?.kind).toBe(form.file.kind);
        });
      }
    }
  });
});
