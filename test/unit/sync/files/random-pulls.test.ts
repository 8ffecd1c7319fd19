/** Random projects and random changes in Studio: what is pulled is what is read back, and undo gives the same bytes. */
import { expect, test } from "bun:test";
import { join } from "node:path";
import type { RojoNode } from "../../../../src/roblox/rojo/node.ts";
import { differencesBetween } from "../../../../src/sync/files/compare-trees.ts";
import { readProjectFilesAsync } from "../../../../src/sync/files/read-project.ts";
import { endUndoAsync, lastPlanAsync } from "../../../../src/sync/undo-sync.ts";
import { Normalizer } from "../../../../src/sync/plan/normalize.ts";
import { syncStateAsync } from "../../../../src/sync/state-paths.ts";
import { utf8ByteString } from "../../../../src/util/bytes.ts";
import { randomFrom } from "../../roblox/generated.ts";
import { add, at, type Files, schema, setSource, type World, worldAsync } from "./sync-world.ts";

const SEEDS = Number(process.env["SB_SEEDS"] ?? 60);
const SCRIPTS = ["ModuleScript", "Script", "LocalScript"];
const CLASSES = [
  ...SCRIPTS,
  ...SCRIPTS,
  "Folder",
  "Model",
  "Part",
  "StringValue",
  "IntValue",
  "RemoteEvent",
  "Configuration",
];

class Chance {
  readonly #random: () => number;
  #names = 0;

  constructor(seed: number) {
    this.#random = randomFrom(seed);
  }

  int = (limit: number): number => Math.floor(this.#random() * limit);
  pick = <Value>(list: readonly Value[]): Value => {
    const value = list[this.int(list.length)];
    if (value === undefined) throw new Error("nothing to pick from");
    return value;
  };
  name = (): string => `${this.pick(["Door", "größe", "a b", "x.y", "Lib"])}${(this.#names += 1)}`;
  source = (): string =>
    this.pick(["", "return 1", `return ${this.int(99)}\n`, "a\nb\n\n", "-- ü\nprint('x')\n"]);
  lines = (text: string): string => (this.int(3) === 0 ? text.replaceAll("\n", "\r\n") : text);
}

function randomFiles(chance: Chance): Files {
  const files: Record<string, unknown> = {};
  const fill = (folder: string, depth: number): void => {
    for (let count = 1 + chance.int(4); count > 0; count--) addFile(files, folder, depth, chance, fill);
  };
  fill("src", 0);
  return files;
}

function addFile(
  files: Record<string, unknown>,
  folder: string,
  depth: number,
  chance: Chance,
  fill: (folder: string, depth: number) => void,
): void {
  const stem = `${folder}/${chance.name()}`;
  const script = () => chance.lines(chance.source());
  const meta = {
    attributes: { speed: chance.int(9) },
    ...(chance.int(2) === 0 ? { properties: { Tags: ["t"] } } : {}),
  };
  const kind = chance.int(9);
  if (kind < 3) files[`${stem}${chance.pick([".luau", ".server.luau", ".client.luau", ".lua"])}`] = script();
  if (kind < 3 && chance.int(3) === 0) files[`${stem}.meta.json`] = meta;
  if (kind === 3) files[`${stem}.txt`] = chance.source();
  if (kind === 4)
    files[`${stem}.model.json`] = {
      className: "Model",
      children: [
        { name: "P", className: "Part", properties: { Anchored: true } },
        {
          name: "Q",
          className: "Folder",
          children: [{ name: "R", className: "IntValue", properties: { Value: 3 } }],
        },
      ],
    };
  if (kind === 5) files[`${stem}.model.json`] = { className: "RemoteEvent" };
  if (kind === 6) files[`${stem}.json`] = { a: chance.int(9) };
  if (kind < 7 || depth > 2) return;
  if (kind === 7) files[`${stem}/init${chance.pick([".luau", ".server.luau", ".client.lua"])}`] = script();
  if (chance.int(3) === 0) files[`${stem}/init.meta.json`] = meta;
  if (chance.int(4) === 0) files[`${stem}/README.md`] = "mine";
  fill(stem, depth + 1);
  files[`${stem}/`] = "";
}

function descendants(root: RojoNode): { readonly node: RojoNode; readonly parent: RojoNode }[] {
  return root.children.flatMap((node) => [{ node, parent: root }, ...descendants(node)]);
}

const isWithin = (node: RojoNode, other: RojoNode): boolean =>
  node === other || node.children.some((child) => isWithin(child, other));

function changeStudio(root: RojoNode, chance: Chance): void {
  for (let count = 1 + chance.int(6); count > 0; count--) {
    const all = descendants(root);
    if (all.length === 0) return void addRandom(root, chance);
    const { node, parent } = chance.pick(all);
    const kind = chance.int(10);
    if (kind === 0) parent.children.splice(parent.children.indexOf(node), 1);
    if (kind === 1) node.name = chance.name();
    if (kind === 2) moveTo(chance.pick([root, ...all.map((each) => each.node)]), node, parent);
    if (kind === 3 && SCRIPTS.includes(node.className)) node.className = chance.pick(SCRIPTS);
    if (kind === 4) node.attributes.set("speed", { type: "Float64", value: chance.int(99) });
    if (kind === 5) node.properties.set("Tags", { type: "Tags", value: [chance.pick(["x", "y"])] });
    if (kind === 6) node.attributes.delete("speed");
    if (kind > 6) addRandom(chance.pick([root, node]), chance);
    const script = all.find((each) => SCRIPTS.includes(each.node.className))?.node;
    if (script !== undefined && chance.int(2) === 0) setSource(script, chance.source());
    if (node.className === "StringValue" && chance.int(2) === 0)
      node.properties.set("Value", { type: "String", value: utf8ByteString(chance.source()) });
  }
}

function moveTo(target: RojoNode, node: RojoNode, parent: RojoNode): void {
  if (isWithin(node, target)) return;
  parent.children.splice(parent.children.indexOf(node), 1);
  target.children.push(node);
}

function addRandom(parent: RojoNode, chance: Chance, depth = 0): void {
  const className = chance.pick(CLASSES);
  const node = add(parent, chance.name(), className);
  if (SCRIPTS.includes(className)) setSource(node, chance.source());
  if (className === "Part") node.properties.set("Anchored", { type: "Bool", value: true });
  if (className === "Script" && chance.int(2) === 0)
    node.properties.set("RunContext", { type: "Enum", value: chance.int(4) });
  if (chance.int(3) === 0) node.attributes.set("made", { type: "Bool", value: true });
  for (let count = depth < 2 ? chance.int(3) : 0; count > 0; count--) addRandom(node, chance, depth + 1);
}

/** What stops a pull for a reason that the user is told. */
const HONEST = /holds data|also holds|is in a file|belongs to|from which its source is made/;

async function tryAsync(seed: number): Promise<"whole" | "in part"> {
  const chance = new Chance(seed);
  await using world = await worldAsync(randomFiles(chance));
  const before = await world.snapshotAsync();
  changeStudio(at(world.studio, "ReplicatedStorage"), chance);
  const plan = await world.planAsync();
  for (const reason of plan.refusals.values()) expect(reason).toMatch(HONEST);
  const { failures } = await world.applyAsync(plan);
  expect(failures).toEqual(new Map());
  const isWhole = plan.refusals.size + plan.skipped === 0;
  if (isWhole) await expectAgreementAsync(world);
  await undoAllAsync(world);
  expect(await world.snapshotAsync()).toEqual(before);
  return isWhole ? "whole" : "in part";
}

async function expectAgreementAsync(world: World): Promise<void> {
  const { tree } = await readProjectFilesAsync(join(world.folder, "default.project.json"), schema);
  const differences = differencesBetween(world.studio, tree.root, new Normalizer(schema));
  expect(differences.map(({ expected, reason }) => `${expected.name}: ${reason}`)).toEqual([]);
  world.rememberStudio();
  const again = await world.planAsync();
  expect(again.operations).toEqual([]);
}

async function undoAllAsync(world: World): Promise<void> {
  const state = await syncStateAsync(join(world.folder, "default.project.json"), world.environment);
  const record = await lastPlanAsync(state);
  if (record !== undefined) expect((await endUndoAsync(state, record)).refused).toEqual(new Map());
}

test(`${SEEDS} random changes of Studio are pulled as they are, and taken back byte for byte`, async () => {
  const outcomes = { whole: 0, "in part": 0 };
  const first = Number(process.env["SB_FIRST_SEED"] ?? 1);
  for (let seed = first; seed < first + SEEDS; seed++) {
    try {
      outcomes[await tryAsync(seed)] += 1;
    } catch (error) {
      throw new Error(`seed ${seed}: ${error instanceof Error ? error.message : String(error)}`, {
        cause: error,
      });
    }
  }
  // Without this the test could pass by refusing everything.
  expect(outcomes.whole).toBeGreaterThan(SEEDS / 3);
}, 120_000);
