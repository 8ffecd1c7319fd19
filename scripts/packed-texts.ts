/**
 * Packs the texts that few commands need: the pages that `sb` shows, the Luau of the test harness and of the self-test, and
 * what `sb init` and reports write. As imports they would be in the binary twice and unpacked, because bytecode has a copy
 * of each text. Those of one folder are unpacked together when the first of them is loaded, in less than a millisecond.
 */
import type { BunPlugin } from "bun";
import { dirname, join, resolve } from "node:path";
import { isWithin } from "../src/util/path-inside.ts";
import { compressed } from "./compress.ts";

const root = join(import.meta.dir, "..");
/** From the top of the project. Texts elsewhere are read at nearly every start of a tool server. */
const FOLDERS = ["docs", "src/testing", "src/selftest", "src/init", "src/pages"];
const TEXTS = /\.(luau|md|css|page\.js|txt|yml)$/;
/** A text is imported with an attribute, once or at need. */
const IMPORTED = /"(\.[^"]+)",? (?:with )?\{ (?:with: \{ )?type: "text"/g;
const NAME = "packed-texts";

const contents = `
import { readFileSync } from "node:fs";
const unpacked = new Map();
export function textIn(file, start, end) {
  let bytes = unpacked.get(file);
  if (bytes === undefined) {
    bytes = Buffer.from(Bun.zstdDecompressSync(readFileSync(file)));
    unpacked.set(file, bytes);
  }
  return bytes.toString("utf8", start, end);
}`;

/** Where a text stands in the pack of its folder. */
interface PackedText {
  readonly pack: string;
  readonly start: number;
  readonly end: number;
}

/** The texts that the sources import. */
async function importedAsync(): Promise<string[]> {
  const found = new Set<string>();
  for (const file of new Bun.Glob("**/*.ts").scanSync({ cwd: join(root, "src"), absolute: true }))
    for (const [, path = ""] of (await Bun.file(file).text()).matchAll(IMPORTED))
      if (TEXTS.test(path)) found.add(resolve(dirname(file), path));
  return [...found].toSorted();
}

/** The texts of a folder one behind the other, in a file that the binary embeds. */
async function packAsync(folder: string, files: readonly string[]): Promise<Map<string, PackedText>> {
  const texts = new Map<string, PackedText>();
  const pack = join(root, "build", `texts-${folder.replaceAll("/", "-")}.zst`);
  const pieces: Buffer[] = [];
  let start = 0;
  for (const file of files.filter((each) => isWithin(join(root, folder), each))) {
    const piece = Buffer.from(await Bun.file(file).bytes());
    pieces.push(piece);
    texts.set(file, { pack, start, end: start + piece.length });
    start += piece.length;
  }
  await Bun.write(pack, compressed(Buffer.concat(pieces)));
  return texts;
}

export async function packedTextsAsync(): Promise<BunPlugin> {
  const files = await importedAsync();
  const packs = await Promise.all(FOLDERS.map((folder) => packAsync(folder, files)));
  const texts = new Map(packs.flatMap((pack) => [...pack]));
  return {
    name: NAME,
    setup(build) {
      build.onResolve({ filter: new RegExp(`^${NAME}$`) }, () => ({ path: NAME, namespace: NAME }));
      build.onLoad({ filter: /.*/, namespace: NAME }, () => ({ contents, loader: "js" }));
      build.onLoad({ filter: TEXTS }, ({ path }) => {
        const text = texts.get(path);
        if (text === undefined) return undefined;
        const place = `file, ${text.start}, ${text.end}`;
        const imports = `import file from ${JSON.stringify(text.pack)} with { type: "file" };`;
        return {
          contents: `import { textIn } from "${NAME}"; ${imports} export default textIn(${place});`,
          loader: "js",
        };
      });
    },
  };
}
