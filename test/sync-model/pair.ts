/**
 * A folder and a Studio in one sync, with what only the judge knows of them: on which values they last agreed, what an undo
 * has left open, what a killed sync has pushed. It is kept with the content of the place, so that it ages as the place does.
 */
import { count } from "./judge.ts";
import { changedContent, type Content, type Step, type Studio, type UndoneMark } from "./place.ts";
import { type Changes, isExistence, type Key, keysOf, pathOf, withChanges } from "./side.ts";
import type { Value } from "./values.ts";
import type { Folder, World } from "./world.ts";

export class Pair {
  readonly #world: World;
  readonly #folder: Folder;
  readonly #studio: Studio;

  constructor(world: World, folder: Folder, studio: Studio) {
    this.#world = world;
    this.#folder = folder;
    this.#studio = studio;
  }

  /** Both sides hold these values from now on; a key without one is missing on both. */
  agree(changes: Changes): void {
    const { place } = this.#studio;
    const { live } = place;
    const [agreed, undone, half] = [new Map(live.agreed), new Map(live.undone), new Map(live.half)];
    const scripts: [Key, Value][] = [];
    for (const [key, value] of changes) {
      const shadowKey = this.#shadowKey(key);
      undone.delete(shadowKey);
      half.delete(shadowKey);
      if (value === undefined) continue;
      const known = agreed.get(shadowKey)?.values.filter((each) => each !== value) ?? [];
      agreed.set(shadowKey, { values: [...known, value], doubtful: 1 });
      scripts.push([key, value]);
    }
    this.#folder.files = withChanges(this.#folder.files, scripts);
    place.live = { ...changedContent(live, scripts), agreed, undone, half };
  }

  /** Where both sides hold the same text, they agree from now on. */
  observe(): void {
    const { files } = this.#folder;
    const { scripts } = this.#studio.place.live;
    const same = this.#world.pathsOf(this.#folder).flatMap((path) =>
      keysOf(path).flatMap((key): Changes => {
        const [file, held] = [files.get(key), scripts.get(key)];
        if (file?.text !== held?.text) return [];
        return [[key, file && held && this.#world.values.joined(file, held)]];
      }),
    );
    this.agree(same);
  }

  /** A folder whose memory was replaced may have any earlier base. */
  agreed(key: Key): readonly Value[] {
    const { values = [], doubtful = 0 } = this.#studio.place.live.agreed.get(this.#shadowKey(key)) ?? {};
    return this.#folder.memory > 0 ? values : values.slice(-doubtful);
  }

  /** How much of it was done is not sure, so that what was agreed before counts, too. */
  breakOff(before: Content["agreed"], step: Step | undefined, isNamed: boolean): void {
    const { place } = this.#studio;
    const agreed = new Map(
      [...place.live.agreed].map(([key, { values }]) => {
        const known = before.get(key);
        const isNew = values.at(-1) !== known?.values.at(-1);
        return [key, { values, doubtful: (known?.doubtful ?? 0) + (isNew ? 1 : 0) }];
      }),
    );
    place.live = { ...place.live, agreed };
    if (step === undefined) return;
    step.isWhole = isNamed;
    const half = new Map(place.live.half);
    for (const { key, after } of step.changes)
      if (after !== undefined) half.set(this.#shadowKey(key), { value: after, memory: this.#folder.memory });
    place.live = { ...place.live, half };
  }

  judgeMark(key: Key): void {
    const keys = isExistence(key) ? keysOf(pathOf(key)) : [key];
    const mark = this.#marks().find(([each]) => keys.some((own) => each === this.#shadowKey(own)))?.[1];
    if (mark === undefined) return;
    if (mark.isSeen || mark.life === this.#studio.life)
      this.#world.fault("mark", `${key} was left open by an undo, and was decided without a question`);
    else count(this.#world.tally.remarks, "undo forgotten with the life of the plugin");
  }

  /** What a killed sync has pushed is nothing that a person has made. */
  judgeHalf(key: Key): void {
    const { scripts, half } = this.#studio.place.live;
    const isAsPushed = (each: Key) => scripts.get(each)?.id === half.get(this.#shadowKey(each))?.value.id;
    const pushed = half.get(this.#shadowKey(key));
    // A folder that lost its memory has forgotten its push.
    if (
      pushed?.memory === this.#folder.memory &&
      (isExistence(key) ? keysOf(pathOf(key)) : [key]).every(isAsPushed)
    )
      this.#world.fault(
        "half",
        `${key} = ${pushed.value.text} came from the files by a push that was killed`,
      );
  }

  #marks(): [string, UndoneMark][] {
    return [...this.#studio.place.live.undone].filter(
      ([key, { memory }]) => key.startsWith(`${this.#folder.number} `) && memory === this.#folder.memory,
    );
  }

  seeMarks(): void {
    const { place } = this.#studio;
    const undone = new Map(place.live.undone);
    for (const [key, mark] of this.#marks()) undone.set(key, { ...mark, isSeen: true });
    place.live = { ...place.live, undone };
  }

  /** A whole sync, of whatever folder, has met what a killed one has left. */
  settleHalves(): void {
    for (const step of this.#studio.undo) step.isSettled = true;
  }

  isUndone(key: Key): boolean {
    return this.#studio.place.live.undone.has(this.#shadowKey(key));
  }

  readonly #shadowKey = (key: Key): string => `${this.#folder.number} ${key}`;
}
