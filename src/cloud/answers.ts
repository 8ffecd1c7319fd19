/** The answers of Open Cloud as schemas. They list only the fields that sb reads; other fields are ignored. */
import { defineSchema } from "../protocol/schema.ts";
import type { OutputOf } from "../protocol/schema.ts";
import { parsedJson } from "../util/parsed-json.ts";

export const taskSchema = defineSchema((z) =>
  z.object({
    /** It names the version of the place even if the request named none. */
    path: z.string(),
    /** A task whose state is absent or unknown has not ended. */
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

/** An error of the API itself has `code` and `message`; an error of the gateway before it has a list, `errors`. */
const errorSchema = defineSchema((z) =>
  z.object({
    code: z.union([z.string(), z.number()]).optional(),
    message: z.string().optional(),
    errors: z
      .array(z.object({ code: z.union([z.string(), z.number()]).optional(), message: z.string().optional() }))
      .optional(),
  }),
);

/** The code and the sentence of Roblox's error; each is empty if the body has none. */
export function errorIn(body: string): { readonly code: string; readonly message: string } {
  const { code, message, errors } = errorSchema.read(parsedJson(body))?.value ?? {};
  const inner = errors?.[0];
  // The gateway's codes are numbers, and its 0 means "no code".
  return { code: String(code ?? (inner?.code || "")), message: message ?? inner?.message ?? "" };
}
