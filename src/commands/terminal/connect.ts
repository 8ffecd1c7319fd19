/** `sb connect SESSION-ID`: a REPL on one session, and inside a REPL the way to another. */
import { defineSchema } from "../../protocol/schema.ts";
import { defineCommand } from "../../command-kit/definition.ts";
import { enterTerminalAsync } from "./terminal.ts";

export const command = defineCommand({
  name: "connect",
  summary: "Type Luau into one session",
  description: "Opens a REPL on the given session. Inside a REPL, .connect switches to another session.",
  group: "Studio",
  examples: [{ command: "sb connect a1b2c3d4", note: "the first characters are enough" }],
  surfaces: ["cli", "terminal"],
  target: "session",
  repeats: "execute",
  annotations: { readOnly: false, destructive: true, idempotent: false },
  input: defineSchema((z) => z.strictObject({})),
  output: defineSchema((z) => z.object({})),
  cli: {
    positionals: [{ key: "sessionId", label: "SESSION-ID", required: true }],
  },
  handler: (_input, context) => enterTerminalAsync(context),
});
