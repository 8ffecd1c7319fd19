/**
 * Makes build/definitions.d.luau, the definitions of Roblox's API that `sb check` gives to a type checker. Does nothing when
 * the file already fits the packages and the scripts.
 */
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { definitionsAsync } from "./luau-types/definitions.ts";
import { provenanceOf } from "./luau-types/provenance.ts";

const ROOT = join(import.meta.dir, "..");
const OUTPUT = join(ROOT, "build", "definitions.d.luau");

/** Returns the path of the file, made anew only when something it depends on has changed. */
export async function buildDefinitionsAsync(): Promise<string> {
  // It stands at the end, because a type checker reads the first line.
  const footer = `-- ${provenanceOf("definitions 1", import.meta.filename)}\n`;
  if (existsSync(OUTPUT) && readFileSync(OUTPUT, "utf8").endsWith(footer)) return OUTPUT;
  const text = `${await definitionsAsync()}\n${footer}`;
  mkdirSync(join(ROOT, "build"), { recursive: true });
  const temporary = `${OUTPUT}.${process.pid}`;
  writeFileSync(temporary, text);
  renameSync(temporary, OUTPUT);
  return OUTPUT;
}

if (import.meta.main) await buildDefinitionsAsync();
