/** One finding of a check, as programs and agents get it. */
import type { Zod } from "../../protocol/schema.ts";

export const findingSchema = (z: Zod) =>
  z.object({
    file: z.string(),
    line: z.int(),
    column: z.int(),
    endLine: z.int(),
    endColumn: z.int(),
    severity: z.enum(["error", "warning"]),
    code: z.string(),
    message: z.string(),
    /** The line of the source. */
    text: z.string().optional(),
  });
