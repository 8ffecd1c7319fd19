/** What `--data` and `--throttle` say about the data stores of a headless Studio, wherever they are flags. */
import type { DataChoice } from "../../headless/index.ts";
import { invalidInput } from "../../protocol/messages.ts";
import { defineSchema } from "../../protocol/schema.ts";

export const dataSchema = defineSchema((z) => z.string().min(1, "expected memory or a folder"));

/** How `--data` is typed. */
export const dataSpelling = { kind: "string", label: "memory|FOLDER", values: ["memory"] } as const;

/** What the flags say about themselves. */
export const DATA_TEXT =
  "let scripts use data stores, which last until Studio ends (memory) or are kept in a folder";
export const THROTTLE_TEXT =
  "let scripts send data stores, memory stores and messages no more requests than Roblox does";

/** Throws INVALID_INPUT for limits without anything that they could limit. */
export function dataChoice(place: string | undefined, isThrottled: boolean): DataChoice | undefined {
  if (place !== undefined) return { place, isThrottled };
  if (!isThrottled) return undefined;
  throw invalidInput(
    "Cannot use --throttle without --data.",
    "Add --data memory, or leave out --throttle: without --data, data stores refuse every script.",
  );
}
