/** What the person at Studio allows, as a session says it. */
import type { Zod } from "../schema.ts";

const permissionLevels = ["everything", "askFrom5", "ask", "look"] as const;

export const permissionFields = (z: Zod) => ({
  permission: z
    .enum(permissionLevels)
    .optional()
    .describe(
      "What the person at Studio allows: `ask` asks the person before anything changes the place or runs in it, `askFrom5` leaves out small changes, and `look` refuses both.",
    ),
  pausedSince: z
    .number()
    .optional()
    .describe("Since when the person at Studio has paused requests, in milliseconds since the Unix epoch."),
});
