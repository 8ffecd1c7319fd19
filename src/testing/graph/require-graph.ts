/**
 * The graph: which scripts each test file of a project used when it last ran. It is kept in the state folder, beside the
 * history. Each entry has a digest of the contents for which it is true, so that an outdated entry is noticed.
 */
import { mkdir, readFile } from "node:fs/promises";
import { dirname } from "node:path";
import { defineSchema, type OutputOf } from "../../protocol/schema.ts";
import { parsedJson } from "../../util/parsed-json.ts";
import { writeWholeFileAsync } from "../../util/whole-file.ts";
import type { ProjectContents } from "./contents.ts";
import type { Needs } from "./needs.ts";

const MAX_BYTES = 5_000_000;
const VERSION = 1;

export interface GraphEntry {
  readonly needs: Needs;
  /** The result of `ProjectContents.stateOf` when the entry was recorded. */
  readonly state: string;
}

/** The entry of each test file, by its path. */
export type RequireGraph = ReadonlyMap<string, GraphEntry>;

/** The file of the graph. Paths are many and long, so that each is stored once and `needs` has indexes of `paths`. */
const savedSchema = defineSchema((z) =>
  z.object({
    version: z.literal(VERSION),
    paths: z.array(z.string()),
    tests: z.array(
      z.object({
        file: z.string(),
        state: z.string(),
        needs: z.union([z.array(z.int().nonnegative()), z.string()]),
      }),
    ),
  }),
);
type Saved = OutputOf<typeof savedSchema>;

/** A missing or unreadable file gives an empty graph. */
export async function readGraphAsync(path: string): Promise<RequireGraph> {
  const saved = savedIn(await readFile(path, "utf8").catch(() => ""));
  return new Map(
    (saved?.tests ?? []).map(({ file, state, needs }): [string, GraphEntry] => [
      file,
      { state, needs: typeof needs === "string" ? { everyScript: needs } : { files: named(needs, saved) } },
    ]),
  );
}

const named = (positions: readonly number[], saved: Saved | undefined): string[] =>
  positions.map((position) => saved?.paths[position] ?? "");

const savedIn = (text: string): Saved | undefined => savedSchema.read(parsedJson(text))?.value;

/** Stores the graph. A graph of more than 5 MB is stored as an empty one, so that the next runs know nothing of it. */
export async function writeGraphAsync(path: string, graph: RequireGraph): Promise<void> {
  const positions = new Map<string, number>();
  const positionOf = (name: string): number => {
    const known = positions.get(name) ?? positions.size;
    positions.set(name, known);
    return known;
  };
  const tests = [...graph].map(([file, { state, needs }]) => ({
    file,
    state,
    needs: "files" in needs ? needs.files.map(positionOf) : needs.everyScript,
  }));
  const text = JSON.stringify({ version: VERSION, paths: [...positions.keys()], tests });
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writeWholeFileAsync(path, Buffer.from(text.length > MAX_BYTES ? "" : text));
}

/** True if the entry of a test file holds for the present files. */
export function isCurrent(file: string, entry: GraphEntry, contents: ProjectContents): boolean {
  return entry.state === contents.stateOf(file, entry.needs);
}
