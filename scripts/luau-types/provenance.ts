/** What the files that are made from the declarations of Roblox's API were made from, so that they are made anew in time. */
import { createHash } from "node:crypto";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import rbxtsPackage from "@rbxts/types/package.json" with { type: "json" };

const SCRIPTS = join(import.meta.dir, "..");

/** `kind` names the product and the version of its format, `script` is the file that makes it. */
export function provenanceOf(kind: string, script: string): string {
  const hash = createHash("sha256").update(readFileSync(script));
  for (const folder of ["classes", "luau-types"].map((name) => join(SCRIPTS, name)))
    for (const name of readdirSync(folder).sort()) hash.update(readFileSync(join(folder, name)));
  return `${kind} rbxts=${rbxtsPackage.version} script=${hash.digest("hex").slice(0, 12)}`;
}
