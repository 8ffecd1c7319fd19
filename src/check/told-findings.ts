/**
 * Remembers what a client was told of each file, so that later answers hold only what is new. What was there when a file was first
 * checked is old; a file that has changed since the first check of all had nothing old.
 */
import { stat } from "node:fs/promises";
import type { Finding } from "./finding.ts";
import { newFindings } from "./new-findings.ts";

interface Told {
  readonly sinceMs: number;
  /** By absolute path. */
  readonly byFile: Map<string, readonly Finding[]>;
}

/** By the ids of clients. A server over HTTP has many after a while, and forgets the oldest. */
const toldTo = new Map<string, Map<string, Told>>();
const MAX_CLIENTS = 64;

export interface Checked<Found extends Finding> {
  /** Absolute. */
  readonly paths: readonly string[];
  readonly nameOf: (path: string) => string;
  readonly findings: readonly Found[];
}

/**
 * The findings that are new to the client; all of them at the first call. `kind` names the kind of the check, because each finds
 * other things.
 */
export async function newToClientAsync<Found extends Finding>(
  client: string,
  kind: string,
  { paths, nameOf, findings }: Checked<Found>,
): Promise<readonly Found[]> {
  const kinds = kindsOf(client);
  const told = kinds.get(kind) ?? { sinceMs: Date.now(), byFile: new Map() };
  const isFirst = !kinds.has(kind);
  kinds.set(kind, told);
  const byName = Map.groupBy(findings, ({ file }) => file);
  const old: Finding[] = [];
  const fresh = new Set<string>();
  for (const path of paths) {
    const name = nameOf(path);
    const known = told.byFile.get(path);
    if (known !== undefined) old.push(...known);
    else {
      fresh.add(name);
      const isOld = isFirst || !(await hasChangedSinceAsync(path, told.sinceMs));
      told.byFile.set(path, isOld ? (byName.get(name) ?? []) : []);
    }
  }
  const news = new Set<Finding>(
    newFindings(
      old,
      findings.filter(({ file }) => !fresh.has(file)),
    ),
  );
  return findings.filter((finding) => fresh.has(finding.file) || news.has(finding));
}

async function hasChangedSinceAsync(path: string, sinceMs: number): Promise<boolean> {
  const facts = await stat(path).catch(() => undefined);
  return facts === undefined || facts.mtimeMs > sinceMs;
}

function kindsOf(client: string): Map<string, Told> {
  const kinds = toldTo.get(client) ?? new Map<string, Told>();
  toldTo.delete(client);
  toldTo.set(client, kinds);
  for (const oldest of toldTo.keys()) if (toldTo.size > MAX_CLIENTS) toldTo.delete(oldest);
  return kinds;
}
