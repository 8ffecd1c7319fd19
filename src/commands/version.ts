/** `sb version`: which build this is. */
import { defineSchema } from "../protocol/schema.ts";
import { PROTOCOL_VERSION } from "../protocol/limits.ts";
import { buildId, commit, target, version } from "../version.ts";
import { defineCommand } from "../command-kit/definition.ts";

const output = defineSchema((z) =>
  z.object({
    version: z.string(),
    /** Of the plugin that this sb carries. */
    buildId: z.string(),
    protocolVersion: z.int(),
    /** The system that it was built for. */
    target: z.string(),
    commit: z.string(),
  }),
);

export const command = defineCommand({
  name: "version",
  summary: "Show the version",
  description:
    "Shows the version of sb, of its plugin and of the protocol between them; with --json also the system that it was built for and the commit.",
  group: "Help",
  examples: [{ command: "sb version --json", note: "" }],
  surfaces: ["cli", "terminal"],
  target: "none",
  annotations: { readOnly: true, destructive: false, idempotent: true },
  input: defineSchema((z) => z.strictObject({})),
  output,
  cli: {},
  format: (facts) =>
    `studio-bridge ${facts.version} (plugin ${facts.buildId}, protocol ${facts.protocolVersion})`,
  handler: async () => ({ version, buildId, protocolVersion: PROTOCOL_VERSION, target, commit }),
});
