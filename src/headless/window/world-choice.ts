/** What the caller chooses about the world of a headless Studio. */
import type { HostOpHandlers } from "../vm/engine-vm.ts";
import type { Fixtures } from "./fixtures.ts";

export interface WorldChoice {
  /** A query that would take the box of a part for its shape is an error. */
  readonly isStrict: boolean;
  /** Characters walk, jump and fall. */
  readonly walks: boolean;
  /** What is answered in place of Roblox. */
  readonly fixtures?: Fixtures | undefined;
}

export function worldHandlers({
  isStrict,
  walks,
}: WorldChoice): Pick<HostOpHandlers, "isGeometryStrict" | "walks"> {
  return {
    isGeometryStrict: () => ({ number: isStrict ? 1 : 0 }),
    walks: () => ({ number: walks ? 1 : 0 }),
  };
}

export const USUAL_WORLD: WorldChoice = { isStrict: false, walks: false };
