/** The project that is made for a place without one. */
import { expect, test } from "bun:test";
import { newNode, type RojoNode } from "../../../../src/roblox/rojo/node.ts";
import { projectOfPlace } from "../../../../src/sync/place/project-of-place.ts";
import { loadFileSchemaAsync } from "../../../../src/headless/index.ts";

const schema = await loadFileSchemaAsync();

function node(className: string, ...children: RojoNode[]): RojoNode {
  const made = newNode(className, className);
  made.children.push(...children);
  return made;
}

test("the services that hold scripts get a folder each, in the order of the place", () => {
  const made = projectOfPlace(
    "game",
    "game.rbxl",
    [
      node("Workspace", node("Part")),
      node("ServerScriptService", node("Folder", node("Script"), node("ModuleScript"))),
      node(
        "StarterPlayer",
        node("StarterPlayerScripts", node("LocalScript")),
        node("StarterCharacterScripts"),
      ),
      node("ReplicatedStorage", node("ModuleScript")),
    ],
    schema,
  );
  expect(made?.scriptCount).toBe(4);
  expect(JSON.parse(made?.text ?? "")).toEqual({
    name: "game",
    tree: {
      $className: "DataModel",
      ServerScriptService: { $path: "src/ServerScriptService" },
      StarterPlayer: { StarterPlayerScripts: { $path: "src/StarterPlayer/StarterPlayerScripts" } },
      ReplicatedStorage: { $path: "src/ReplicatedStorage" },
    },
  });
  expect(made?.folders).toEqual([
    "src/ServerScriptService",
    "src/StarterPlayer/StarterPlayerScripts",
    "src/ReplicatedStorage",
  ]);
});

test("a model becomes a project of its class", () => {
  const made = projectOfPlace("tool", "tool.rbxm", [node("Tool", node("LocalScript"))], schema);
  expect(JSON.parse(made?.text ?? "")).toEqual({ name: "tool", tree: { $className: "Tool", $path: "src" } });
});

test("a place without scripts, and a model that is a script, have none", () => {
  expect(projectOfPlace("game", "game.rbxl", [node("Workspace", node("Part"))], schema)).toBeUndefined();
  expect(projectOfPlace("m", "m.rbxm", [node("ModuleScript")], schema)).toBeUndefined();
});
