/** The columns of the action table, and what several of its rows say. */
import type { z } from "zod";
import type { Classification } from "../classes.ts";
import type { Schema } from "../schema.ts";

interface ActionRow {
  readonly reply: string;
  /** What it does to a place. */
  readonly class: Classification;
  /** Subject of "… timed out after 5 seconds." */
  readonly subject: string;
  /** Object of "does not support …". */
  readonly capability: string;
  readonly timeoutMs: number;
  /** The next step after a timeout, where the usual one does not fit. */
  readonly lateHint?: string;
  /** False for a request that must not run twice: its plugin remembers it, and can be asked what became of it. */
  readonly retrySafe: boolean;
  /** True for a request that lasts until something happens, so that its plugin is told when its caller is gone. */
  readonly endsWithCaller?: boolean;
  /** True for a question that is asked beside another request, so that the journal leaves it out. */
  readonly isAside?: boolean;
  readonly request: Schema<z.ZodType>;
  readonly result: Schema<z.ZodType>;
}

export interface ActionRows {
  readonly [type: string]: ActionRow;
}

/** For questions that Studio answers at once when it can. */
export const STUDIO_BUSY =
  "A script or a dialog may keep Studio busy. Try again, or wait longer with --timeout (milliseconds).";

export const SAVED = "Reads what is saved, in place of what the script editor shows.";

/** Of a frame of 16 ms, so that a person who works in Studio notices nothing. */
export const SLICE_MS = 6;
