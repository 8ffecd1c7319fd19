/** What the user wants to have kept: a file in the state folder, for all bridge hosts of this user. */
import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { defineSchema } from "../protocol/schema.ts";
import type { OutputOf } from "../protocol/schema.ts";
import { stateFile } from "../util/state-folder.ts";

export const JOURNAL_VARIABLE = "SB_JOURNAL";

const settingsSchema = defineSchema((z) => z.object({ calls: z.boolean(), lines: z.boolean() }));
export type JournalSettings = OutputOf<typeof settingsSchema>;

const USUAL: JournalSettings = { calls: true, lines: false };
const NOTHING: JournalSettings = { calls: false, lines: false };

const settingsFile = () => stateFile("journal.json");

/** The folder of the files. */
export const journalFolder = () => stateFile("journal");

/** True where this process and the hosts that it starts keep nothing, whatever the settings say. */
export const isJournalOff = (): boolean => process.env[JOURNAL_VARIABLE] === "0";

export function journalSettings(): JournalSettings {
  if (isJournalOff()) return NOTHING;
  try {
    return settingsSchema.read(JSON.parse(readFileSync(settingsFile(), "utf8")))?.value ?? USUAL;
  } catch {
    // There is none yet, or it cannot be read.
    return USUAL;
  }
}

/** Throws the system's error. */
export function keepJournalSettings(settings: JournalSettings): void {
  const path = settingsFile();
  const draft = `${path}.${process.pid}`;
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeFileSync(draft, `${JSON.stringify(settings)}\n`, { mode: 0o600 });
  chmodSync(draft, 0o600);
  renameSync(draft, path);
}
