/** The check of `sb.config.json`: that it can be read, that its values make sense, and that each of its keys says something. */
import { findProjectFileAsync, type FoundProjectFile } from "../project/find-project-file.ts";
import {
  openProjectFile,
  projectSettingsSchema,
  settingsIn,
  unknownKeysIn,
} from "../project/project-settings.ts";
import { suiteNamesIn, testSettingsIn, unknownTestKeysIn } from "../project/test-settings.ts";
import { type Check, failure, ok, warn } from "./check-results.ts";

const NAME = "settings";

/** None where there is no such file. */
export async function settingsChecksAsync(folder: string): Promise<readonly Check[]> {
  const found = await findProjectFileAsync(folder);
  if (found === undefined) return [];
  try {
    openProjectFile(found);
  } catch (error) {
    return [failure(NAME, error)];
  }
  const faults = readers(found).flatMap((read) => faultOf(read) ?? []);
  const unknown = [...unknownKeysIn(found), ...sentencesOf(() => unknownTestKeysIn(found))];
  const strays = unknown.map((text) => warn(NAME, text, "Fix the key, or take it out; nothing reads it."));
  return faults.length + strays.length === 0 ? [ok(NAME, found.file)] : [...faults, ...strays];
}

/** Functions that throw where a part of the file has a wrong value. */
function readers(found: FoundProjectFile): readonly (() => unknown)[] {
  const settings = settingsIn(found);
  const names = sentencesOf(() => suiteNamesIn(found));
  return [
    ...projectSettingsSchema.keys().map((key) => () => Reflect.get(settings, key)),
    () => testSettingsIn(found),
    ...names.map((name) => () => testSettingsIn(found, name)),
  ];
}

function faultOf(read: () => unknown): Check | undefined {
  try {
    read();
    return undefined;
  } catch (error) {
    return failure(NAME, error);
  }
}

/** None where the section cannot be read, which another reader tells. */
function sentencesOf(read: () => readonly string[]): readonly string[] {
  try {
    return read();
  } catch {
    return [];
  }
}
