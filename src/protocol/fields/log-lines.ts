/** Lines of Studio's Output and of scripts. */
import { defineSchema } from "../schema.ts";
import type { OutputOf } from "../schema.ts";
import { contextSchema, playerSchema } from "./contexts.ts";

export const logLevels = ["Print", "Info", "Warning", "Error"] as const;
export const logLevelSchema = defineSchema((z) => z.enum(logLevels));
export type LogLevel = OutputOf<typeof logLevelSchema>;
/** The levels of a script's own lines. `Event` is no text for people but JSON that the script sends with `sb.emit`. */
export const outputLevels = [...logLevels, "Event"] as const;

export const logEntrySchema = defineSchema((z) =>
  z.object({
    level: logLevelSchema(z).describe("Kind of the line."),
    body: z.string().describe("Text of the line."),
    timestamp: z.number().describe("Milliseconds since the plugin started."),
    time: z.number().optional().describe("Milliseconds since the Unix epoch."),
    seq: z
      .int()
      .positive()
      .optional()
      .describe("Number of the line in the log of its session, counted from the start of the plugin."),
    context: contextSchema(z)
      .optional()
      .describe(
        "Context that printed the line, if it is not the session's own: edit keeps the lines of play too.",
      ),
    player: playerSchema(z).optional().describe("Client that printed the line, if the test has several."),
    isOutput: z
      .boolean()
      .optional()
      .describe(
        "True for a line that a script of `execute` printed, because its caller has the line as output.",
      ),
  }),
);
export type LogEntry = OutputOf<typeof logEntrySchema>;
