/** Runs histories, and makes those with a fault as short as they can be. */
import { Random } from "../simulator/random.ts";
import { type Event, eventsOf, happen } from "./events.ts";
import type { Fault, FaultKind, Tally } from "./judge.ts";
import type { Rules } from "./rules.ts";
import { World } from "./world.ts";

export interface Told {
  readonly tally: Tally;
  /** What has happened, a line each; after it what was wrong. */
  readonly story: readonly string[];
}

export const eventsOfSeed = (seed: number): readonly Event[] => eventsOf(new Random(seed));

export function tell(events: readonly Event[], rules: Rules): Told {
  const world = new World(rules);
  const story: string[] = [];
  for (const event of events) {
    const before = world.tally.faults.length;
    const line = happen(world, event);
    if (line !== undefined) story.push(line);
    for (const fault of world.tally.faults.slice(before)) story.push(`  ! ${faultText(fault)}`);
    // What comes after a fault may only follow from it.
    if (world.tally.faults.length > before) break;
  }
  return { tally: world.tally, story };
}

export const faultText = ({ kind, text }: Fault): string => `${kind}: ${text}`;

/** The shortest part of the history that has a fault of this kind: no event of it can be left out. */
export function shrunk(events: readonly Event[], rules: Rules, kind: FaultKind): readonly Event[] {
  const isBad = (part: readonly Event[]) => tell(part, rules).tally.faults[0]?.kind === kind;
  let kept = events;
  for (let size = Math.ceil(events.length / 2); size >= 1;) {
    const shorter = withoutSome(kept, size).find(isBad);
    if (shorter !== undefined) kept = shorter;
    else size = size === 1 ? 0 : Math.ceil(size / 2);
  }
  return kept;
}

function* withoutSome(events: readonly Event[], size: number): Generator<readonly Event[]> {
  for (let at = 0; at < events.length; at += size) yield [...events.slice(0, at), ...events.slice(at + size)];
  if (size === 1)
    for (const [at, event] of events.entries())
      if (event.how !== 1) yield [...events.slice(0, at), { ...event, how: 1 }, ...events.slice(at + 1)];
}
