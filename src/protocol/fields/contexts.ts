/** The DataModels of one Studio, the modes that it can be in, and its players. */
import { defineSchema } from "../schema.ts";
import type { OutputOf } from "../schema.ts";

export const contexts = ["edit", "server", "client"] as const;
export const contextSchema = defineSchema((z) => z.enum(contexts));
export type SessionContext = OutputOf<typeof contextSchema>;

/** Which client of one Studio a `client` session belongs to; absent with a single client. */
export const playerSchema = defineSchema((z) =>
  z.object({
    name: z.string().describe("Name of the player."),
    index: z.int().positive().describe("Number of the client, counted from 1 in the order of joining."),
  }),
);

export const studioStates = ["Edit", "Play", "Paused", "Run", "Server", "Client"] as const;
export const studioStateSchema = defineSchema((z) => z.enum(studioStates));
export type StudioState = OutputOf<typeof studioStateSchema>;
