/** What many histories say of a set of rules. */
import type { Event } from "./events.ts";
import { eventsOfSeed, shrunk, tell } from "./history.ts";
import { count, type FaultKind } from "./judge.ts";
import type { Rules } from "./rules.ts";

export interface Report {
  readonly rules: Rules;
  readonly histories: number;
  readonly syncs: number;
  /** Seeds of histories, by the kind of their first fault. */
  readonly faults: ReadonlyMap<FaultKind, readonly number[]>;
  readonly questions: ReadonlyMap<string, number>;
  readonly needless: ReadonlyMap<string, number>;
  readonly remarks: ReadonlyMap<string, number>;
}

export function reportOn(rules: Rules, first: number, histories: number): Report {
  const faults = new Map<FaultKind, number[]>();
  const [questions, needless, remarks] = [
    new Map<string, number>(),
    new Map<string, number>(),
    new Map<string, number>(),
  ];
  let syncs = 0;
  for (let seed = first; seed < first + histories; seed++) {
    const { tally } = tell(eventsOfSeed(seed), rules);
    syncs += tally.syncs;
    for (const [reason, times] of tally.questions) count(questions, reason, times);
    for (const [reason, times] of tally.needless) count(needless, reason, times);
    for (const [remark, times] of tally.remarks) count<string>(remarks, remark, times);
    const [fault] = tally.faults;
    if (fault !== undefined) faults.set(fault.kind, [...(faults.get(fault.kind) ?? []), seed]);
  }
  return { rules, histories, syncs, faults, questions, needless, remarks };
}

/** As lines for people. */
export function reportLines({
  rules,
  histories,
  syncs,
  faults,
  questions,
  needless,
  remarks,
}: Report): readonly string[] {
  const all = (counts: ReadonlyMap<string, number>) => counts.values().reduce((sum, times) => sum + times, 0);
  const listed = (counts: ReadonlyMap<string, number>) =>
    [...counts].toSorted(([, one], [, other]) => other - one).map(([name, times]) => `${times} ${name}`);
  const bad = new Map([...faults].map(([kind, seeds]) => [kind, seeds.length]));
  return [
    `${rules.name}: ${all(bad)} of ${histories} histories with a fault, ${syncs} syncs`,
    ...listed(bad).map((line) => `  fault: ${line}`),
    `  ${all(questions)} questions, ${all(needless)} without need: ${listed(needless).join(", ")}`,
    ...listed(remarks).map((line) => `  counted apart: ${line}`),
  ];
}

/** How many histories of a kind are made short to find the shortest. */
const TRIED = 40;

/** The shortest history with each kind of fault. */
export function shortest({
  rules,
  faults,
}: Report): readonly (readonly [seed: number, events: readonly Event[]])[] {
  return [...faults].flatMap(([kind, seeds]) => {
    const tried = seeds
      .slice(0, TRIED)
      .map((seed) => [seed, shrunk(eventsOfSeed(seed), rules, kind)] as const);
    return tried.toSorted(([, one], [, other]) => one.length - other.length).slice(0, 1);
  });
}
