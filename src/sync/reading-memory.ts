/** What the syncs of one process remember of two sides, from one reading to the next. */
import { FileMemory } from "../roblox/rojo/file-memory.ts";
import { AlikeValues } from "./plan/at-once.ts";
import type { Counterpart } from "./types.ts";

interface ReadingMemory {
  readonly files: FileMemory;
  readonly alike: AlikeValues;
}

const memories = new WeakMap<object, ReadingMemory>();

/** For as long as the other side remembers its own readings. */
export function memoryOf(counterpart: Pick<Counterpart, "isWritable">): ReadingMemory {
  const known = memories.get(counterpart) ?? { files: new FileMemory(), alike: new AlikeValues() };
  memories.set(counterpart, known);
  return known;
}
