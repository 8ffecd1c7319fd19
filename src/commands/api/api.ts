/** `sb api NAME`: looks up a class, a member or an enum of the Roblox API in the class data of this binary. */
import { defineSchema } from "../../protocol/schema.ts";
import { defineCommand } from "../../command-kit/definition.ts";
import { apiEntryAsync } from "../../api/api-entry.ts";
import { apiOutput } from "../../api/api-output.ts";
import { apiText } from "../../api/api-text.ts";
import agentDescription from "./api.md" with { type: "text" };

const input = defineSchema((z) =>
  z.strictObject({
    name: z
      .string()
      .min(1, "expected a name")
      .describe("Class, member, enum or item: Part, Part.Anchored, Enum.Material"),
  }),
);

export const command = defineCommand({
  name: "api",
  summary: "Look up names of the Roblox API",
  description:
    "Shows a part of the Roblox API: the members of a class with their types, one member with its default and the code that may use it, or the items of an enum. It also shows what headless Studio simulates. Needs no Studio.",
  agentDescription,
  group: "Studio",
  examples: [
    { command: "sb api Part", note: "a class" },
    { command: "sb api Part.Anchored", note: "a member, also an inherited one" },
    { command: "sb api Enum.Material", note: "" },
  ],
  toolGroups: ["look", "script"],
  surfaces: ["cli", "terminal", "mcp"],
  target: "none",
  annotations: { readOnly: true, destructive: false, idempotent: true },
  input,
  output: apiOutput,
  cli: { positionals: [{ key: "name", label: "NAME", required: true, lookup: "api" }] },
  format: apiText,
  async handler({ name }) {
    const { loadClassApiAsync, readCoverageAsync } = await import("../../headless/index.ts");
    return apiEntryAsync(name, await loadClassApiAsync(), async (className) => {
      const [covered] = (await readCoverageAsync(className)) ?? [];
      return covered?.members ?? [];
    });
  },
});
