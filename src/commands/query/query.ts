/** `sb query PATH`: looks into the DataModel. */
import { defineSchema } from "../../protocol/schema.ts";
import { dataModelInstanceSchema } from "../../protocol/actions.ts";
import type { DataModelInstance } from "../../protocol/actions.ts";
import { invalidInput } from "../../protocol/messages.ts";
import { defineCommand } from "../../command/definition.ts";
import type { SessionCommandContext } from "../../command/context.ts";
import type { OutputOf } from "../../protocol/schema.ts";
import { wirePath } from "../../command/words/instance-path.ts";
import { flagFor } from "../../command/words/spelling.ts";
import agentDescription from "./query.md" with { type: "text" };

const MISSING_EXPRESSION = "Expression is required. Example: sb query Workspace.SpawnLocation";
const DEPTH_LIMIT = 64;

const input = defineSchema((z) =>
  z.strictObject({
    path: z
      .string()
      .min(1, MISSING_EXPRESSION)
      .optional()
      .describe("Path of an Instance or a property, such as Workspace.SpawnLocation.Position"),
    children: z.boolean().default(false).describe("List immediate children instead of the Instance itself"),
    descendants: z.boolean().default(false).describe("Include descendants, as deep as depth says"),
    depth: z
      .int("expected a whole number of levels")
      .min(0, "expected 0 or more levels")
      .max(DEPTH_LIMIT, `expected at most ${DEPTH_LIMIT} levels`)
      .optional()
      .describe("Levels of children to include (default 0; with descendants 1)"),
    properties: z
      .array(z.string().min(1, "a property name is empty"))
      .optional()
      .describe("Property names to read (default Name, ClassName, Parent)"),
    includeAttributes: z.boolean().default(false).describe("Include all attributes"),
    listServices: z.boolean().default(false).describe("List the services instead"),
  }),
);
type Query = OutputOf<typeof input>;

/** One of both: `children` where children or services were asked for. */
const output = defineSchema((z) =>
  z.object({
    instance: dataModelInstanceSchema(z).optional(),
    children: z.array(z.object({ name: z.string(), className: z.string(), path: z.string() })).optional(),
  }),
);

export const command = defineCommand({
  name: "query",
  summary: "Look into the DataModel",
  description:
    'Shows an Instance, its properties, attributes, children or descendants as JSON. Dots inside names are written \\. or ["a.b"]; [2] picks the second of equal names.',
  agentDescription,
  group: "Studio",
  examples: [
    { command: "sb query Workspace.SpawnLocation", note: "" },
    { command: "sb query Workspace --children", note: "" },
    { command: "sb query Workspace.Part.Position", note: "one property" },
    { command: "sb query Workspace.Part --properties Position,Size", note: "" },
    { command: "sb query Workspace --descendants --depth 3", note: "" },
    { command: "sb query --services", note: "" },
  ],
  surfaces: ["cli", "terminal", "mcp"],
  target: "session",
  waitsFor: "queryDataModel",
  defaultContext: "edit",
  annotations: { readOnly: true, destructive: false, idempotent: true },
  input,
  output,
  personalInput: ["descendants"],
  cli: {
    olderNames: ["explorer query"],
    positionals: [
      { key: "path", label: "EXPRESSION" },
      { key: "sessionId", label: "SESSION-ID" },
    ],
    flags: [
      flagFor(input, "children", { kind: "boolean" }),
      flagFor(input, "descendants", { kind: "boolean" }),
      flagFor(input, "depth", { kind: "number", label: "N" }),
      flagFor(input, "properties", { kind: "list", label: "NAMES" }),
      flagFor(input, "includeAttributes", { name: "attributes", kind: "boolean" }),
      flagFor(input, "listServices", { name: "services", kind: "boolean" }),
    ],
    conflicts: [
      { flags: ["children", "descendants"], message: "Cannot use --children and --descendants together." },
      {
        flags: ["services"],
        positional: "path",
        message: "Cannot use an expression with --services.",
        hint: "Choose a session with --session.",
      },
    ],
  },
  format: ({ instance, children }, style) =>
    style.json(instance ?? children?.map(({ name, className }) => ({ name, className })) ?? []),
  async prepareAsync(query) {
    const request = requestOf(query);
    return async (context) => {
      const { instance } = await askAsync(context, query.path, request);
      return query.children || query.listServices ? { children: childrenOf(instance) } : { instance };
    };
  },
});

async function askAsync(
  { callAsync }: Pick<SessionCommandContext, "callAsync">,
  expression: string | undefined,
  request: ReturnType<typeof requestOf>,
) {
  try {
    return await callAsync("queryDataModel", request);
  } catch (error) {
    if (expression === undefined || !("path" in request)) throw error;
    const { queryFailureAsync } = await import("./query-failure.ts");
    throw await queryFailureAsync(error, expression, request.path, async (path) => {
      const { instance } = await callAsync("queryDataModel", { path, depth: 1, properties: [] });
      return childrenOf(instance).map(({ name }) => name);
    });
  }
}

/** Throws INVALID_INPUT where nothing is asked for. Services have no path. */
function requestOf({ path, children, descendants, depth, properties, ...flags }: Query) {
  if (flags.listServices) return { listServices: true };
  if (path === undefined) throw invalidInput(MISSING_EXPRESSION, "Or list the services with --services.");
  return {
    path: wirePath(path),
    depth: children ? 1 : (depth ?? (descendants ? 1 : 0)),
    includeAttributes: flags.includeAttributes,
    ...(properties === undefined ? {} : { properties }),
  };
}

function childrenOf({ children = [] }: DataModelInstance) {
  return children.map(({ name, className, path }) => ({ name, className, path }));
}
