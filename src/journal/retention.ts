/**
 * Drops what a journal no longer keeps. Old files go by age. Where the files are too large together, the oldest first lose
 * the calls that went well, because refused and failed calls are what people look for later.
 */
import { readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { journalFiles } from "./format.ts";
import type { JournalFileKind } from "./format.ts";
import { eventsIn, headerIn } from "./parse.ts";

/** Marks a file that has lost its calls that went well. */
const THINNED = ".thin.jsonl";

interface KeptFile {
  readonly path: string;
  readonly bytes: number;
  readonly writtenAt: number;
}

/** The files of a kind, the oldest first. */
export function keptFiles(folder: string, kind: JournalFileKind): KeptFile[] {
  const files = readdirSync(folder)
    .filter((name) => name.startsWith(`${kind}-`) && name.endsWith(".jsonl"))
    .flatMap((name) => {
      const path = join(folder, name);
      const stat = statSync(path, { throwIfNoEntry: false });
      return stat === undefined ? [] : [{ path, bytes: stat.size, writtenAt: stat.mtimeMs }];
    });
  return files.sort((one, other) => one.writtenAt - other.writtenAt);
}

/** Call it before a file is begun. */
export function makeRoom(folder: string, kind: JournalFileKind, nowMs = Date.now()): void {
  const { bytes: most, keptMs } = journalFiles[kind];
  const files = keptFiles(folder, kind);
  const young = files.filter(({ writtenAt }) => nowMs - writtenAt < keptMs);
  for (const file of files) if (!young.includes(file)) rmSync(file.path, { force: true });
  let sum = young.reduce((total, { bytes }) => total + bytes, 0);
  if (kind === "calls")
    for (const file of young) {
      if (sum <= most) return;
      if (!file.path.endsWith(THINNED)) sum -= file.bytes - thin(file);
    }
  for (const { path, bytes } of keptFiles(folder, kind)) {
    if (sum <= most) return;
    rmSync(path, { force: true });
    sum -= bytes;
  }
}

/** Leaves the calls that did not go well, and what is needed to read them. The new size. */
function thin({ path, writtenAt }: KeptFile): number {
  const text = readFileSync(path, "utf8");
  const events = eventsIn(text);
  const fine = new Set(
    events.flatMap((event) => (event[1] === "reply" && event[4] === "ok" ? [event[2]] : [])),
  );
  const left = events.filter((event) => {
    const [, kind] = event;
    return (kind !== "request" && kind !== "reply") || !fine.has(String(event[2]));
  });
  const lines = [headerIn(text) ?? {}, ...left].map((line) => JSON.stringify(line));
  const thinned = `${lines.join("\n")}\n`;
  const target = `${path.slice(0, -".jsonl".length)}${THINNED}`;
  writeFileSync(`${target}.draft`, thinned, { mode: 0o600 });
  // Its age stays that of its calls.
  utimesSync(`${target}.draft`, writtenAt / 1_000, writtenAt / 1_000);
  renameSync(`${target}.draft`, target);
  rmSync(path, { force: true });
  return thinned.length;
}
