/** What Open Cloud answers, as far as it is read here. Fields that are not listed are left alone. */
import { defineSchema } from "../protocol/schema.ts";
import type { OutputOf } from "../protocol/schema.ts";
import { parsedJson } from "../util/parsed-json.ts";

export const taskSchema = defineSchema((z) =>
  z.object({
    /** With the version of the place, also where none was named. */
    path: z.string(),
    /** Absent or unknown states are those of a task that goes on. */
    state: z.string().optional(),
    error: z.object({ code: z.string().optional(), message: z.string().optional() }).optional(),
    output: z.object({ results: z.array(z.unknown()).optional() }).optional(),
    binaryOutputUri: z.string().optional(),
  }),
);
export type CloudTask = OutputOf<typeof taskSchema>;

export const logsSchema = defineSchema((z) =>
  z.object({
    luauExecutionSessionTaskLogs: z.array(z.object({ messages: z.array(z.string()).optional() })).optional(),
  }),
);

export const binaryInputSchema = defineSchema((z) => z.object({ path: z.string(), uploadUri: z.string() }));

export const placeVersionSchema = defineSchema((z) => z.object({ versionNumber: z.int().positive() }));

/** The forms of errors of the two layers that a request passes. */
const errorSchema = defineSchema((z) =>
  z.object({
    code: z.union([z.string(), z.number()]).optional(),
    message: z.string().optional(),
    errors: z
      .array(z.object({ code: z.union([z.string(), z.number()]).optional(), message: z.string().optional() }))
      .optional(),
  }),
);

/** Roblox's code and sentence; empty where the body has none. */
export function errorIn(body: string): { readonly code: string; readonly message: string } {
  const { code, message, errors } = errorSchema.read(parsedJson(body))?.value ?? {};
  const inner = errors?.[0];
  // The gateway has numbers for codes, and 0 says nothing.
  return { code: String(code ?? (inner?.code || "")), message: message ?? inner?.message ?? "" };
}
