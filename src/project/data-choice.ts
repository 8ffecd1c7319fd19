/** The flags `--data` and `--throttle`, which choose the data stores of a headless Studio, for all commands that have them. */
import type { DataChoice } from "../headless/index.ts";
import { invalidInput } from "../protocol/messages.ts";
import { defineSchema } from "../protocol/schema.ts";

/** A word such as `Memory` is refused, because it would make a folder of that name. */
export const dataSchema = defineSchema((z) =>
  z
    .string()
    .min(1, "expected memory or a folder")
    .refine(
      (word) => word === "memory" || word.toLowerCase() !== "memory",
      "expected memory in lower case, or a folder (./Memory, if it has that name)",
    ),
);

/** The spelling of `--data`. */
export const dataSpelling = { kind: "string", label: "memory|FOLDER", values: ["memory"] } as const;

/** The help texts of the flags. */
export const DATA_TEXT =
  "let scripts use data stores, which last until Studio ends (memory) or are kept in a folder";
export const THROTTLE_TEXT =
  "limit the requests to data stores, memory stores and messages as Roblox limits them";

/** Throws INVALID_INPUT for --throttle without data stores. */
export function dataChoice(place: string | undefined, isThrottled: boolean): DataChoice | undefined {
  if (place !== undefined) return { place, isThrottled };
  if (!isThrottled) return undefined;
  throw invalidInput(
    "Cannot use --throttle without --data.",
    "Add --data memory, or leave out --throttle: without --data, data stores refuse every script.",
  );
}
