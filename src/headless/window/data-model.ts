/** One DataModel of a window, as the window and its play test see it. */
import type { HostEvent } from "../bytes/host-ops.ts";

export type DataModelRole = "edit" | "server" | "client";

export interface DataModel extends Disposable {
  readonly id: number;
  readonly role: DataModelRole;
  /** What plugins of other DataModels know it by. */
  readonly targetId: string;
  /** Tells it something when nothing else runs; in order, and not at all once it is gone. */
  tell(event: HostEvent, number?: number, payload?: string | Uint8Array): void;
}
