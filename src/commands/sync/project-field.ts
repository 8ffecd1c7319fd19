/** The input of the commands of sync that names a project. */
import type { Zod } from "../../protocol/schema.ts";

export const projectField = (z: Zod) =>
  z
    .string()
    .min(1, "expected a project file or its folder")
    .optional()
    .describe("Rojo project, or its folder");
