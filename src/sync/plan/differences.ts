/** What differs between the two sides of an Instance that both have, each difference with what the base says about it. */
import type { FileValue } from "../../roblox/model.ts";
import { unreachedProperty } from "../../roblox/custom-properties.ts";
import { FRAME, statesHalf } from "../../roblox/part-frames.ts";
import type { RojoNode } from "../../roblox/rojo/node.ts";
import type { AspectChange, PropertyChoice } from "../types.ts";
import {
  aspectKey,
  choiceFor,
  flagValue,
  instanceValue,
  plainValue,
  statesAll,
  textValue,
} from "./aspects.ts";
import type { AspectOptions, Cause, Difference, PairEntry } from "./aspects.ts";
import { isSameAttribute, isScript, isText, type NodeView } from "./normalize.ts";

export function differencesOf(entry: PairEntry, options: AspectOptions): Difference[] {
  return new Comparison(entry, options).all();
}

/** What Studio has changed of an Instance and no file takes over, because the files do not state it. */
export function leftOutOf(entry: PairEntry, options: AspectOptions): Difference[] {
  if (entry.base?.studioOnly === undefined || choiceFor(entry, options.properties) !== "listed") return [];
  const listed = new Set(differencesOf(entry, options).map(aspectKey));
  const changed = differencesOf(entry, { ...options, properties: "changed" });
  return changed.filter((each) => !listed.has(aspectKey(each)));
}

class Comparison {
  readonly #entry: PairEntry;
  readonly #options: AspectOptions;
  readonly #file: NodeView;
  readonly #studio: NodeView;
  readonly #base: NodeView | undefined;
  readonly #choice: PropertyChoice;
  readonly #found: Difference[] = [];

  constructor(entry: PairEntry, options: AspectOptions) {
    const { normalizer } = options;
    this.#entry = entry;
    this.#options = options;
    this.#file = normalizer.view(entry.file);
    this.#studio = normalizer.view(entry.studio);
    this.#base = entry.base === undefined ? undefined : normalizer.view(entry.base);
    this.#choice = statesAll(entry.file) ? "all" : choiceFor(entry, options.properties);
  }

  all(): Difference[] {
    if (this.#entry !== this.#options.entries.root) {
      this.#compareName();
      this.#compareParent();
    }
    this.#compareClass();
    this.#compareSource();
    this.#compareProperties();
    if (!this.#options.ignoreReferents) this.#compareReferences();
    this.#compareAttributes();
    this.#compareTags();
    return this.#alignedWithClass();
  }

  /**
   * What only one of two classes has shares the fate of the class. A side that changed such a property has therefore a say
   * in the change of class.
   */
  #alignedWithClass(): Difference[] {
    const found = this.#found;
    const ofClass = found.find(({ aspect }) => aspect === "className");
    if (ofClass === undefined) return found;
    const bound = found.filter((difference) => difference === ofClass || this.#isOfOneClass(difference));
    const causes = new Set(bound.map(({ cause }) => cause));
    const cause = causes.size === 1 ? ofClass.cause : causes.has("unknown") ? "unknown" : "both";
    return found.map((difference) => {
      if (!bound.includes(difference)) return difference;
      const { obstacle: _dropped, ...rest } = difference;
      return { ...rest, cause, isOfClass: true };
    });
  }

  #isOfOneClass({ aspect, name }: Difference): boolean {
    if (aspect === "source")
      return isScript(this.#entry.file.className) !== isScript(this.#entry.studio.className);
    if (name === undefined || (aspect !== "property" && aspect !== "reference")) return false;
    return !this.#isOfBothClasses(name);
  }

  /** Whether the base knows what both sides held. */
  #isSettled(aspect: AspectChange["aspect"], name?: string): boolean {
    const { base } = this.#entry;
    return (
      base !== undefined &&
      base.unsettled?.has(aspectKey({ aspect, ...(name === undefined ? {} : { name }) })) !== true
    );
  }

  #add(change: AspectChange, cause: Cause, obstacle?: string): void {
    this.#found.push({ ...change, cause, ...(obstacle === undefined ? {} : { obstacle }) });
  }

  /** `isFile` and `isStudio`: whether that side is as the base. */
  #cause(isSettled: boolean, isFile: boolean, isStudio: boolean): Cause {
    if (!isSettled) return "unknown";
    if (isStudio) return "file";
    return isFile ? "studio" : "both";
  }

  #compareName(): void {
    this.#compareTexts("name", this.#entry.file.name, this.#entry.studio.name, this.#entry.base?.name);
  }

  #compareClass(): void {
    const { file, studio, base } = this.#entry;
    this.#compareTexts("className", file.className, studio.className, base?.className);
  }

  #compareSource(): void {
    const [file, studio, base] = [this.#file, this.#studio, this.#base];
    const isReadable = [file, studio].every(({ sourceBytes }) => isText(sourceBytes ?? ""));
    const obstacle = isReadable ? undefined : "the source is not UTF-8 text";
    if (!isReadable && file.sourceBytes === studio.sourceBytes) return;
    this.#compareTexts("source", file.source, studio.source, base?.source, obstacle);
  }

  #compareTexts(
    aspect: "name" | "className" | "source",
    file: string | undefined,
    studio: string | undefined,
    base: string | undefined,
    obstacle?: string,
  ): void {
    if (file === studio && obstacle === undefined) return;
    const value = (text: string | undefined) => (text === undefined ? undefined : textValue(text));
    this.#add(
      { aspect, file: value(file), studio: value(studio), base: value(base) },
      this.#cause(this.#isSettled(aspect), file === base, studio === base),
      obstacle,
    );
  }

  #compareParent(): void {
    const { fileParent, studioParent, baseParent } = this.#entry;
    if (fileParent === studioParent) return;
    this.#add(
      {
        aspect: "parent",
        file: instanceValue(fileParent?.file ?? null),
        studio: instanceValue(studioParent?.studio ?? null),
        base: baseParent?.base === undefined ? undefined : instanceValue(baseParent.base),
      },
      this.#cause(this.#isSettled("parent"), fileParent === baseParent, studioParent === baseParent),
    );
  }

  #compareProperties(): void {
    const keys = new Set(this.#file.properties.keys());
    for (const key of this.#base?.properties.keys() ?? []) keys.add(key);
    if (this.#choice !== "listed") for (const key of this.#studio.properties.keys()) keys.add(key);
    // A file that states one half of a CFrame leaves the other one to Studio.
    const { schema } = this.#options.normalizer;
    if (statesHalf(schema, this.#entry.file.className, this.#file.properties)) keys.delete(FRAME);
    for (const key of keys) {
      if (this.#file.properties.has(key)) this.#compareStated(key);
      else if (this.#isWhole || this.#base?.properties.has(key) === true) this.#compareTakenOut(key);
      else this.#compareUnstated(key);
    }
  }

  get #isWhole(): boolean {
    return statesAll(this.#entry.file);
  }

  /** A property that the files state. */
  #compareStated(key: string): void {
    const { normalizer } = this.#options;
    const { file: fileNode, studio: studioNode, base: baseNode } = this.#entry;
    const file = this.#file.properties.get(key);
    if (file === undefined) return;
    const { name } = file;
    const isSame = (one: FileValue | undefined, other: FileValue | undefined): boolean =>
      one !== undefined && other !== undefined && normalizer.isSame(fileNode.className, name, one, other);
    const held = (this.#studio.properties.get(key) ?? this.#studio.halfOf(key))?.value;
    const studio =
      held ?? (this.#isUnseen(name) ? undefined : normalizer.default(studioNode.className, name));
    const before = this.#base?.properties.get(key) ?? this.#base?.halfOf(key);
    const base = before?.value ?? baseNode?.studioOnly?.get(`property ${name}`);
    if (held === undefined && !this.#isOfBothClasses(name))
      return this.#add(
        propertyChange(name, file.value, undefined, base),
        isSame(file.value, base) ? "studio" : "file",
      );
    if (studio === undefined && this.#isUnreached(name))
      return this.#add(propertyChange(name, file.value, undefined, base), "file");
    if (studio === undefined && (this.#isPartlyKnown(key) || isSame(file.value, base))) return;
    if (isSame(file.value, studio)) return;
    // A file that left out a default would no longer state the property, and later changes in Studio would not be seen.
    const change = propertyChange(name, file.value, this.#choice === "listed" ? studio : held, base);
    if (base !== undefined && this.#isSettled("property", name))
      return this.#add(change, this.#cause(true, isSame(file.value, base), isSame(studio, base)));
    // The two never agreed. A value in Studio that is not the default may be the work of a person.
    const isUntouched = studio === undefined || normalizer.isDefault(studioNode.className, name, studio);
    this.#add(change, isUntouched ? "file" : "unknown");
  }

  /** Whether a property means the same in the classes of both sides. Classes that are not known have any property. */
  #isOfBothClasses(name: string): boolean {
    const { schema } = this.#options.normalizer;
    const [file, studio] = [this.#entry.file.className, this.#entry.studio.className];
    if (file === studio || !schema.isClass(file) || !schema.isClass(studio)) return true;
    const type = schema.property(file, name)?.type;
    return type !== undefined && type === schema.property(studio, name)?.type;
  }

  /** Whether Studio says nothing of a property, whatever its value is. */
  #isUnseen(name: string): boolean {
    const { normalizer, isForScripts } = this.#options;
    const property = normalizer.schema.property(this.#entry.studio.className, name);
    return isForScripts && property?.kind === "property" && property.isDeprecated;
  }

  /** What is stated of such a property is told, because nothing else would say that it does not come to Studio. */
  #isUnreached(name: string): boolean {
    const { className } = this.#entry.studio;
    return this.#options.isForScripts && unreachedProperty(className, name) !== undefined;
  }

  #isPartlyKnown(key: string): boolean {
    return this.#options.normalizer.property(this.#entry.file.className, key)?.isPartlyKnown === true;
  }

  /** A property that the files have stated, or that they leave out because it has its default. */
  #compareTakenOut(key: string): void {
    const { normalizer } = this.#options;
    const held = this.#studio.properties.get(key);
    const base = this.#base?.properties.get(key);
    const name = base?.name ?? held?.name ?? key;
    const className = this.#entry.studio.className;
    if (held === undefined || normalizer.isDefault(className, name, held.value)) return;
    if (this.#isPartlyKnown(key)) return;
    const isAsBase = base !== undefined && normalizer.isSame(className, name, held.value, base.value);
    const wasDefault = base === undefined || normalizer.isDefault(className, name, base.value);
    const change = propertyChange(name, undefined, held.value, base?.value);
    const cause = this.#cause(this.#isSettled("property", name), wasDefault, isAsBase);
    const isResettable = cause === "studio" || normalizer.default(className, name) !== undefined;
    this.#add(change, cause, isResettable ? undefined : `the default of ${className}.${name} is not known`);
  }

  /** A property of Studio that the files do not state. */
  #compareUnstated(key: string): void {
    const { normalizer } = this.#options;
    const held = this.#studio.properties.get(key);
    if (held === undefined || this.#isPartlyKnown(key)) return;
    const { name, value } = held;
    const className = this.#entry.studio.className;
    const isSame = (earlier: FileValue) => normalizer.isSame(className, name, value, earlier);
    if (this.#isWanted(`property ${name}`, isSame, normalizer.isDefault(className, name, value)))
      this.#add(propertyChange(name, undefined, value, undefined), "studio");
  }

  /** Whether files take over what Studio holds and they do not state. `isSame`: whether it is as it was. */
  #isWanted(key: string, isSame: (earlier: FileValue) => boolean, isDefault: boolean): boolean {
    if (this.#choice === "all") return !isDefault;
    const known = this.#entry.base?.studioOnly;
    if (this.#choice === "listed" || known === undefined) return false;
    const earlier = known.get(key);
    return earlier === undefined ? !isDefault : !isSame(earlier);
  }

  #compareReferences(): void {
    const isAll = this.#choice !== "listed";
    const names = new Set([
      ...this.#file.references.keys(),
      ...(this.#base?.references.keys() ?? []),
      ...(isAll ? this.#studio.references.keys() : []),
    ]);
    for (const name of names) this.#compareReference(name);
  }

  #compareReference(name: string): void {
    const { of } = this.#options.entries;
    const targets = [this.#file, this.#studio, this.#base].map((view) => view?.references.get(name) ?? null);
    const [file = null, studio = null, base = null] = targets;
    const entryOf = (node: RojoNode | null) => (node === null ? null : (of(node) ?? node));
    const [fileEntry, studioEntry, baseEntry] = [entryOf(file), entryOf(studio), entryOf(base)];
    if (fileEntry === studioEntry) return;
    const isUnstated = file === null && base === null;
    if (isUnstated && !this.#isWanted(`reference ${name}`, () => true, false)) return;
    const isSettled = this.#isSettled("reference", name);
    // Without a base, what one side alone states is new to the other.
    const isNew = this.#entry.base === undefined;
    const oneSided: Cause = isNew && file === null ? "studio" : isNew && studio === null ? "file" : "unknown";
    const isOutside = studio !== null && of(studio) === undefined;
    this.#add(
      {
        aspect: "reference",
        name,
        file: file === null ? undefined : instanceValue(file),
        studio: studio === null ? undefined : instanceValue(studio),
        base: base === null ? undefined : instanceValue(base),
      },
      isSettled ? this.#cause(true, fileEntry === baseEntry, studioEntry === baseEntry) : oneSided,
      isOutside ? `${name} refers to an Instance outside of the project` : undefined,
    );
  }

  /** Files that state one attribute state all of them. */
  #compareAttributes(): void {
    const [file, studio, base] = [this.#file.attributes, this.#studio.attributes, this.#base?.attributes];
    const isStated = file.size > 0 || (base?.size ?? 0) > 0;
    for (const name of new Set([...file.keys(), ...studio.keys(), ...(base?.keys() ?? [])])) {
      const [mine, theirs, before] = [file.get(name), studio.get(name), base?.get(name)];
      if (isSameAttribute(mine, theirs)) continue;
      const isAsBefore = (earlier: FileValue) => isSameAttribute(theirs, earlier);
      if (!isStated && !this.#isWanted(`attribute ${name}`, isAsBefore, false)) continue;
      const value = (held: FileValue | undefined) => (held === undefined ? undefined : plainValue(held));
      this.#add(
        { aspect: "attribute", name, file: value(mine), studio: value(theirs), base: value(before) },
        this.#isSettled("attribute", name)
          ? this.#cause(true, isSameAttribute(mine, before), isSameAttribute(theirs, before))
          : oneSidedCause(mine, theirs),
      );
    }
  }

  /** Files that state one tag state all of them. */
  #compareTags(): void {
    const none: ReadonlySet<string> = new Set();
    const [file = none, studio = none, base = none] = [this.#file.tags, this.#studio.tags, this.#base?.tags];
    const isStated = this.#file.tags !== undefined || base.size > 0;
    for (const name of new Set([...file, ...studio])) {
      const [mine, theirs, before] = [file.has(name), studio.has(name), base.has(name)];
      if (mine === theirs || (!isStated && !this.#isWanted(`tag ${name}`, () => true, false))) continue;
      const flag = (has: boolean) => (has ? flagValue(true) : undefined);
      const oneSided: Cause = mine ? "file" : "studio";
      this.#add(
        { aspect: "tag", name, file: flag(mine), studio: flag(theirs), base: flag(before) },
        this.#isSettled("tag", name) ? this.#cause(true, mine === before, theirs === before) : oneSided,
      );
    }
  }
}

function oneSidedCause(file: unknown, studio: unknown): Cause {
  if (file === undefined) return "studio";
  return studio === undefined ? "file" : "unknown";
}

function propertyChange(
  name: string,
  file: FileValue | undefined,
  studio: FileValue | undefined,
  base: FileValue | undefined,
): AspectChange {
  const value = (held: FileValue | undefined) => (held === undefined ? undefined : plainValue(held));
  return { aspect: "property", name, file: value(file), studio: value(studio), base: value(base) };
}
