/** The files of a new game, library or plugin, for `sb init game|model|plugin`: a Rojo project and its first scripts. */
import type { PlannedFile } from "./planned-file.ts";
import type { ProjectFacts } from "./project-facts.ts";
import gameClient from "./templates/game-client.luau" with { type: "text" };
import gameServer from "./templates/game-server.luau" with { type: "text" };
import gameShared from "./templates/game-shared.luau" with { type: "text" };
import model from "./templates/model.luau" with { type: "text" };
import plugin from "./templates/plugin.luau" with { type: "text" };

export const PROJECT_KINDS = ["game", "model", "plugin"] as const;
export type ProjectKind = (typeof PROJECT_KINDS)[number];

const PROJECT = "default.project.json";
/** Of a library: a place around it, in which a Studio can have it while it is written. */
const DEV_PROJECT = "dev.project.json";

/** The tests of a library or a plugin are not part of what is built, so that they go into a folder of their own. */
const NOT_IN_THE_PRODUCT: readonly string[] = [];

const json = (value: object): string => `${JSON.stringify(value, null, 2)}\n`;

export interface Scaffold {
  readonly files: readonly PlannedFile[];
  /** What `projectFactsAsync` will find once the files are there. */
  readonly facts: Pick<ProjectFacts, "projectFile" | "sourceFolders">;
  /** What to do next, a sentence each. */
  readonly notes: readonly string[];
}

/** `name`: of the project. */
export function scaffoldOf(kind: ProjectKind, name: string): Scaffold {
  switch (kind) {
    case "game":
      return game(name);
    case "model":
      return library(name);
    case "plugin":
      return pluginOf(name);
  }
}

const file = (path: string, text: string, purpose: string): PlannedFile => ({ path, text, purpose });

function game(name: string): Scaffold {
  const tree = {
    $className: "DataModel",
    ReplicatedStorage: { Shared: { $path: "src/shared" } },
    ServerScriptService: { Server: { $path: "src/server" } },
    StarterPlayer: { StarterPlayerScripts: { Client: { $path: "src/client" } } },
  };
  return {
    files: [
      file(PROJECT, json({ name, tree }), "the Rojo project of the game"),
      file("src/shared/Greeting.luau", gameShared, "a module for server and clients"),
      file("src/server/Main.server.luau", gameServer, "a script of the server"),
      file("src/client/Main.client.luau", gameClient, "a script of each client"),
    ],
    facts: { projectFile: PROJECT, sourceFolders: ["src/shared", "src/server", "src/client"] },
    notes: [
      "`sb sync --watch` keeps the project and an open Studio the same; `sb build -o game.rbxl` makes a place.",
    ],
  };
}

function library(name: string): Scaffold {
  const around = { $className: "DataModel", ReplicatedStorage: { [name]: { $path: PROJECT } } };
  return {
    files: [
      file(PROJECT, json({ name, tree: { $path: "src" } }), "the Rojo project of the library"),
      file(DEV_PROJECT, json({ name: `${name}-dev`, tree: around }), "a place with the library in it"),
      file("src/init.luau", model, "the library"),
    ],
    facts: { projectFile: PROJECT, sourceFolders: NOT_IN_THE_PRODUCT },
    notes: [
      `\`sb sync ${DEV_PROJECT} --watch\` keeps the library and ReplicatedStorage.${name} of an open Studio the same; \`sb build -o ${fileNameOf(name)}.rbxm\` makes a model.`,
    ],
  };
}

function pluginOf(name: string): Scaffold {
  return {
    files: [
      file(PROJECT, json({ name, tree: { $path: "src" } }), "the Rojo project of the plugin"),
      file("src/init.server.luau", plugin.replace("NAME", luauText(name)), "the script of the plugin"),
      file("src/Greeting.luau", gameShared.replace(/^-- Scripts.*\n/m, ""), "a module of the plugin"),
    ],
    facts: { projectFile: PROJECT, sourceFolders: NOT_IN_THE_PRODUCT },
    notes: [
      `\`sb build --plugin ${fileNameOf(name)} --watch\` builds the plugin into Studio's folder at each change.`,
    ],
  };
}

const luauText = (text: string): string => text.replace(/[\\"]/g, "\\$&");

/** A name that a shell takes as one word. */
const fileNameOf = (name: string): string => name.replace(/[^\w.-]+/g, "-");
