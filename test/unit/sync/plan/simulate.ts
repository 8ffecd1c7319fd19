/** One random divergence, synced as a run would: whatever goes wrong is thrown. */
import { agreedTree } from "../../../../src/sync/plan/agreed.ts";
import { resolve } from "../../../../src/sync/plan/resolve.ts";
import type { SyncPlan } from "../../../../src/sync/plan/plan.ts";
import type { PlanItem, PropertyChoice } from "../../../../src/sync/types.ts";
import type { RojoNode } from "../../../../src/roblox/rojo/node.ts";
import { applyInMemory } from "./apply-in-memory.ts";
import { allBelow, contentOf, copyOf, type Identity, marksIn, RandomPlace } from "./random-trees.ts";
import { linesOf, plan } from "./trees.ts";

const IDENTITIES: readonly Identity[] = ["studioId", "uniqueId", "none"];
/** Each round may bring choices that the one before made possible. */
const MAX_ROUNDS = 8;
/** Both sides can only become equal where all that is not default takes part. */
const CHOICES = [{ properties: "all" }, { properties: "listed" }, { properties: "changed" }, {}] as const;

export function simulate(seed: number): void {
  const random = new RandomPlace(seed);
  const { files, studio, common } = random.divergence(random.pick(IDENTITIES));
  const hasBase = random.int(4) > 0;
  const choice: { readonly properties?: PropertyChoice } = random.pick(CHOICES);
  const input = { ...choice, allowedRemovals: Infinity };
  // The base is what an earlier sync of equal sides left.
  const base = hasBase
    ? agreedTree(plan({ ...input, files: copyOf(common), studio: common }), new Set())
    : undefined;
  const before = { files: marksIn(files), studio: marksIn(studio), base: marksIn(common) };
  const first = plan({ ...input, files, studio, base });
  const open = new Set(
    first.items
      .filter(({ verdict }) => verdict === "unresolved" || verdict === "skip")
      .flatMap(({ file, studio: twin }) =>
        [file, twin].flatMap((each) => (each === undefined ? [] : allBelow(each))),
      ),
  );
  let next = agreedTree(first, applyInMemory(first));
  checkMarks(before, files, studio, hasBase);
  const second = plan({ ...input, files, studio, base: next });
  // What was left open may look different now that the rest is done.
  const isNews = ({ verdict, file, studio: twin }: PlanItem) =>
    (verdict === "push" || verdict === "pull") &&
    ![file, twin].some((each) => each !== undefined && open.has(each));
  const news = second.items.filter(isNews);
  if (news.length > 0)
    throw new Error(
      `the second run would change ${news.map(({ path }) => path).join()}\n${linesOf(first).join("\n")}`,
    );
  let at: SyncPlan = second;
  for (let round = 0; at.items.length > 0; round++) {
    if (round === MAX_ROUNDS) throw new Error(`choices do not end it:\n${linesOf(at).join("\n")}`);
    chooseAtRandom(at, random);
    next = agreedTree(at, applyInMemory(at));
    at = plan({ ...input, files, studio, base: next });
  }
  if (choice.properties === "all" && contentOf(files) !== contentOf(studio))
    throw new Error(`the sides differ:\n${contentOf(files)}\n${contentOf(studio)}`);
}

function checkMarks(
  before: Readonly<Record<"files" | "studio" | "base", ReadonlySet<string>>>,
  files: RojoNode,
  studio: RojoNode,
  hasBase: boolean,
): void {
  const after = new Set([...marksIn(files), ...marksIn(studio)]);
  for (const mark of new Set([...before.files, ...before.studio])) {
    const wasTakenOut =
      hasBase && before.base.has(mark) && !(before.files.has(mark) && before.studio.has(mark));
    if (!wasTakenOut && !after.has(mark)) throw new Error(`${mark} is lost`);
  }
}

function chooseAtRandom(at: SyncPlan, random: RandomPlace): void {
  const overrides = at.items
    .filter(({ verdict }) => verdict === "unresolved" || verdict === "skip")
    .map(({ id, merged }) => {
      const direction =
        merged !== undefined && random.int(2) === 0
          ? ("merge" as const)
          : random.pick(["push", "pull"] as const);
      return { to: id, direction };
    });
  resolve(at, { overrides, allowedRemovals: Infinity });
}
