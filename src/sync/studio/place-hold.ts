/** Holds a place for one sync: asks the plugin for it, renews the hold while it lasts, and gives it back. */
import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { detailsOf } from "../../session/path-failure.ts";
import type { ActionRequest, ActionResult } from "../../protocol/actions.ts";
import { StudioBridgeError } from "../../protocol/errors.ts";
import { isProcessAlive } from "../../util/process-alive.ts";
import type { StudioLink } from "./studio-link.ts";

export type OpenedPlace = ActionResult<"syncOpen">;

interface Holder {
  readonly id: string;
  readonly name: string;
}

type Left = NonNullable<ActionRequest<"syncOpen">["left"]>;

/** A hold that is not renewed ends, so that the next sync need not wait long for one that was killed. */
const HOLD_MS = 15_000;
const RENEW_MS = 5_000;

export class PlaceHold implements AsyncDisposable {
  readonly place: OpenedPlace;
  readonly #link: StudioLink;
  readonly #holder: Holder;
  readonly #timer: ReturnType<typeof setInterval>;
  #left: Left | undefined;

  private constructor(link: StudioLink, holder: Holder, place: OpenedPlace) {
    this.#link = link;
    this.#holder = holder;
    this.place = place;
    this.#timer = setInterval(() => void this.#renewAsync(), RENEW_MS);
    this.#timer.unref();
  }

  /** `project`: of which the place may name revisions. Throws SYNC_IN_PROGRESS if another sync that still runs holds the place. */
  static async takeAsync(link: StudioLink, project: string | undefined): Promise<PlaceHold> {
    const machine = hostname();
    const holder = {
      id: `${machine}/${process.pid}/${randomUUID()}`,
      name: `sb sync (process ${process.pid} on ${machine})`,
    };
    try {
      return new PlaceHold(link, holder, await openAsync(link, holder, { project }));
    } catch (error) {
      const dead = deadHolder(error, machine);
      if (dead === undefined) throw error;
      return new PlaceHold(link, holder, await openAsync(link, holder, { project, replaces: dead }));
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer);
    await this.#tryAsync(0);
  }

  /** What the place says now of the revisions of a project. Throws what the Studio answers. */
  async revisionAsync(project: string | undefined): Promise<OpenedPlace["revision"]> {
    return (await openAsync(this.#link, this.#holder, { project })).revision;
  }

  /** Tells the person at Studio what a sync leaves to them, with the next renewal or with the end of the hold. */
  leave(left: Left): void {
    this.#left = left;
  }

  #renewAsync(): Promise<void> {
    return this.#tryAsync(HOLD_MS);
  }

  /** If the Studio is gone, there is nothing to hold, and what the sync does next reports it. */
  async #tryAsync(holdMs: number): Promise<void> {
    const request = {
      holder: this.#holder,
      holdMs,
      ...(this.#left === undefined ? {} : { left: this.#left }),
    };
    await this.#link.callAnywayAsync("syncOpen", request).catch((error: unknown) => {
      if (!(error instanceof StudioBridgeError)) throw error;
    });
  }
}

interface OpenWishes {
  /** The project's id on this machine, if it has one. */
  readonly project: string | undefined;
  readonly replaces?: string;
}

const openAsync = (
  { callAsync }: StudioLink,
  holder: Holder,
  { project, ...wishes }: OpenWishes,
): Promise<OpenedPlace> =>
  callAsync("syncOpen", {
    holder,
    holdMs: HOLD_MS,
    ...wishes,
    ...(project === undefined ? {} : { project }),
  });

/** The id of the holder that the error names, if it is a process of this machine that has ended. */
function deadHolder(error: unknown, machine: string): string | undefined {
  if (!(error instanceof StudioBridgeError) || error.code !== "SYNC_IN_PROGRESS") return undefined;
  const { id }: { readonly [key: string]: unknown } = { ...Object(detailsOf(error)["holder"]) };
  if (typeof id !== "string") return undefined;
  const [of, pid = ""] = id.split("/");
  return of === machine && /^\d+$/.test(pid) && !isProcessAlive(Number(pid)) ? id : undefined;
}
