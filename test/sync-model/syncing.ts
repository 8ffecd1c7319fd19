/** Runs a sync of the rules in the world, act by act, and lets the judge look at each. It may be killed before any act. */
import { count, isNeedless, judgeReplacement } from "./judge.ts";
import { changedContent, namedContent, noteHeld, type Step, stepOf, type Studio } from "./place.ts";
import { undoFiles } from "./undoing.ts";
import { Pair } from "./pair.ts";
import type { Act, Acts, Answer, Ask, Look, Name, Open } from "./rules.ts";
import {
  type Changes,
  hasScript,
  isCompiled,
  isExistence,
  type Key,
  keyOf,
  keysOf,
  NO,
  pathOf,
  type Side,
  textAt,
} from "./side.ts";
import { descends, type Value } from "./values.ts";
import { type Folder, gitOf, textsOf, type World } from "./world.ts";

export interface SyncWay {
  /** The number of acts after which it is killed. */
  readonly killedAfter?: number;
  /** The path of a script that Studio refuses to change. */
  readonly refusedPath?: number;
  readonly gitFails: boolean;
  /** A number for each open difference: what the person answers. Undefined where no person is there. */
  readonly answer?: (index: number) => Answer | undefined;
  /** Nothing is changed where anything stays open. */
  readonly isAllOrNothing: boolean;
}

export type Outcome = "killed" | "nothing" | "open" | "done";

export class Syncing {
  readonly #world: World;
  readonly #folder: Folder;
  readonly #studio: Studio;
  readonly #way: SyncWay;
  readonly #pair: Pair;
  readonly #answers = new Map<
    Key,
    { readonly answer: Answer; readonly text: string; readonly value: Value }
  >();
  readonly #open = new Map<Key, string>();
  readonly #refused = new Set<Key>();
  readonly #pulled: { key: Key; before: Value | undefined; after: Value | undefined }[] = [];
  #step: Step | undefined;
  #isStopped = false;
  #isNamed = false;
  #hasActed = false;
  /** What was done, for the story. */
  readonly log: string[] = [];

  constructor(world: World, folder: Folder, studio: Studio, way: SyncWay) {
    this.#world = world;
    this.#folder = folder;
    this.#studio = studio;
    this.#way = way;
    this.#pair = new Pair(world, folder, studio);
  }

  run(): Outcome {
    const { rules, tally } = this.#world;
    tally.syncs++;
    const { agreed } = this.#studio.place.live;
    this.#pair.observe();
    const isWhole = this.#act(rules.sync(this.look(), this.#ask));
    if (!isWhole) {
      // What exactly the next undo takes back then is left out of the model.
      this.#folder.lastPlan = undefined;
      this.#pair.breakOff(agreed, this.#step, this.#isNamed);
      return "killed";
    }
    if (this.#isStopped || (!this.#hasActed && this.#open.size > 0)) {
      this.#studio.place.live = { ...this.#studio.place.live, agreed };
      return "nothing";
    }
    this.#pair.seeMarks();
    this.#pair.observe();
    this.#pair.settleHalves();
    if (this.#pulled.length > 0 || this.#step !== undefined) this.#notePlan();
    this.#checkEqual();
    return this.#open.size > 0 || this.#refused.size > 0 ? "open" : "done";
  }

  /** False if it was killed. */
  #act(acts: Acts): boolean {
    let refused: ReadonlySet<Key> = new Set();
    for (let done = 0; ; done++) {
      const next = acts.next(refused);
      if (next.done === true) return true;
      if (done === this.#way.killedAfter) {
        this.log.push(`killed before ${next.value.act}`);
        return false;
      }
      refused = this.#perform(next.value);
    }
  }

  /** What sb sees before it decides. */
  look(): Look {
    const { place, held } = this.#studio;
    const folder = this.#folder;
    const paths = this.#world.pathsOf(folder);
    for (const [key, name] of place.live.names) if (!held.has(key)) noteHeld(this.#studio, { key, name });
    return {
      paths,
      get files() {
        return textsOf(folder.files, paths);
      },
      studio: textsOf(place.live.scripts, paths),
      names: place.live.names,
      heldNames: held,
      placeIdentity: place.isPublished ? "published" : `place ${place.number}`,
      git: this.#way.gitFails && this.#folder.git !== undefined ? "failed" : gitOf(this.#folder),
      isOneWay: this.#world.isOneWay,
      state: this.#folder.state,
      newName: () => this.#world.newName(),
    };
  }

  #ask: Ask = (open) => {
    const given = new Map<Key, { readonly answer: Answer; readonly text: string }>();
    const asked = open.map((each, index) => ({
      each,
      answer: this.#possible(each, this.#way.answer?.(index)),
    }));
    for (const { each, answer } of asked) {
      const keys = [each.key, ...(each.also ?? [])];
      for (const key of keys) this.#countQuestion({ ...each, key });
      if (answer === undefined) for (const key of keys) this.#open.set(key, each.reason);
    }
    if (this.#way.isAllOrNothing && this.#open.size > 0) {
      this.#isStopped = true;
      this.log.push("stops");
      return undefined;
    }
    for (const { each, answer } of asked) {
      if (answer === undefined) continue;
      for (const key of [each.key, ...(each.also ?? [])]) {
        const decided = this.#decide(key, answer === "both" && each.isEitherOr === true ? "files" : answer);
        this.#answers.set(key, decided);
        given.set(key, decided);
        this.log.push(`${key} := ${decided.answer} (${decided.text})`);
      }
    }
    return given;
  };

  /** Nothing that Studio has goes to a file of a one-way folder, whatever a person answers. */
  #possible({ key }: Open, answer: Answer | undefined): Answer | undefined {
    if (!this.#world.isOneWay || !isCompiled(pathOf(key))) return answer;
    return answer === "studio" ? undefined : answer && "files";
  }

  #countQuestion({ key, reason }: Open): void {
    const { tally } = this.#world;
    const { files } = this.#folder;
    const { place } = this.#studio;
    const { scripts } = place.live;
    this.log.push(`${key} ${textAt(files, key) ?? "-"}|${textAt(scripts, key) ?? "-"} open: ${reason}`);
    count(tally.questions, reason);
    // What a person has taken back is always a question.
    if (!this.#pair.isUndone(key) && isNeedless(key, files, scripts)) count(tally.needless, reason);
  }

  /** The person knows both sides, so that the answer is made from both. */
  #decide(key: Key, wished: Answer): { answer: Answer; text: string; value: Value } {
    const { values } = this.#world;
    const { files } = this.#folder;
    const { scripts } = this.#studio.place.live;
    const isSource = key.endsWith("source");
    const answer = wished === "both" && !isSource ? "files" : wished;
    const chosen =
      answer === "both" ? values.newText() : (textAt(answer === "files" ? files : scripts, key) ?? "");
    const path = pathOf(key);
    const made = [files, scripts].flatMap((side) => keysOf(path).map((each) => side.get(each)));
    return {
      answer,
      text: chosen,
      value: values.make(chosen, isExistence(key) ? made : [files.get(key), scripts.get(key)]),
    };
  }

  #perform(act: Act): ReadonlySet<Key> {
    this.#hasActed = true;
    switch (act.act) {
      case "save":
        this.#folder.state = act.state;
        this.log.push("save");
        break;
      case "name":
        this.#name(act.name);
        if (act.lasting !== undefined) this.#name(act.lasting);
        break;
      case "pull":
        this.#pull(act.keys, act.told);
        break;
      case "push":
        this.#push(act.keys, act.told);
        if (act.name !== undefined) this.#name(act.name, this.#step);
        if (act.lasting !== undefined) this.#name(act.lasting);
        break;
      case "undoFiles":
        this.#completeUndo();
        this.log.push("undoFiles");
        break;
      case "undoStudio":
        throw new Error("a sync takes nothing back in Studio");
    }
    return this.#refused;
  }

  #notePlan(): void {
    const { place, life } = this.#studio;
    const number = this.#world.tally.syncs;
    place.live = { ...place.live, plans: new Set([...place.live.plans, number]) };
    this.#folder.lastPlan = { number, studio: this.#studio, life, pulled: this.#pulled, step: this.#step };
  }

  #completeUndo(): void {
    const { lastPlan } = this.#folder;
    if (lastPlan !== undefined) undoFiles(this.#world, this.#folder, lastPlan);
    this.#folder.lastPlan = undefined;
    this.#pair.observe();
  }

  #name(name: Name, step?: Step): void {
    const { place } = this.#studio;
    step?.names.push({ key: name.key, before: place.live.names.get(name.key), after: name.name });
    place.live = namedContent(place.live, name.key, name.name);
    noteHeld(this.#studio, name);
    this.#isNamed = true;
    if (step !== undefined || !name.key.includes(" ")) this.log.push(`name ${name.name}`);
  }

  #pull(keys: readonly Key[], told: ReadonlySet<Key>): void {
    for (const key of keys) {
      const changes = this.#replace(key, "files", told);
      this.#pulled.push(...stepOf(this.#folder.files, changes).changes);
      this.#world.changeFiles(this.#folder, changes);
      this.#settle(key, this.#folder.files);
      this.log.push(`pull ${key} = ${textAt(this.#folder.files, key)}`);
    }
  }

  #push(keys: readonly Key[], told: ReadonlySet<Key>): void {
    const { place } = this.#studio;
    if (this.#step === undefined) {
      this.#step = stepOf(place.live.scripts, [], {
        push: { folder: this.#folder.number, memory: this.#folder.memory },
      });
      this.#studio.undo.push(this.#step);
      this.#studio.redo = [];
    }
    for (const key of keys) {
      if (pathOf(key) === this.#way.refusedPath) {
        this.#refused.add(key);
        this.log.push(`push ${key} refused`);
        continue;
      }
      const changes = this.#replace(key, "studio", told);
      const { changes: recorded } = stepOf(place.live.scripts, changes);
      this.#step.changes.push(...recorded);
      place.live = changedContent(place.live, changes);
      this.#settle(key, place.live.scripts);
      this.log.push(`push ${key} = ${textAt(place.live.scripts, key)}`);
    }
  }

  /** What becomes of the target, judged; an answer becomes the value of both sides. */
  #replace(key: Key, to: "files" | "studio", told: ReadonlySet<Key>): Changes {
    const { place } = this.#studio;
    const [target, source] =
      to === "files" ? [this.#folder.files, place.live.scripts] : [place.live.scripts, this.#folder.files];
    const answered = this.#answers.get(key);
    if (answered === undefined) {
      const git = gitOf(this.#folder);
      const isTold = told.has(key);
      const isOneWay = this.#world.isOneWay && isCompiled(pathOf(key));
      const isUndone = (each: Key) => this.#pair.isUndone(each);
      const agreed = (each: Key) => this.#pair.agreed(each);
      judgeReplacement(
        { key, to, target, source, git, isTold, isOneWay, agreed, isUndone },
        this.#world.values,
        this.#world.tally,
      );
      this.#pair.judgeMark(key);
      if (to === "files") this.#pair.judgeHalf(key);
    }
    const keys = isExistence(key) ? keysOf(pathOf(key)) : [key];
    return keys.map((each) => {
      const value = source.get(each);
      if (each === key && answered !== undefined) return [each, answered.value];
      const before = keys.map((one) => target.get(one));
      const isMade =
        value === undefined || before.every((held) => held === undefined || descends(value, held));
      return [each, isMade ? value : this.#world.values.make(value.text, [value, ...before])];
    });
  }

  /** After a write both sides hold one value. */
  #settle(key: Key, written: Side): void {
    const { place } = this.#studio;
    const answered = this.#answers.get(key);
    const keys = isExistence(key) ? keysOf(pathOf(key)) : [key];
    const same = keys.flatMap((each): Changes => {
      const value = each === key && answered !== undefined ? answered.value : written.get(each);
      const isBoth = textAt(this.#folder.files, each) === textAt(place.live.scripts, each);
      return isBoth ? [[each, value]] : [];
    });
    this.#pair.agree(same);
  }

  /** A script that only Studio has stays there alone in a one-way folder, unless both sides are known to have had it. */
  #isOwnOfStudio(path: number): boolean {
    if (!this.#world.isOneWay || !isCompiled(path) || hasScript(this.#folder.files, path)) return false;
    if (this.#folder.memory > 0) return true;
    return this.#pair.agreed(keyOf(path, "exists")).every(({ text }) => text === NO);
  }

  #checkEqual(): void {
    const excused = [...this.#open.keys(), ...this.#refused].map((key) =>
      isExistence(key) ? pathOf(key) : key,
    );
    for (const path of this.#world.pathsOf(this.#folder))
      for (const key of this.#isOwnOfStudio(path) ? [] : keysOf(path)) {
        if (excused.includes(key) || excused.includes(path)) continue;
        const [file, held] = [this.#folder.files, this.#studio.place.live.scripts].map((side) =>
          textAt(side, key),
        );
        if (file !== held)
          this.#world.fault("different", `${key} is ${file} in files and ${held} in studio after a sync`);
      }
  }
}
