/** A Studio to which a test pushes items of a plan. */
import type { SessionCounterpart } from "../../../../src/sync/studio/session-counterpart.ts";
import { openSessionAsync } from "../../../../src/sync/studio/session-counterpart.ts";
import type { FileValue } from "../../../../src/roblox/model.ts";
import { newNode, type RojoNode } from "../../../../src/roblox/rojo/node.ts";
import type { AspectChange, AspectValue, Plan, PlanItem } from "../../../../src/sync/types.ts";
import { BridgePeer } from "../../plugin/bridge-peer.ts";
import { filesOf, linkOf, luauAsync, type Call } from "./studio-peer.ts";

export const { signal } = new AbortController();
export const STEP = { project: "0f1e2d3c4b5a69788796a5b4", plan: "20260314-092653-a1b2c3" };
export const REVISION = "0123456789abcdef";

export const text = (value: string): AspectValue => ({ type: "text", value });
export const valued = (value: FileValue): AspectValue => ({ type: "value", value });
export const instance = (value: RojoNode | null): AspectValue => ({ type: "instance", value });
export const aspect = (
  kind: AspectChange["aspect"],
  file: AspectValue | undefined,
  studio?: AspectValue,
  name?: string,
): AspectChange => ({ aspect: kind, file, studio, base: undefined, ...(name === undefined ? {} : { name }) });

/** A Studio with a folder `Shared` below ReplicatedStorage, and the plan that pairs it with the files. */
export class Case implements AsyncDisposable {
  readonly calls: Call[] = [];
  readonly folder = newNode("Shared", "Folder");
  readonly pairs = new Map<RojoNode, RojoNode>();
  #before: (call: Call) => Promise<void> = async () => {};

  readonly peer: BridgePeer;
  private studio: SessionCounterpart | undefined;

  private constructor(peer: BridgePeer) {
    this.peer = peer;
  }

  static async openAsync(place: string): Promise<Case> {
    const peer = await BridgePeer.connectAsync();
    await luauAsync(
      peer,
      `local shared = Instance.new("Folder", game.ReplicatedStorage) shared.Name = "Shared" ${place}`,
    );
    const made = new Case(peer);
    const link = linkOf(peer, made.calls, (call) => made.#before(call));
    made.studio = await openSessionAsync("/nowhere/default.project.json", link);
    await made.readAsync();
    return made;
  }

  async readAsync(): Promise<void> {
    const files = filesOf([["ReplicatedStorage", "ReplicatedStorage", [["Shared", "Folder"]]]]);
    const root = await this.studio?.readAsync(files, "listed", signal);
    const shared = root?.children[0]?.children[0];
    if (shared === undefined) throw new Error("no Shared");
    this.pairs.set(this.folder, shared);
  }

  /** The node of Studio at a path below `Shared`. */
  at(...names: readonly string[]): RojoNode {
    let node = this.pairs.get(this.folder);
    for (const name of names) node = node?.children.find((child) => child.name === name);
    if (node === undefined) throw new Error(`no ${names.join(".")}`);
    return node;
  }

  /** The node of the files that is the one of Studio at this path. */
  paired(className: string, ...names: readonly string[]): RojoNode {
    const node = newNode(names.at(-1) ?? "", className);
    this.pairs.set(node, this.at(...names));
    return node;
  }

  async applyAsync(items: readonly PlanItem[], stop: AbortSignal = signal) {
    const plan: Plan = { items: [...items], pairs: this.pairs };
    const results =
      (await this.studio?.applyAsync(items, plan, stop, { step: STEP, revision: REVISION })) ?? [];
    return results.map(({ item, applied, reason }) => [item.path, applied, reason]);
  }

  /** Runs Luau right before the patch. */
  beforePatch(script: string): void {
    this.#before = async ({ name }) => {
      if (name !== "applyPatch") return;
      this.#before = async () => {};
      await luauAsync(this.peer, script);
    };
  }

  get patches(): number {
    return this.calls.filter(({ name }) => name === "applyPatch").length;
  }

  luauAsync(expression: string): Promise<unknown> {
    return luauAsync(
      this.peer,
      `local shared = game.ReplicatedStorage:FindFirstChild("Shared") return ${expression}`,
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.studio?.[Symbol.asyncDispose]();
    this.peer[Symbol.dispose]();
  }
}

export const item = (
  path: string,
  change: PlanItem["change"],
  aspects: readonly AspectChange[],
  sides: Pick<PlanItem, "file" | "studio">,
): PlanItem => ({
  id: "@1",
  path,
  className: sides.file?.className ?? sides.studio?.className ?? "",
  change,
  verdict: "push",
  aspects,
  ...sides,
});

export function added(
  path: string,
  parent: RojoNode,
  className: string,
  aspects: readonly AspectChange[] = [],
) {
  const file = newNode(path, className);
  parent.children.push(file);
  return item(path, "add", aspects, { file });
}
