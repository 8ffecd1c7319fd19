/** One undo step that several requests make together, because a change may be too large for one. */
import { randomUUID } from "node:crypto";
import { sliceOf } from "../read-tree.ts";
import type { ActionName, ActionRequest, ActionResult } from "../../protocol/actions.ts";
import type { PatchOperation } from "../../protocol/fields/patches.ts";
import { limits } from "../../protocol/limits.ts";
import type { SessionInfo } from "../../protocol/network.ts";
import { isTagged } from "../../protocol/values.ts";

export type Patched = ActionResult<"applyPatch">;

/** What a step needs of a session. */
export interface StepLink {
  readonly session: SessionInfo;
  readonly caller: NonNullable<ActionRequest<"applyPatch">["caller"]>;
  callAsync<Name extends ActionName>(name: Name, request: ActionRequest<Name>): Promise<ActionResult<Name>>;
}

export class LongStep {
  readonly #link: StepLink;
  readonly #facts: Pick<ActionRequest<"applyPatch">, "name" | "sync" | "exact">;
  readonly #id = randomUUID();
  /** How many of the operations that the person at Studio was told of have not been sent yet. */
  #told = 0;
  /** The ids of Instances by the names that operations of earlier parts gave them. */
  readonly #ids = new Map<string, string>();

  constructor(link: StepLink, facts: Pick<ActionRequest<"applyPatch">, "name" | "sync" | "exact">) {
    this.#link = link;
    this.#facts = facts;
  }

  /**
   * A name that an earlier part gave stands for the same Instance in this one. `coming`: what all later parts will do; as much
   * of it as one request may tell is told where the person at Studio is asked about the step.
   */
  async sendAsync(
    part: readonly PatchOperation[],
    isLast: boolean,
    coming: () => readonly PatchOperation[] = () => [],
  ): Promise<Patched> {
    const operations = part.map((operation) => withKnownIds(operation, this.#ids));
    const result = await this.#link.callAsync("applyPatch", {
      operations,
      ...this.#facts,
      caller: this.#link.caller,
      step: { id: this.#id, isLast },
      ...this.#tell(part.length, coming),
      ...sliceOf(this.#link),
    });
    for (const { index, id } of result.items) {
      const given = operations[index]?.as;
      if (given !== undefined && id !== undefined) this.#ids.set(given, id);
    }
    return result;
  }

  #tell(sending: number, coming: () => readonly PatchOperation[]): { readonly coming?: PatchOperation[] } {
    const { permission } = this.#link.session;
    this.#told = Math.max(0, this.#told - sending);
    if (this.#told > 0 || (permission !== "ask" && permission !== "askFrom5")) return {};
    const later = coming().slice(0, limits.stepOperations);
    this.#told = later.length;
    return later.length === 0 ? {} : { coming: later.map(withoutValues) };
  }
}

/** What the person at Studio is told of an operation before it comes. */
const withoutValues = ({ op, path, className, parent, name }: PatchOperation): PatchOperation => ({
  op,
  ...(path === undefined ? {} : { path }),
  ...(className === undefined ? {} : { className }),
  ...(parent === undefined ? {} : { parent }),
  ...(name === undefined ? {} : { name }),
});

/** A name means nothing outside of its request, so the Instance's id stands for it. */
function withKnownIds(operation: PatchOperation, ids: ReadonlyMap<string, string>): PatchOperation {
  if (ids.size === 0) return operation;
  const known = (text: string) => text.replace(/^\$(\w+)/, (whole, given) => ids.get(given) ?? whole);
  const { path, parent, properties = {} } = operation;
  const referring = Object.entries(properties).flatMap(([name, value]) =>
    isTagged(value) && value.type === "Instance" && typeof value.id === "string"
      ? [[name, { ...value, id: known(value.id) }] as const]
      : [],
  );
  return {
    ...operation,
    ...(path === undefined ? {} : { path: known(path) }),
    ...(parent === undefined ? {} : { parent: known(parent) }),
    ...(referring.length === 0 ? {} : { properties: { ...properties, ...Object.fromEntries(referring) } }),
  };
}
