/** Tells luau-lsp where the plugin's files are in the tree of Instances, in the sourcemap format of Rojo. */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

interface SourcemapNode {
  readonly name: string;
  readonly className: "Folder" | "Script" | "ModuleScript";
  readonly filePaths: readonly string[];
  readonly children: readonly SourcemapNode[];
}

/** The files that stand for the folder they are in. */
const INIT_FILES = { "init.server.luau": "Script", "init.luau": "ModuleScript" } as const;
const EXTENSION = ".luau";

/** `root` is the folder that paths are written relative to; `folder` is below it. */
export function sourcemap(root: string, folder: string, name: string): SourcemapNode {
  const entries = readdirSync(join(root, folder), { withFileTypes: true });
  const children = entries.flatMap((entry): SourcemapNode[] => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return [sourcemap(root, path, entry.name)];
    if (!entry.name.endsWith(EXTENSION) || entry.name in INIT_FILES) return [];
    const module = entry.name.slice(0, -EXTENSION.length);
    return [{ name: module, className: "ModuleScript", filePaths: [path], children: [] }];
  });
  for (const [file, className] of Object.entries(INIT_FILES)) {
    const path = `${folder}/${file}`;
    if (existsSync(join(root, path))) return { name, className, filePaths: [path], children };
  }
  return { name, className: "Folder", filePaths: [], children };
}
