/** `sb find SELECTOR`: the Instances that match a selector. Agents search with `studio_query`. */
import { defineSchema } from "../../protocol/schema.ts";
import { defineCommand } from "../../command-kit/definition.ts";
import { attributeAssignment, propertyAssignment } from "../../command-kit/scripts/assignment-text.ts";
import { flagsOf } from "../../command-kit/words/spelling.ts";
import { visibleOnOneLine } from "../../util/visible-controls.ts";
import type { Style } from "../../util/style.ts";
import {
  DEFAULT_LIMIT,
  countText,
  findInstancesAsync,
  foundSchema,
  limitSchema,
} from "../../find/find-instances.ts";
import type { Found } from "../../find/find-instances.ts";

const input = defineSchema((z) =>
  z.strictObject({
    selector: z.string().min(1, "the selector is empty").describe("Selector, such as Part.Enemy"),
    root: z.string().min(1, "a path is empty").optional().describe("Search below this Instance; default all"),
    limit: limitSchema(z).default(DEFAULT_LIMIT).describe("Show at most this many Instances"),
    properties: z
      .array(z.string().min(1, "a property name is empty"))
      .optional()
      .describe("Property names to read"),
    includeAttributes: z.boolean().default(false).describe("Include all attributes"),
  }),
);

export const command = defineCommand({
  name: "find",
  summary: "Find Instances with a selector",
  description:
    "Lists the Instances that match a selector, in the syntax of Instance:QueryDescendants: a class, #Name, .Tag, [Property = value], [$Attribute = value], a > b for children, and lists with commas.",
  group: "Studio",
  examples: [
    { command: "sb find Part Workspace", note: "every Part below Workspace" },
    { command: "sb find '.Enemy[$Health = 10]'", note: "by a tag and an attribute" },
    { command: "sb find '#Door' --properties Anchored", note: "with a property" },
  ],
  surfaces: ["cli", "terminal"],
  target: "session",
  waitsFor: "findInstances",
  defaultContext: "edit",
  namesContext: () => true,
  annotations: { readOnly: true, destructive: false, idempotent: true },
  input,
  output: foundSchema,
  cli: {
    positionals: [
      { key: "selector", label: "SELECTOR", required: true, lookup: "classes" },
      { key: "root", label: "ROOT" },
    ],
    flags: flagsOf(input, {
      limit: { kind: "number", label: "N" },
      properties: { kind: "list", label: "NAMES" },
      includeAttributes: { name: "attributes", kind: "boolean" },
    }),
  },
  format: ({ instances }, style) => instances.map((each) => lineOf(each, style)).join("\n"),
  async handler(search, context) {
    const found = await findInstancesAsync(context, search);
    context.emit({
      stream: "stderr",
      text: ({ dim }) => [dim(countText(found)), ...missingLines(found)].join("\n"),
    });
    return found;
  },
});

function lineOf(
  { path, className, properties = {}, attributes = {} }: Found["instances"][number],
  style: Style,
): string {
  const values = [
    ...Object.entries(properties).map(([name, value]) => propertyAssignment(name, value)),
    ...Object.entries(attributes).map(([name, value]) => `$${attributeAssignment(name, value)}`),
  ];
  const words = [path, ...values].map((word) => style.body(visibleOnOneLine(word)));
  return [words[0], style.dim(className), ...words.slice(1)].join("  ");
}

const missingLines = ({ missing = [] }: Found): string[] =>
  missing.map(({ property }) => `None of them has a property ${property}.`);
