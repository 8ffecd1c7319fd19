/** A project in a folder of its own, and a Studio in memory: what the tests of pulled files work with. */
import { lstat, mkdir, mkdtemp, readdir, readFile, readlink, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { openClassData } from "../../../../src/roblox/class-data.ts";
import { newNode, type RojoNode } from "../../../../src/roblox/rojo/node.ts";
import { FileSchema } from "../../../../src/roblox/schema.ts";
import { type AppliedFiles, applyFilesAsync } from "../../../../src/sync/files/apply-files.ts";
import { type FilePlan, type FilePlanInput, planFilesAsync } from "../../../../src/sync/files/file-plan.ts";
import { readProjectFilesAsync } from "../../../../src/sync/files/read-project.ts";
import { rootsOfAsync } from "../../../../src/sync/files/safe-path.ts";
import { newPlanId } from "../../../../src/sync/files/trash.ts";
import { planOf } from "../../../../src/sync/plan/plan.ts";
import { syncStateAsync } from "../../../../src/sync/state-paths.ts";
import type { PlanItem } from "../../../../src/sync/types.ts";
import { utf8ByteString } from "../../../../src/util/bytes.ts";
import { assets } from "../../../headless/run-spec.ts";

export const schema = new FileSchema(openClassData(assets.classData()));

export const PLACE = { by: "placeId", value: "1" } as const;

/** Content by path. Objects are written as JSON; a path that ends in `/` is a folder. */
export type Files = Readonly<Record<string, unknown>>;

export async function writeFilesAsync(folder: string, files: Files): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name);
    await mkdir(name.endsWith("/") ? path : dirname(path), { recursive: true });
    const isRaw = typeof content === "string" || content instanceof Uint8Array;
    if (!name.endsWith("/")) await writeFile(path, isRaw ? content : JSON.stringify(content, null, 2));
  }
}

/** Every file with its mode and its bytes, every folder, every link; without what sync keeps for itself. */
export async function snapshotAsync(folder: string, prefix = ""): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const name of (await readdir(folder)).sort()) {
    if (prefix === "" && name === ".sb") continue;
    const path = join(folder, name);
    const facts = await lstat(path);
    if (facts.isSymbolicLink()) found[prefix + name] = `-> ${await readlink(path)}`;
    else if (facts.isDirectory())
      Object.assign(found, { [`${prefix}${name}/`]: "" }, await snapshotAsync(path, `${prefix}${name}/`));
    else
      found[prefix + name] =
        `${(facts.mode & 0o777).toString(8)} ${(await readFile(path)).toString("latin1")}`;
  }
  return found;
}

/** A copy as Studio would hold it: without files. `twins` gets each file's node with its copy. */
export function studioCopy(root: RojoNode, twins = new Map<RojoNode, RojoNode>()): RojoNode {
  const copy = newNode(root.name, root.className);
  twins.set(root, copy);
  for (const [name, value] of root.properties) copy.properties.set(name, value);
  for (const [name, value] of root.attributes)
    if (!name.startsWith("Rojo_")) copy.attributes.set(name, value);
  for (const child of root.children) copy.children.push(studioCopy(child, twins));
  for (const [name, target] of root.references) {
    const twin = twins.get(target);
    if (twin !== undefined) copy.references.set(name, twin);
  }
  return copy;
}

/** The descendant at names with slashes between them. */
export function at(root: RojoNode, path: string): RojoNode {
  let node = root;
  for (const name of path.split("/")) {
    const child = node.children.find((candidate) => candidate.name === name);
    if (child === undefined) throw new Error(`no ${name} in ${node.name}`);
    node = child;
  }
  return node;
}

export function add(parent: RojoNode, name: string, className: string, source?: string): RojoNode {
  const node = newNode(name, className);
  if (source !== undefined) setSource(node, source);
  parent.children.push(node);
  return node;
}

export function setSource(node: RojoNode, source: string): void {
  node.properties.set("Source", { type: "String", value: utf8ByteString(source) });
}

export function remove(parent: RojoNode, name: string): RojoNode {
  const index = parent.children.findIndex((child) => child.name === name);
  const [gone] = parent.children.splice(index, 1);
  if (gone === undefined) throw new Error(`no ${name} in ${parent.name}`);
  return gone;
}

export interface World extends AsyncDisposable {
  readonly folder: string;
  /** The base, as both sides hold it, and the Studio that a test changes. */
  readonly studio: RojoNode;
  planAsync(): Promise<
    FilePlan & {
      readonly items: readonly PlanItem[];
      readonly input: FilePlanInput;
      /** How many items the plan itself leaves out. */
      readonly skipped: number;
    }
  >;
  applyAsync(plan: FilePlan): Promise<AppliedFiles>;
  /** Plans, applies, and fails the test for what was refused. */
  pullAsync(): Promise<AppliedFiles>;
  /** A Studio that holds what the files hold now, and so does the base. */
  freshStudioAsync(): Promise<RojoNode>;
  /** Makes what Studio holds the base, as a sync does after it has read both sides again. */
  rememberStudio(): void;
  /** Plans, and applies what is not refused. */
  tryPullAsync(): Promise<AppliedFiles>;
  /** What still differs, as a second plan says it: paths with what would be done. */
  leftAsync(): Promise<string[]>;
  snapshotAsync(): Promise<Record<string, string>>;
  readonly environment: { readonly XDG_STATE_HOME: string };
}

const PROJECT = { name: "Game", tree: { $className: "DataModel", ReplicatedStorage: { $path: "src" } } };

/** Both sides begin equal, and the base says so. */
export async function worldAsync(
  files: Files,
  options: {
    readonly project?: unknown;
    readonly allowsOutside?: boolean;
    readonly safeNames?: boolean;
  } = {},
): Promise<World> {
  const top = await mkdtemp(join(tmpdir(), "sb-files-"));
  const folder = join(top, "project");
  const environment = { XDG_STATE_HOME: join(top, "state") };
  await writeFilesAsync(folder, { "default.project.json": options.project ?? PROJECT, ...files });
  const file = join(folder, "default.project.json");
  const { tree } = await readProjectFilesAsync(file, schema);
  let studio = studioCopy(tree.root);
  let base = studioCopy(tree.root);
  // Studio's numbers prove what was renamed or moved.
  numberTwins(studio, base, 1);
  const readAsync = () => readProjectFilesAsync(file, schema);
  const planItemsAsync = async () => {
    const project = await readAsync();
    const plan = planOf({
      files: project.tree.root,
      studio,
      base,
      schema,
      folder,
      properties: "all",
      rules: project.tree.rules.syncback,
      allowedRemovals: 1000,
    });
    return { project, plan };
  };
  const world: World = {
    folder,
    get studio() {
      return studio;
    },
    environment,
    freshStudioAsync: async () => {
      const present = (await readAsync()).tree.root;
      [studio, base] = [studioCopy(present), studioCopy(present)];
      numberTwins(studio, base, 1);
      return studio;
    },
    tryPullAsync: async () => world.applyAsync(await world.planAsync()),
    planAsync: async () => {
      const { project, plan } = await planItemsAsync();
      const items = plan.items.filter(({ verdict }) => verdict === "pull");
      const input: FilePlanInput = {
        project,
        studio,
        pairs: plan.pairs,
        items,
        schema,
        allowsOutside: options.allowsOutside === true,
        safeNames: options.safeNames === true,
      };
      const skipped = plan.items.length - items.length;
      return { ...(await planFilesAsync(input)), items, input, skipped };
    },
    applyAsync: async (plan) => {
      const { tree: present } = await readAsync();
      return applyFilesAsync(plan.operations, {
        state: await syncStateAsync(file, environment),
        planId: newPlanId(),
        place: PLACE,
        label: "Test",
        roots: await rootsOfAsync(present, { allowsOutside: options.allowsOutside === true }),
      });
    },
    rememberStudio: () => {
      base = studioCopy(studio);
      copyNumbers(studio, base);
    },
    pullAsync: async () => {
      const plan = await world.planAsync();
      if (plan.refusals.size > 0) throw new Error(`refused: ${[...plan.refusals.values()].join("; ")}`);
      const applied = await world.applyAsync(plan);
      if (applied.failures.size > 0) throw new Error(`failed: ${[...applied.failures.values()].join("; ")}`);
      world.rememberStudio();
      return applied;
    },
    leftAsync: async () => {
      const { plan } = await planItemsAsync();
      return plan.items
        .filter(({ verdict }) => verdict !== "none")
        .map(({ path, change, verdict, aspects }) => {
          const names = aspects.map(({ aspect, name }) =>
            name === undefined ? aspect : `${aspect} ${name}`,
          );
          return `${path} ${change} ${verdict} ${names.join()}`;
        });
    },
    snapshotAsync: () => snapshotAsync(folder),
    [Symbol.asyncDispose]: () => rm(top, { recursive: true, force: true }),
  };
  return world;
}

function copyNumbers(from: RojoNode, to: RojoNode): void {
  if (from.studioId !== undefined) to.studioId = from.studioId;
  for (const [index, child] of to.children.entries()) {
    const twin = from.children[index];
    if (twin !== undefined) copyNumbers(twin, child);
  }
}

function numberTwins(one: RojoNode, other: RojoNode, from: number): number {
  one.studioId = from;
  other.studioId = from;
  let next = from + 1;
  for (const [index, child] of one.children.entries()) {
    const twin = other.children[index];
    if (twin !== undefined) next = numberTwins(child, twin, next);
  }
  return next;
}

/** The files and folders below the project's folder, without those that every world has. */
export const names = async (world: World): Promise<string[]> =>
  Object.keys(await world.snapshotAsync()).filter(
    (name) => name !== "default.project.json" && name !== "src/",
  );

export const text = (value: string) => ({ type: "String", value: utf8ByteString(value) }) as const;

/** Why parts of a pull are refused. */
export async function reasonsAsync(world: World): Promise<string[]> {
  return [...(await world.planAsync()).refusals.values()];
}

/** Names of Instances that no file may have. */
export const BAD_NAMES = [
  "../x",
  "a/b",
  "/abs",
  "..",
  "con",
  "CON.luau",
  "a:b",
  "tail.",
  "tail ",
  "",
  "init",
  "foo.server",
  "nul\u0000",
  "x".repeat(300),
];
