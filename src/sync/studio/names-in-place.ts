/** The names of revisions in one place: what the place and its plugin say, and the writing of a new one. */
import { StudioBridgeError } from "../../protocol/errors.ts";
import { words } from "../../protocol/words.ts";
import type { PlaceNames } from "../revisions/lineage.ts";
import { projectIdAsync } from "../revisions/project-id.ts";
import { nameInPlace, textInPlace } from "../revisions/revision.ts";
import type { SyncState } from "../state-paths.ts";
import type { OpenedPlace } from "./place-hold.ts";
import type { StudioLink } from "./studio-link.ts";

export class NamesInPlace implements PlaceNames {
  named: string | undefined;
  last: string | undefined;
  lasting: string | undefined;
  readonly #link: StudioLink;
  readonly #state: SyncState;

  constructor(link: StudioLink, state: SyncState, revision?: OpenedPlace["revision"]) {
    this.#link = link;
    this.#state = state;
    this.learn(revision);
  }

  /** A person may have taken a name away by Ctrl+Z. */
  learn(revision: OpenedPlace["revision"]): void {
    this.named = nameInPlace(revision?.named);
    this.last = nameInPlace(revision?.last);
    this.lasting = nameInPlace(revision?.lasting);
  }

  /** The attribute of ServerStorage that names a revision. */
  async attributeAsync(name: string): Promise<Record<string, string>> {
    const project = await projectIdAsync(this.#state);
    return { [`${words.revisionPrefix}${project}`]: textInPlace(name, Date.now()) };
  }

  /** The place has the name now. */
  take(name: string): void {
    this.named = name;
  }

  /**
   * Writes a name apart from any undo step. False where the place takes none, and where Studio is gone: the next sync finds
   * out by content what this one has done.
   */
  async writeAsync(name: string): Promise<boolean> {
    const project = await projectIdAsync(this.#state);
    try {
      const request = { project, name: textInPlace(name, Date.now()) };
      const { isWritten } = await this.#link.callAnywayAsync("nameRevision", request);
      if (isWritten) this.take(name);
      return isWritten;
    } catch (error) {
      if (!(error instanceof StudioBridgeError)) throw error;
      return false;
    }
  }
}
