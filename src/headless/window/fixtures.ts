/** What a headless Studio answers in place of Roblox, and what has come of it: purchases, badges, receipts. */
import type { HostOpHandlers } from "../vm/engine-vm.ts";
import { decodeUtf8 } from "../vm/memory.ts";

/** What the file of `--fixtures` says, checked. It crosses the boundary of processes as JSON. */
export interface Fixtures {
  /** The sections of the file as JSON, with the values of secrets. */
  readonly facts: string;
  /** Binary model files as Base64, by ids of assets. */
  readonly assets: Readonly<Record<string, string>>;
  /** PNG files as Base64, by ids of assets. */
  readonly images?: Readonly<Record<string, string>>;
}

/** What all DataModels of a Studio share, as JSON texts by the engine's own keys. */
export class FixtureState {
  #texts = new Map<string, string>();

  get(key: string): string {
    return this.#texts.get(key) ?? "";
  }

  set(key: string, text: string): void {
    this.#texts.set(key, text);
  }

  /** A copy for `returnTo`. */
  keep(): ReadonlyMap<string, string> {
    return new Map(this.#texts);
  }

  returnTo(kept: ReadonlyMap<string, string>): void {
    this.#texts = new Map(kept);
  }
}

type FixtureOp = "fixtures" | "fixtureAsset" | "fixtureState" | "setFixtureState";

export function fixtureHandlers(
  fixtures: Fixtures | undefined,
  state: FixtureState,
): Pick<HostOpHandlers, FixtureOp> {
  return {
    fixtures: () => ({ text: fixtures?.facts ?? "" }),
    fixtureAsset: ({ first }) => {
      const { assets = {} } = fixtures ?? {};
      const id = decodeUtf8(first);
      const model = Object.hasOwn(assets, id) ? assets[id] : undefined;
      return model === undefined ? { number: 0 } : { number: 1, text: Buffer.from(model, "base64") };
    },
    fixtureState: ({ first }) => ({ text: state.get(decodeUtf8(first)) }),
    setFixtureState: ({ first, second }) => void state.set(decodeUtf8(first), decodeUtf8(second)),
  };
}
