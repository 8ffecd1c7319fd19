/** Who sends a request. */
import { defineSchema } from "../schema.ts";
import type { OutputOf } from "../schema.ts";

/** Who asks. */
export const callerSchema = defineSchema((z) =>
  z.object({
    id: z.string().min(1).max(128).describe("Id of the client, the same for all of its requests."),
    name: z.string().max(128).describe("What the client calls itself, for people. Nothing proves it."),
    version: z.string().max(64).optional().describe("Version of that program."),
    pid: z.int().positive().optional().describe("Id of the process that sends the request."),
  }),
);
export type Caller = OutputOf<typeof callerSchema>;
