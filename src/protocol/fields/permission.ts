/** What the person at Studio allows, as a session says it. */
import { limits } from "../limits.ts";
import { defineSchema } from "../schema.ts";
import type { Zod } from "../schema.ts";

export const permissionLevels = ["everything", "askFrom5", "ask", "look"] as const;

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

export const lateYesFields = (z: Zod) => ({
  lateYesAt: z
    .number()
    .optional()
    .describe(
      "When the person at Studio last allowed a request that had ended already, in milliseconds since the Unix epoch: its next try is allowed.",
    ),
});

/** What a session says of the person at its Studio. */
export interface PermissionFacts {
  readonly permission?: PermissionLevel | undefined;
  readonly pausedSince?: number | undefined;
  readonly lateYesAt?: number | undefined;
}

export const isSamePermission = (one: PermissionFacts, other: PermissionFacts): boolean =>
  one.permission === other.permission &&
  one.pausedSince === other.pausedSince &&
  one.lateYesAt === other.lateYesAt;

export type PermissionLevel = (typeof permissionLevels)[number];

export const permissionChosenSchema = defineSchema((z) =>
  z
    .object({
      permission: z.enum(permissionLevels).describe("What the person at Studio has chosen."),
      isDefault: z
        .boolean()
        .default(false)
        .describe("For every place that has no level of its own, in place of this one."),
    })
    .describe(
      "The person at Studio has chosen a level, of which the host keeps a copy, because Studio may lose settings of plugins.",
    ),
);

export const heldSchema = defineSchema((z) =>
  z
    .object({
      reason: z
        .enum(["permission"])
        .describe("`permission`: the person at Studio is asked whether it may be done."),
      untilMs: z
        .int()
        .nonnegative()
        .max(limits.heldMs)
        .describe("Milliseconds from now until the request ends with UNANSWERED, unless the person answers."),
    })
    .describe(
      "A request waits, and its deadline stands still until `running` or its reply. Sent at once, and every 10 seconds at the latest.",
    ),
);
