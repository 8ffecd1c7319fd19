/** Notes which scripts of a DataModel are used, for callers that want to know what depends on which script. */

export interface ScriptsUsed {
  /** Full names of scripts whose sources were read, to run them or to look at them. */
  readonly names: readonly string[];
  /** Full names of those that were made while the notes were taken, so that no file describes them. */
  readonly made: readonly string[];
}

/** What several DataModels have used. */
export function joinedUse(all: readonly ScriptsUsed[]): ScriptsUsed {
  return {
    names: [...new Set(all.flatMap(({ names }) => names))],
    made: [...new Set(all.flatMap(({ made }) => made))],
  };
}

export class UsedScripts {
  #names = new Set<string>();
  #made = new Set<string>();

  add(fullName: string, isMade: boolean): void {
    (isMade ? this.#made : this.#names).add(fullName);
  }

  /** What was noted since the last call. */
  take(): ScriptsUsed {
    const used = { names: [...this.#names], made: [...this.#made] };
    this.#names = new Set();
    this.#made = new Set();
    return used;
  }
}
