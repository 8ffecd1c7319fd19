/** The result of a check of `sb doctor`: in order, a warning, or broken. The last two come with the next step. */
import { asStudioBridgeError } from "../output/error-text.ts";
import { StudioBridgeError } from "../protocol/errors.ts";
import { NoHomeFolderError } from "../util/home-folder.ts";
import { defineSchema } from "../protocol/schema.ts";
import type { OutputOf } from "../protocol/schema.ts";

export const checkSchema = defineSchema((z) =>
  z.object({
    /** What was looked at, e.g. `plugin`. */
    name: z.string(),
    status: z.enum(["ok", "warn", "fail"]),
    message: z.string(),
    /** The next step; absent where all is well. */
    next: z.string().optional(),
  }),
);
export type Check = OutputOf<typeof checkSchema>;

export const ok = (name: string, message: string): Check => ({ name, status: "ok", message });
export const warn = (name: string, message: string, next: string): Check => ({
  name,
  status: "warn",
  message,
  next,
});
export const fail = (name: string, message: string, next: string): Check => ({
  name,
  status: "fail",
  message,
  next,
});

/** A failure that is ours is the result of the check. */
export async function guardAsync(name: string, check: () => Promise<Check>): Promise<Check> {
  try {
    return await check();
  } catch (error) {
    return failure(name, error);
  }
}

export function failure(name: string, error: unknown): Check {
  if (!(error instanceof StudioBridgeError || error instanceof NoHomeFolderError)) throw error;
  const { message, hint } = asStudioBridgeError(error);
  return fail(name, message, hint);
}
