// Makes build/classes.txt, the class data of the simulated engine, from the pinned packages @rbxts/types and
// rbx-dom. Does nothing when the file already fits the packages and this script.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import rbxtsPackage from "@rbxts/types/package.json" with { type: "json" };
import rbxDomPackage from "rbx-dom/package.json" with { type: "json" };

const ROOT = join(import.meta.dir, "..");
const OUTPUT = join(ROOT, "build", "classes.txt");
const DECLARATIONS = join(ROOT, "node_modules/@rbxts/types/include/generated");

/** First line of the file: what it was made from. */
function provenance(): string {
  const hash = createHash("sha256").update(readFileSync(import.meta.filename));
  const parts = join(import.meta.dir, "classes");
  for (const name of readdirSync(parts).sort()) hash.update(readFileSync(join(parts, name)));
  const script = hash.digest("hex").slice(0, 12);
  return `classes 1 rbxts=${rbxtsPackage.version} rbx-dom=${rbxDomPackage.version} script=${script}`;
}

async function makeAsync(): Promise<string> {
  const [{ compileClasses }, { readDatabase }, { readDeclarations, readEnums }] = await Promise.all([
    import("./classes/compile.ts"),
    import("./classes/database.ts"),
    import("./classes/declarations.ts"),
  ]);
  const declared: Parameters<typeof readDeclarations>[2] = new Map();
  readDeclarations(readFileSync(join(DECLARATIONS, "None.d.ts"), "utf8"), "none", declared);
  readDeclarations(readFileSync(join(DECLARATIONS, "PluginSecurity.d.ts"), "utf8"), "plugin", declared);
  const enums = readEnums(readFileSync(join(DECLARATIONS, "enums.d.ts"), "utf8"));
  return compileClasses(declared, readDatabase(), enums);
}

function report(text: string): void {
  const [classes = "", enums = ""] = text.slice(text.indexOf("\n") + 1).split("\n\n");
  const compressedBytes = Bun.zstdCompressSync(Buffer.from(text), { level: 19 }).length;
  const classCount = classes.split("\n").length;
  const enumCount = enums.trimEnd().split("\n").length;
  console.error(
    `classes: ${classCount} classes, ${enumCount} enums, ${text.length} bytes (${compressedBytes} as zstd)`,
  );
}

/** Returns the path of the class data file, made anew only when something it depends on has changed. */
export async function buildClassesAsync(): Promise<string> {
  const header = provenance();
  if (existsSync(OUTPUT) && readFileSync(OUTPUT, "utf8").startsWith(`${header}\n`)) return OUTPUT;
  const text = `${header}\n${await makeAsync()}`;
  mkdirSync(join(ROOT, "build"), { recursive: true });
  const temporary = `${OUTPUT}.${process.pid}`;
  writeFileSync(temporary, text);
  renameSync(temporary, OUTPUT);
  report(text);
  return OUTPUT;
}

if (import.meta.main) await buildClassesAsync();
