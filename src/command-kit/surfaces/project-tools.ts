/** The tools that a project file adds to `sb mcp`, and what is wrong with the file. */
import { defineSchema } from "../../protocol/schema.ts";
import type { OutputOf } from "../../protocol/schema.ts";

export const projectToolsSchema = defineSchema((z) =>
  z.object({
    /** Null where no project file was found. */
    file: z.string().nullable(),
    tools: z.array(
      z.object({
        name: z.string(),
        kind: z.enum(["command", "script"]),
        title: z.string(),
        description: z.string(),
        /** The words with every field in its canonical spelling. */
        template: z.string(),
        readOnly: z.boolean(),
      }),
    ),
    problems: z.array(
      z.object({
        file: z.string(),
        line: z.int(),
        column: z.int(),
        /** Within the file, as in `tools.format.command`. */
        path: z.string(),
        message: z.string(),
      }),
    ),
  }),
);
export type ProjectToolList = OutputOf<typeof projectToolsSchema>;
