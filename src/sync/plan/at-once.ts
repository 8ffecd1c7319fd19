/** Finds out at first sight that two nodes hold the same, which most nodes of a large place do. */
import type { FileValue } from "../../roblox/model.ts";
import { isFrameHalf } from "../../roblox/part-frames.ts";
import type { RojoNode } from "../../roblox/rojo/node.ts";
import { isNumbers, type Normalizer } from "./normalize.ts";

type Values = ReadonlyMap<string, FileValue>;

const SOURCE = "Source";

/** What is known of the meaning of values. Without it, only values of the same name are compared. */
export interface Meaning {
  /** Knows the other names that files have for properties. */
  readonly normalizer: Normalizer;
  /** Whether a default that is stated is the same as nothing. */
  readonly knowsDefaults: boolean;
  /** What earlier plans have found equal, with the same class data and with defaults. */
  readonly alike?: AlikeValues | undefined;
}

/**
 * Values that a plan has found equal. Those that are read again without a change are the same objects, so that a later plan
 * need not look into them: that took a third of its time. Sources are left out, because a sync of single sources replaces
 * them within the object.
 */
export class AlikeValues {
  readonly #twins = new WeakMap<Values, Values>();

  has(file: Values, studio: Values): boolean {
    return this.#twins.get(file) === studio;
  }

  add(file: Values, studio: Values): void {
    if (!file.has(SOURCE)) this.#twins.set(file, studio);
  }
}

/**
 * Whether a node of Studio has, at first sight, all that the files' node states. False where a closer look is needed, which is
 * the rare case: this keeps the comparison of large places fast.
 */
export function isSameAtOnce(file: RojoNode, studio: RojoNode, isWhole: boolean, meaning?: Meaning): boolean {
  return (
    file.name === studio.name &&
    file.className === studio.className &&
    file.references.size === 0 &&
    (!isWhole || studio.references.size === 0) &&
    hasAttributes(file.attributes, studio.attributes, isWhole || file.attributes.size > 0) &&
    hasKnownProperties(file, studio, isWhole, meaning)
  );
}

function hasAttributes(stated: Values, held: Values, isWhole: boolean): boolean {
  if (isWhole ? stated.size !== held.size : stated.size > held.size) return false;
  for (const [name, value] of stated) {
    const twin = held.get(name);
    if (twin === undefined || !isSameValueAtOnce(value, twin)) return false;
  }
  return true;
}

/** As `isSameAtOnce` says it of properties. Those of which one side states less may differ for another caller. */
function hasKnownProperties(
  file: RojoNode,
  studio: RojoNode,
  isWhole: boolean,
  meaning: Meaning | undefined,
): boolean {
  const { alike } = meaning ?? {};
  if (alike?.has(file.properties, studio.properties) === true) return true;
  const isSame = hasProperties(file, studio, isWhole, meaning);
  if (isSame && isWhole && meaning?.knowsDefaults === true) alike?.add(file.properties, studio.properties);
  return isSame;
}

function hasProperties(
  file: RojoNode,
  studio: RojoNode,
  isWhole: boolean,
  meaning: Meaning | undefined,
): boolean {
  const held = studio.properties;
  /** Names of what Studio holds that the files state under another one. */
  let renamed: Set<string> | undefined;
  let found = 0;
  for (const [raw, value] of file.properties) {
    const twin = held.get(raw);
    if (twin !== undefined) {
      if (!isSameValueAtOnce(value, twin)) return false;
      found += 1;
      continue;
    }
    if (meaning === undefined) return false;
    const name = nameInStudio(file, raw, value, meaning.normalizer);
    if (name === undefined) return false;
    if (name === NOTHING) continue;
    const other = held.get(name);
    if (other === undefined && !isDefaultAtOnce(studio, name, value, meaning)) return false;
    if (other === undefined) continue;
    if (!meaning.normalizer.isSame(file.className, name, value, other) || renamed?.has(name)) return false;
    (renamed ??= new Set()).add(name);
    found += 1;
  }
  return !isWhole || found === held.size;
}

/** In place of the name of what no side compares. */
const NOTHING = "";

/** As scripts call it; undefined for what needs a closer look. */
function nameInStudio(
  { className, properties }: RojoNode,
  raw: string,
  { value }: FileValue,
  normalizer: Normalizer,
): string | undefined {
  if (raw === "Tags") return value === "" ? NOTHING : undefined;
  if (raw === SOURCE) return undefined;
  const property = normalizer.property(className, raw);
  if (property === undefined) return NOTHING;
  const { name, key, comparison, isPartlyKnown, newerNames } = property;
  if (key !== name || comparison === "table" || isPartlyKnown || newerNames.length > 0) return undefined;
  if (raw !== name && properties.has(name)) return undefined;
  return isFrameHalf(normalizer.schema, className, name) ? undefined : name;
}

/** Whether a value that only the files state is what Studio has where it says nothing. */
function isDefaultAtOnce(
  { className, properties }: RojoNode,
  name: string,
  value: FileValue,
  { normalizer, knowsDefaults }: Meaning,
): boolean {
  if (!knowsDefaults) return false;
  const property = normalizer.schema.property(className, name);
  if (property?.kind !== "property" || property.isDeprecated) return false;
  // An older property that Studio holds may mean this one.
  for (const held of properties.keys())
    if ((normalizer.property(className, held)?.newerNames.length ?? 0) > 0) return false;
  return normalizer.isDefault(className, name, value);
}

function isSameValueAtOnce(one: FileValue, other: FileValue): boolean {
  if (one === other) return true;
  if (one.type !== other.type) return false;
  if (one.value === other.value) return true;
  if (!isNumbers(one.value) || !isNumbers(other.value) || one.value.length !== other.value.length)
    return false;
  for (let index = 0; index < one.value.length; index++)
    if (one.value[index] !== other.value[index]) return false;
  return true;
}
