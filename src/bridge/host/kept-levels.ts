/**
 * Copies of the levels that the person at Studio has chosen, because Studio may lose settings of plugins without a word. All
 * hosts of this machine share them, so they are read anew each time.
 */
import type { Register } from "../../protocol/events.ts";
import { type PermissionLevel, permissionLevels } from "../../protocol/fields/permission.ts";
import { defineSchema } from "../../protocol/schema.ts";
import { stateFile } from "../../util/state-folder.ts";
import { readNote, writeNote } from "./note-file.ts";

const fileSchema = defineSchema((z) => z.object({ levels: z.record(z.string(), z.enum(permissionLevels)) }));

/** Windows without a published place come and go; those of long ago are forgotten. */
const MOST = 256;
const DEFAULT = "default";

type Place = Pick<Register, "placeId" | "instanceId">;

export class KeptLevels {
  readonly #path = stateFile("permissions.json");

  /** The level of that place, or of all that have none of their own. */
  of(place: Place): PermissionLevel | undefined {
    const levels = this.#read();
    return levels.get(keyOf(place)) ?? levels.get(DEFAULT);
  }

  keep(place: Place | "default", level: PermissionLevel): void {
    const levels = this.#read();
    const key = place === "default" ? DEFAULT : keyOf(place);
    if (levels.get(key) === level) return;
    // As the newest.
    levels.delete(key);
    levels.set(key, level);
    const [oldest] = [...levels.keys()].filter((each) => each !== DEFAULT);
    if (levels.size > MOST && oldest !== undefined) levels.delete(oldest);
    writeNote(this.#path, { levels: Object.fromEntries(levels) });
  }

  #read(): Map<string, PermissionLevel> {
    return new Map(Object.entries(fileSchema.read(readNote(this.#path))?.value?.levels ?? {}));
  }
}

/** The plugin does not know the file of a place, so that an unpublished one is known by its window. */
const keyOf = ({ placeId, instanceId }: Place): string =>
  placeId > 0 ? `place ${placeId}` : `window ${instanceId}`;
