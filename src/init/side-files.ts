/** The files that `sb init` offers beside the tests: `.gitignore` and `.mcp.json`. */
import type { PlannedFile } from "./planned-file.ts";
import type { ProjectFacts } from "./project-facts.ts";

const PACKAGE_FOLDERS = ["Packages/", "ServerPackages/", "DevPackages/"];

/** What git should leave alone: what is built, compiled or installed, and what sb keeps beside the project. */
export function gitIgnoreFile({
  projectFile,
  typeScript,
  usesWally,
}: Pick<ProjectFacts, "projectFile" | "typeScript" | "usesWally">): PlannedFile {
  const lines = [
    ...(projectFile === undefined
      ? []
      : ["# Places and models that are built", "/*.rbxl", "/*.rbxlx", "/*.rbxm", "/*.rbxmx"]),
    "# What Studio and tools keep for a while",
    "*.rbxl.lock",
    "*.rbxlx.lock",
    "sourcemap.json",
    "# What sb keeps",
    ".sb/",
    ...(usesWally ? ["# What Wally installs", ...PACKAGE_FOLDERS] : []),
    ...(typeScript === undefined
      ? []
      : [
          "# What npm installs, and what roblox-ts compiles",
          "node_modules/",
          `${typeScript.output}/`,
          "include/",
          "*.tsbuildinfo",
        ]),
  ];
  return {
    path: ".gitignore",
    text: lines.map((line) => `${line}\n`).join(""),
    purpose: "what git leaves alone",
  };
}

/** The lines that a `.gitignore` would get and does not have, by their text alone. */
export function missingLines(present: string, facts: Parameters<typeof gitIgnoreFile>[0]): readonly string[] {
  const own = new Set(present.split(/\r?\n/).map(bare));
  return gitIgnoreFile(facts)
    .text.split("\n")
    .filter((line) => line !== "" && !line.startsWith("#") && !own.has(bare(line)));
}

/** `/out/` and `out` leave out the same folder of a project's root. */
const bare = (line: string): string => line.trim().replace(/^\//, "").replace(/\/$/, "");

/** The server as clients start it that read a file of the project. */
export const mcpFile: PlannedFile = {
  path: ".mcp.json",
  text: `${JSON.stringify({ mcpServers: { "studio-bridge": { command: "sb", args: ["mcp"] } } }, null, 2)}\n`,
  purpose: "starts sb mcp for agents that read this file",
};

/** Whether a file for clients starts this server in some way, also with words of its own. */
export const startsServer = (text: string): boolean =>
  /"studio-bridge"/.test(text) || /"args"\s*:\s*\[\s*"mcp"/.test(text);
