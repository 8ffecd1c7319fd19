/** Checks of the actions that read the place or the state of Studio. */
import { type BridgeCheck, failureCodeAsync } from "./bridge-check.ts";
import type { CheckedStudio } from "./checked-studio.ts";
import { allOf, cannotTell, holds, isTrue, sameAs } from "./findings.ts";

const SOURCE = "return { 1, 2 }\n";

/** Makes a new folder with a part, which has an attribute and a tag, and with a script. Returns the path of the folder. */
async function plantAsync(studio: CheckedStudio, name: string): Promise<string> {
  await studio.runAsync(
    `local scratch, name, source = ...
local folder = Instance.new("Folder")
folder.Name = name
local part = Instance.new("Part")
part.Name = "Block"
part.Anchored = true
part:SetAttribute("Health", 10)
part:AddTag("SelftestTag")
part.Parent = folder
local module = Instance.new("ModuleScript")
module.Name = "Module"
module.Source = source
module.Parent = folder
folder.Parent = game.ServerStorage[scratch]`,
    { args: [studio.scratchName, name, SOURCE] },
  );
  return `${studio.scratch}.${name}`;
}

export const readingChecks: readonly BridgeCheck[] = [
  {
    action: "queryState",
    name: "tells the mode of Studio",
    runAsync: async (studio) => sameAs((await studio.callAsync("queryState", {})).state, "Edit"),
  },
  {
    action: "queryLogs",
    name: "keeps lines with their levels",
    runAsync: async (studio) => {
      const text = `sb selftest writes this line ${studio.scratchName}`;
      await studio.runAsync(
        `print("${text}") warn("${text}") game:GetService("TestService"):Message("${text}")`,
      );
      await Bun.sleep(200);
      const { entries } = await studio.callAsync("queryLogs", { count: 50 });
      const levels = entries.filter(({ body }) => body.includes(text)).map(({ level }) => level);
      return sameAs(levels, ["Print", "Warning", "Info"]);
    },
  },
  {
    action: "queryDataModel",
    name: "reads properties, attributes and children",
    runAsync: async (studio) => {
      const path = await plantAsync(studio, "Queried");
      const { instance } = await studio.callAsync("queryDataModel", {
        path: `${path}.Block`,
        properties: ["Anchored"],
        includeAttributes: true,
      });
      const folder = await studio.callAsync("queryDataModel", { path, depth: 1 });
      return allOf(
        sameAs(
          [instance.className, instance.properties, instance.attributes],
          ["Part", { Anchored: true }, { Health: 10 }],
        ),
        sameAs(folder.instance.children?.map(({ name }) => name).sort(), ["Block", "Module"]),
      );
    },
  },
  {
    action: "findInstances",
    name: "finds Instances by a selector",
    runAsync: async (studio) => {
      const path = await plantAsync(studio, "Searched");
      const { instances } = await studio.callAsync("findInstances", {
        selector: "Part.SelftestTag[$Health = 10]",
        path,
      });
      return sameAs(
        instances.map(({ name }) => name),
        ["Block"],
      );
    },
  },
  {
    action: "readScript",
    name: "reads the source of a script",
    runAsync: async (studio) => {
      const path = await plantAsync(studio, "OneScript");
      const { source, className } = await studio.callAsync("readScript", { path: `${path}.Module` });
      return sameAs([source, className], [SOURCE, "ModuleScript"]);
    },
  },
  {
    action: "readScript",
    name: "reads what the script editor shows",
    runAsync: async (studio) => {
      const path = await plantAsync(studio, "Draft");
      const inDocumentAsync = (statement: string) =>
        studio.runAsync(
          `local scratch = ... local editor = game:GetService("ScriptEditorService") local module = game.ServerStorage[scratch].Draft.Module ${statement}`,
          { args: [studio.scratchName] },
        );
      await inDocumentAsync(
        `editor:OpenScriptDocumentAsync(module) editor:FindScriptDocument(module):EditTextAsync("-- edited\\n", 1, 1, 1, 1)`,
      );
      const { source } = await studio.callAsync("readScript", { path: `${path}.Module` });
      await inDocumentAsync("editor:FindScriptDocument(module):CloseAsync()");
      return sameAs(source, `-- edited\n${SOURCE}`);
    },
  },
  {
    action: "readScripts",
    name: "reads the sources of many scripts",
    runAsync: async (studio) => {
      const path = await plantAsync(studio, "ManyScripts");
      const list = await studio.callAsync("readScripts", { path });
      const texts = await studio.callAsync("readScripts", {
        path,
        generation: list.generation,
        revisions: list.revisions,
      });
      return sameAs([list.paths, texts.newTexts], [[`${path}.Module`], SOURCE]);
    },
  },
  {
    action: "readTree",
    name: "reads a tree with hashes, and knows what has changed since",
    runAsync: async (studio) => {
      const path = await plantAsync(studio, "Tree");
      const first = await studio.callAsync("readTree", { roots: [path], watch: true });
      await studio.runAsync(`game.ServerStorage["${studio.scratchName}"].Tree.Block.Transparency = 0.5`);
      const since = await studio.callAsync("readTree", {
        roots: [path],
        watch: true,
        ...(first.mark === undefined ? {} : { since: first.mark }),
      });
      return allOf(
        sameAs(first.names.split("\n").sort(), ["Block", "Module", "Tree"]),
        isTrue(first.hashes.split(",").length === 3, "it has not one hash for each Instance"),
        sameAs([since.isPartial, since.names.split("\n").includes("Block")], [true, true]),
      );
    },
  },
  {
    action: "readItems",
    name: "reads what Instances are made of",
    runAsync: async (studio) => {
      const path = await plantAsync(studio, "Items");
      const tree = await studio.callAsync("readTree", { roots: [`${path}.Block`] });
      const { classNames, columns } = await studio.callAsync("readItems", {
        ids: [Number(tree.ids)],
        aspects: ["properties", "attributes", "tags"],
      });
      const told = (of: string, name: string) => columns.find((each) => each.of === of && each.name === name);
      return sameAs(
        [
          classNames,
          told("properties", "Anchored")?.values,
          told("attributes", "Health")?.numbers,
          told("tags", "")?.values,
        ],
        [["Part"], [true], "10", [["SelftestTag"]]],
      );
    },
  },
  {
    action: "select",
    name: "selects Instances and points the camera at them",
    runAsync: async (studio) => {
      const path = `${await plantAsync(studio, "Selected")}.Block`;
      const chosen = await studio.callAsync("select", { paths: [path], focus: true });
      const read = await studio.callAsync("select", {});
      return allOf(
        sameAs(
          chosen.selection.map((item) => item.path),
          [path],
        ),
        sameAs(
          read.selection.map((item) => item.path),
          [path],
        ),
      );
    },
  },
  {
    action: "readInterface",
    name: "shows the objects of a screen, the lowest first, without what is hidden",
    runAsync: async (studio) => {
      const name = "Screen";
      await studio.runAsync(
        `local scratch, name = ...
local screen = Instance.new("ScreenGui")
screen.Name = name
for _, object in { "Low", "High", "Hidden" } do
	local frame = Instance.new("Frame")
	frame.Name = object
	frame.Size = UDim2.fromOffset(10, 10)
	frame.ZIndex = if object == "High" then 2 else 1
	frame.Visible = object ~= "Hidden"
	frame.Parent = screen
end
screen.Parent = game.ServerStorage[scratch]`,
        { args: [studio.scratchName, name] },
      );
      const { objects } = await studio.callAsync("readInterface", { path: `${studio.scratch}.${name}` });
      return sameAs(
        objects.map((object) => object.name),
        ["Low", "High"],
      );
    },
  },
  {
    action: "captureScreenshot",
    name: "gives a picture of the viewport",
    runAsync: async (studio) => {
      const { width, height, data } = await studio.callAsync("captureScreenshot", {});
      return isTrue(width > 0 && height > 0 && data.length > 0, "the picture is empty");
    },
  },
  {
    action: "findModels",
    name: "searches the Creator Store in Studio, and refuses in headless Studio",
    runAsync: async (studio) => {
      const code = await failureCodeAsync(studio.callAsync("findModels", { query: "tree" }));
      if (studio.session.origin === "headless") return sameAs(code, "NOT_SIMULATED");
      return code === undefined ? holds : cannotTell(`Studio has refused the search (${code})`);
    },
  },
];
