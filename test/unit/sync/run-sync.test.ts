/**
 * Whole syncs of a project on disk with a Studio in memory: after random changes of both sides both agree, the second run
 * changes nothing, and nothing new is lost on the way.
 */
import { expect, test } from "bun:test";
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { RojoNode } from "../../../src/roblox/rojo/node.ts";
import { differencesBetween } from "../../../src/sync/files/compare-trees.ts";
import { readProjectFilesAsync } from "../../../src/sync/files/read-project.ts";
import { Normalizer } from "../../../src/sync/plan/normalize.ts";
import type { SyncPlan } from "../../../src/sync/plan/plan.ts";
import { runSyncAsync, type SyncRun, type SyncWishes } from "../../../src/sync/run-sync.ts";
import type { Counterpart, ItemResult, Override, PlanItem } from "../../../src/sync/types.ts";
import { randomFrom } from "../roblox/generated.ts";
import { ownFolder } from "../own-folder.ts";
import { add, at, schema, setSource, studioCopy, writeFilesAsync } from "./files/sync-world.ts";
import { applyInMemory } from "./plan/apply-in-memory.ts";

const SEEDS = Number(process.env["SB_SEEDS"] ?? 25);
const FIRST_SEED = Number(process.env["SB_FIRST_SEED"] ?? 1);
/** Each choice may make another one possible. */
const MAX_ROUNDS = 8;

const top = ownFolder("sb-run-");

/** A place that is read as a copy and changed as a plan says. */
class MemoryStudio implements Counterpart {
  readonly label = "Memory";
  readonly place = { by: "placeId", value: "7" } as const;
  readonly isWritable = true;
  root: RojoNode;
  #lastId = 0;

  constructor(root: RojoNode) {
    this.root = root;
  }

  async readAsync(): Promise<RojoNode> {
    const copy = studioCopy(this.root);
    this.#number(copy, this.root);
    this.root = copy;
    return copy;
  }

  /** What a person does right after the changes of a sync have been made. */
  afterApplyAsync = async (): Promise<void> => {};

  async applyAsync(items: readonly PlanItem[], plan: SyncPlan): Promise<readonly ItemResult[]> {
    applyInMemory({ ...plan, items: [...items] });
    await this.afterApplyAsync();
    return items.map((item) => ({ item, applied: true }));
  }

  /** An Instance keeps its number as long as it lives. */
  #number(copy: RojoNode, from: RojoNode): void {
    from.studioId ??= ++this.#lastId;
    copy.studioId = from.studioId;
    for (const [index, child] of copy.children.entries()) {
      const twin = from.children[index];
      if (twin !== undefined) this.#number(child, twin);
    }
  }
}

class Trial {
  readonly folder: string;
  readonly studio: MemoryStudio;
  readonly #random: () => number;
  #marks = 0;

  private constructor(folder: string, studio: MemoryStudio, random: () => number) {
    this.folder = folder;
    this.studio = studio;
    this.#random = random;
  }

  static async beginAsync(seed: number): Promise<Trial> {
    const folder = join(top.path, `seed-${seed}`);
    const project = { name: "Game", tree: { $className: "DataModel", ReplicatedStorage: { $path: "src" } } };
    await writeFilesAsync(folder, {
      "default.project.json": project,
      "src/One.luau": "-- first 1\nreturn 1\n",
      "src/Two.server.luau": "-- first 2\n",
      "src/Deep/Three.luau": "-- first 3\r\nreturn 3\r\n",
      "src/Deep/Deeper/Four.client.luau": "-- first 4",
      "src/Deep/Five/init.luau": "-- first 5\n",
      "src/Deep/Five/Six.luau": "-- first 6\n",
      "src/Deep/Five/Six.meta.json": { attributes: { speed: 1 } },
      "src/Value.model.json": { className: "IntValue", properties: { Value: 3 } },
    });
    const { tree } = await readProjectFilesAsync(join(folder, "default.project.json"), schema);
    const empty = studioCopy(tree.root);
    at(empty, "ReplicatedStorage").children.splice(0);
    return new Trial(folder, new MemoryStudio(empty), randomFrom(seed));
  }

  syncAsync(overrides: readonly Override[] = [], wishes: Partial<SyncWishes> = {}): Promise<SyncRun> {
    const { signal } = new AbortController();
    return runSyncAsync(
      {
        projectFile: join(this.folder, "default.project.json"),
        mode: "standard",
        isPartial: true,
        properties: "changed",
        overrides,
        allowedRemovals: 1000,
        allowsOutside: false,
        safeNames: false,
        ...wishes,
      },
      this.studio,
      { schema, signal, command: "test", status: () => undefined },
    );
  }

  /** Each script that is made or changed has a mark of its own, so that a loss is seen. */
  mark = (): string => `-- mark ${(this.#marks += 1)} --\n`;
  int = (limit: number): number => Math.floor(this.#random() * limit);

  async scriptFilesAsync(): Promise<string[]> {
    const names = await readdir(join(this.folder, "src"), { recursive: true });
    return names.filter((name) => name.endsWith(".luau")).sort();
  }

  async changeFilesAsync(): Promise<void> {
    for (let count = this.int(4); count > 0; count--) {
      const names = await this.scriptFilesAsync();
      const name = names[this.int(names.length)];
      const kind = this.int(4);
      if (kind === 0 || name === undefined)
        await writeFile(join(this.folder, "src", `New${this.int(1000)}.luau`), this.mark());
      else if (kind === 1) await rm(join(this.folder, "src", name));
      else await writeFile(join(this.folder, "src", name), this.mark());
    }
  }

  changeStudio(): void {
    const storage = at(this.studio.root, "ReplicatedStorage");
    for (let count = this.int(4); count > 0; count--) {
      const all = descendants(storage);
      const [node = storage, parent] = all[this.int(all.length)] ?? [];
      const kind = this.int(5);
      if (kind === 0 || parent === undefined) add(node, `Made${this.int(1000)}`, "ModuleScript", this.mark());
      else if (kind === 1) parent.children.splice(parent.children.indexOf(node), 1);
      else if (kind === 2) node.name = `Named${this.int(1000)}`;
      else if (kind === 3) node.attributes.set("speed", { type: "Float64", value: this.int(100) });
      else if (node.properties.has("Source")) setSource(node, this.mark());
    }
  }

  /** The marks of a side. */
  async marksAsync(): Promise<Set<string>> {
    const names = await this.scriptFilesAsync();
    const files = await Promise.all(names.map((name) => readFile(join(this.folder, "src", name), "utf8")));
    const sources = descendants(this.studio.root).map(([node]) =>
      String(node.properties.get("Source")?.value),
    );
    return new Set([...files, ...sources].flatMap((text) => text.match(/mark \d+ /g) ?? []));
  }
}

function descendants(root: RojoNode): (readonly [node: RojoNode, parent: RojoNode])[] {
  return root.children.flatMap((node) => [[node, root] as const, ...descendants(node)]);
}

const linesOf = ({ plan, results }: SyncRun): string[] => {
  const failures = new Map(
    results.map(({ item, applied, reason }) => [item, applied ? "" : ` FAILED ${reason}`]),
  );
  return plan.items.map(
    (item) => `${item.verdict} ${item.change} ${item.path} ${item.detail ?? ""}${failures.get(item) ?? ""}`,
  );
};

const expectNoFailure = (run: SyncRun): void =>
  expect(
    run.results.filter(({ applied }) => !applied).map(({ item, reason }) => `${item.path}: ${reason}`),
  ).toEqual([]);

async function tryAsync(seed: number): Promise<"agreed" | "refused"> {
  const trial = await Trial.beginAsync(seed);
  const first = await trial.syncAsync();
  expect([first.status, linesOf(await trial.syncAsync())]).toEqual(["success", []]);
  for (let turn = 0; turn < 2; turn++) {
    const known = await trial.marksAsync();
    await trial.changeFilesAsync();
    trial.changeStudio();
    const fresh = [...(await trial.marksAsync())].filter((mark) => !known.has(mark));
    const run = await trial.syncAsync();
    expectNoFailure(run);
    const kept = await trial.marksAsync();
    expect({ lost: fresh.filter((mark) => !kept.has(mark)), lines: linesOf(run) }).toMatchObject({
      lost: [],
    });
    await chooseAsync(trial);
  }
  const last = await trial.syncAsync([], { mode: "dryrun" });
  const open = last.plan.items.filter(({ verdict }) => verdict !== "skip");
  expect(open.length === 0 ? [] : linesOf(last)).toEqual([]);
  if (last.plan.items.length > 0) return "refused";
  const { tree } = await readProjectFilesAsync(join(trial.folder, "default.project.json"), schema);
  const differences = differencesBetween(trial.studio.root, tree.root, new Normalizer(schema));
  expect(differences.map(({ expected, reason }) => `${expected.name}: ${reason}`)).toEqual([]);
  return "agreed";
}

/** A person decides at random until nothing is open. */
async function chooseAsync(trial: Trial): Promise<void> {
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const { plan } = await trial.syncAsync([], { mode: "dryrun" });
    const open = plan.items.filter(({ verdict }) => verdict !== "skip");
    if (open.length === 0) return;
    const ids = new Set(open.filter(({ verdict }) => verdict === "unresolved").map(({ id }) => id));
    const overrides = [...ids].map((to): Override => ({
      to,
      direction: trial.int(2) === 0 ? "push" : "pull",
    }));
    expectNoFailure(await trial.syncAsync(overrides));
  }
  throw new Error(
    `choices do not end it:\n${linesOf(await trial.syncAsync([], { mode: "dryrun" })).join("\n")}`,
  );
}

test(`${SEEDS} random histories of both sides end in agreement, and no new text is lost`, async () => {
  const outcomes = { agreed: 0, refused: 0 };
  for (let seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed++)
    try {
      outcomes[await tryAsync(seed)] += 1;
    } catch (error) {
      throw new Error(`seed ${seed}: ${error instanceof Error ? error.message : String(error)}`, {
        cause: error,
      });
    }
  // Without this the test could pass by refusing everything.
  expect(outcomes.agreed).toBeGreaterThan(SEEDS * 0.6);
}, 120_000);

test("a script that is edited while the sync still reads back what it wrote there is no conflict", async () => {
  const trial = await Trial.beginAsync(900);
  await trial.syncAsync();
  const fileOf = (name: string) => join(trial.folder, "src", name);
  const studioOf = (name: string) => at(trial.studio.root, `ReplicatedStorage/${name}`);
  await writeFile(fileOf("One.luau"), "return 'saved'");
  await writeFile(fileOf("New.luau"), "return 'saved'");
  setSource(studioOf("Two"), "print('typed')");
  trial.studio.afterApplyAsync = async () => {
    trial.studio.afterApplyAsync = async () => {};
    for (const name of ["One", "New"]) setSource(studioOf(name), "return 'typed after it'");
    await writeFile(fileOf("Two.server.luau"), "print('saved after it')");
  };
  const { results, hasMore } = await trial.syncAsync();
  expect(hasMore).toBe(true);
  expect(results.map(({ item, applied, reason }) => [item.path, applied, reason])).toEqual(
    ["New", "One", "Two"].map((name) => [`ReplicatedStorage.${name}`, true, undefined]),
  );
  expect(await trial.syncAsync()).toMatchObject({ status: "success", hasMore: false });
  const texts = await Promise.all(["One.luau", "New.luau"].map((name) => readFile(fileOf(name), "utf8")));
  expect(texts).toEqual(["return 'typed after it'", "return 'typed after it'"]);
  expect(studioOf("Two").properties.get("Source")?.value).toBe("print('saved after it')");
  expect((await trial.syncAsync()).plan.items).toEqual([]);
});

test("a script that gets another name in Studio while a new file takes its old one is no failure", async () => {
  const trial = await Trial.beginAsync(901);
  await trial.syncAsync();
  at(trial.studio.root, "ReplicatedStorage/Two").name = "Other";
  await writeFile(join(trial.folder, "src", "Two.luau"), "return 'new'");
  const { results, status, hasMore } = await trial.syncAsync();
  expect(results.map(({ item, reason }) => [item.verdict, item.change, item.path, reason])).toEqual([
    ["pull", "move", "ReplicatedStorage.Other", undefined],
    ["push", "add", "ReplicatedStorage.Two", undefined],
  ]);
  expect({ status, hasMore }).toEqual({ status: "success", hasMore: false });
  expect((await trial.syncAsync()).plan.items).toEqual([]);
});

test("what is pulled into a file that makes two Instances is pushed to the other one, and two different edits are open", async () => {
  const trial = await Trial.beginAsync(902);
  const project = {
    name: "Game",
    tree: {
      $className: "DataModel",
      ReplicatedStorage: { Shared: { $path: "src/One.luau" } },
      ServerStorage: { Shared: { $path: "src/One.luau" } },
    },
  };
  await writeFilesAsync(trial.folder, { "default.project.json": project });
  const { tree } = await readProjectFilesAsync(join(trial.folder, "default.project.json"), schema);
  trial.studio.root = studioCopy(tree.root);
  await trial.syncAsync();
  const studioOf = (service: string) => at(trial.studio.root, `${service}/Shared`);
  const sources = () =>
    ["ReplicatedStorage", "ServerStorage"].map((name) => studioOf(name).properties.get("Source")?.value);
  const fileAsync = () => readFile(join(trial.folder, "src/One.luau"), "utf8");

  setSource(studioOf("ServerStorage"), "return 'typed'\n");
  const run = await trial.syncAsync();
  expect(run.results.map(({ item, applied }) => [item.verdict, item.path, applied])).toEqual([
    ["pull", "ServerStorage.Shared", true],
    ["push", "ReplicatedStorage.Shared", true],
  ]);
  expect([await fileAsync(), ...sources()]).toEqual(Array(3).fill("return 'typed'\n"));
  expect((await trial.syncAsync()).plan.items).toEqual([]);

  setSource(studioOf("ServerStorage"), "return 'one'\n");
  setSource(studioOf("ReplicatedStorage"), "return 'other'\n");
  const open = await trial.syncAsync();
  expect(open.plan.items.map(({ verdict, reason }) => [verdict, reason])).toEqual(
    Array(2).fill(["unresolved", "both_changed"]),
  );
  expect([await fileAsync(), ...sources()]).toEqual([
    "return 'typed'\n",
    "return 'other'\n",
    "return 'one'\n",
  ]);
});
