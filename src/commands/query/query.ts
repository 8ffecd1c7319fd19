/** `sb query PATH`: looks into the DataModel. */
import { defineSchema } from "../../protocol/schema.ts";
import { dataModelInstanceSchema } from "../../protocol/fields/instances.ts";
import type { ActionRequest } from "../../protocol/actions.ts";
import type { DataModelInstance } from "../../protocol/fields/instances.ts";
import { mapOf } from "../../protocol/envelope.ts";
import { invalidInput } from "../../protocol/messages.ts";
import { serializedValueSchema } from "../../protocol/values.ts";
import { defineCommand } from "../../command-kit/definition.ts";
import type { SessionCommandContext } from "../../command-kit/context.ts";
import { asStudioBridgeError, errorText } from "../../output/error-text.ts";
import type { OutputOf } from "../../protocol/schema.ts";
import { wirePath } from "../../tree/instance-path.ts";
import { flagsOf } from "../../command-kit/words/spelling.ts";
import { arranged } from "../../find/arrange.ts";
import {
  agentsLimitSchema,
  DEFAULT_LIMIT,
  findInstancesAsync,
  foundSchema,
  unknownClassesSchema,
} from "../../find/find-instances.ts";
import { unknownClassText } from "../../find/selector-classes.ts";
import { treeText } from "../../find/tree-text.ts";
import type { MissingProperty } from "../../session/path-failure.ts";
import agentDescription from "./query.md" with { type: "text" };

const MISSING_EXPRESSION = "Expression is required. Example: sb query Workspace.SpawnLocation";
const DEPTH_LIMIT = 64;

const input = defineSchema((z) =>
  z.strictObject({
    path: z
      .string()
      .min(1, MISSING_EXPRESSION)
      .optional()
      .describe("Instance or property, such as Workspace.Door.Size"),
    children: z.boolean().default(false).describe("List its children instead"),
    descendants: z.boolean().default(false).describe("Include descendants, 1 level or as many as depth says"),
    depth: z
      .int("expected a whole number of levels")
      .min(0, "expected 0 or more levels")
      .max(DEPTH_LIMIT, `expected at most ${DEPTH_LIMIT} levels`)
      .optional()
      .describe("Levels of children (default 0)"),
    properties: z
      .array(z.string().min(1, "a property name is empty"))
      .optional()
      .describe("Properties to read (default Name, ClassName, Parent)"),
    allProperties: z.boolean().default(false).describe("Read every property that the class has"),
    includeAttributes: z.boolean().default(false).describe("Include all attributes"),
    listServices: z.boolean().default(false).describe("List the services instead"),
    selector: z
      .string()
      .min(1, "the selector is empty")
      .optional()
      .describe("As in QueryDescendants: Part, #Name, .Tag, [Anchored = true], [$Health = 10]"),
    limit: agentsLimitSchema(z).optional().describe(`How many to show (default ${DEFAULT_LIMIT})`),
  }),
);
type Query = OutputOf<typeof input>;

const output = defineSchema((z) =>
  z.object({
    /** Absent where children or services were asked for. */
    instance: dataModelInstanceSchema(z).optional(),
    /** Present where children or services were asked for. */
    children: z
      .array(
        z.object({
          id: z.string().optional(),
          name: z.string(),
          className: z.string(),
          path: z.string(),
          /** Present where properties were asked for. */
          properties: mapOf(z, serializedValueSchema(z)).optional(),
          /** Present where attributes were asked for. */
          attributes: mapOf(z, serializedValueSchema(z)).optional(),
        }),
      )
      .optional(),
    /** Present where a selector was given. */
    instances: foundSchema(z).shape.instances.optional(),
    /** How many match the selector. */
    total: z.int().optional(),
    /** Classes in the selector that do not exist. */
    unknownClasses: unknownClassesSchema(z).optional(),
    /** Properties that were asked for and that no Instance of the answer has. */
    missing: z.array(z.object({ property: z.string(), suggestion: z.string().optional() })).optional(),
  }),
);

export const command = defineCommand({
  name: "query",
  summary: "Look into the DataModel",
  description:
    'Shows an Instance, its properties, attributes, children or descendants: as a tree on a terminal, as JSON in a pipe and with --json. Dots inside names are written \\. or ["a.b"]; [2] picks the second of equal names.',
  agentDescription,
  group: "Studio",
  examples: [
    { command: "sb query Workspace.SpawnLocation", note: "" },
    { command: "sb query Workspace --children", note: "" },
    { command: "sb query Workspace.Part.Position", note: "one property" },
    { command: "sb query Workspace.Part --properties Position,Size", note: "" },
    { command: "sb query Workspace.Part --all-properties", note: "" },
    { command: "sb query Workspace --descendants --depth 3", note: "" },
    { command: "sb query --services", note: "" },
  ],
  toolGroups: ["core", "look"],
  surfaces: ["cli", "terminal", "mcp"],
  target: "session",
  waitsFor: "queryDataModel",
  defaultContext: "edit",
  namesContext: () => true,
  annotations: { readOnly: true, destructive: false, idempotent: true },
  input,
  output,
  personalInput: ["descendants", "allProperties"],
  cli: {
    olderNames: ["explorer query"],
    positionals: [
      { key: "path", label: "EXPRESSION", lookup: "members" },
      { key: "sessionId", label: "SESSION-ID" },
    ],
    flags: flagsOf(input, {
      children: "boolean",
      descendants: "boolean",
      depth: { kind: "number", label: "N" },
      properties: { kind: "list", label: "NAMES" },
      allProperties: "boolean",
      includeAttributes: { name: "attributes", kind: "boolean" },
      listServices: { name: "services", kind: "boolean" },
    }),
    conflicts: [
      { flags: ["children", "descendants"], message: "Cannot use --children and --descendants together." },
      {
        flags: ["children", "depth"],
        message: "Cannot use --children and --depth together.",
        hint: "--descendants --depth N lists more than one level.",
      },
      {
        flags: ["properties", "all-properties"],
        message: "Cannot use --properties and --all-properties together.",
      },
      ...["children", "descendants", "depth", "properties", "all-properties", "attributes"].map((flag) => ({
        flags: ["services", flag],
        message: `Cannot use --services and --${flag} together.`,
        hint: "--services lists names and classes only; to see more of a service, query it by its name.",
      })),
      {
        flags: ["services"],
        positional: "path",
        message: "Cannot use an expression with --services.",
        hint: "Choose a session with --session.",
      },
    ],
  },
  // A person gets a tree; a pipe gets JSON, as with --json.
  format: ({ instance, children }, style) =>
    style.isScreen
      ? treeText(instance ?? { children: children ?? [] }, style)
      : style.json(instance ?? children?.map(({ path: _, id: __, ...child }) => child) ?? []),
  failed: ({ missing }) => missing !== undefined,
  agentNote: ({ missing, unknownClasses }) =>
    missing === undefined ? unknownClasses?.map(unknownClassText).join(" ") : missingText(missing),
  async prepareAsync(query) {
    const { selector } = query;
    if (selector !== undefined) {
      checkSearch(query);
      return (context) => findInstancesAsync(context, { ...query, selector, root: query.path });
    }
    const request = requestOf(query);
    return async (context) => {
      const { instance, missing } = await askAsync(context, query.path, request);
      const answer = arranged(instance, query);
      return {
        ...(query.children || query.listServices
          ? { children: childrenOf(answer, query) }
          : { instance: answer }),
        ...(missing === undefined ? {} : { missing: [...missing] }),
      };
    };
  },
});

interface Answer {
  readonly instance: DataModelInstance;
  readonly missing?: readonly MissingProperty[];
}

/** Where some of the properties do not exist, the others are asked for again, and what is missing is told beside them. */
async function askAsync(
  context: SessionCommandContext,
  expression: string | undefined,
  request: ActionRequest<"queryDataModel">,
): Promise<Answer> {
  try {
    return await context.callAsync("queryDataModel", request);
  } catch (error) {
    const { path, properties = [] } = request;
    if (expression === undefined || path === undefined) throw error;
    const { missingIn, pathFailureAsync } = await import("../../session/path-failure.ts");
    const failure = await pathFailureAsync(error, context, context);
    const missing = missingIn(failure);
    const rest = properties.filter((name) => !missing.some(({ property }) => property === name));
    if (missing.length === 0 || rest.length === 0) throw failure;
    const { instance } = await context.callAsync("queryDataModel", { ...request, properties: rest });
    context.emit({
      stream: "stderr",
      text: (style) => errorText(asStudioBridgeError(failure), style, false),
    });
    return { instance, missing };
  }
}

function missingText(missing: readonly MissingProperty[]): string {
  const sentences = missing.map(({ property, suggestion }) =>
    suggestion === undefined
      ? `There is no property ${property}.`
      : `There is no property ${property}; did you mean ${suggestion}?`,
  );
  return sentences.join(" ");
}

/** A search gives a flat list. Throws INVALID_INPUT where a tree or the services are asked for as well. */
function checkSearch({ children, descendants, depth, listServices }: Query): void {
  if (!children && !descendants && depth === undefined && !listServices) return;
  throw invalidInput(
    "A selector gives a flat list, without children, descendants, depth or listServices.",
    "Leave those out, or the selector.",
  );
}

/** Throws INVALID_INPUT where nothing is asked for. The list of services has no path. */
function requestOf({
  path,
  children,
  descendants,
  depth,
  properties,
  ...flags
}: Query): ActionRequest<"queryDataModel"> {
  if (flags.listServices) return { listServices: true };
  if (path === undefined)
    throw invalidInput(
      MISSING_EXPRESSION,
      "Or list the services with --services.",
      "Give a path or a selector, or listServices: true.",
    );
  return {
    path: wirePath(path),
    depth: children ? 1 : (depth ?? (descendants ? 1 : 0)),
    includeAttributes: flags.includeAttributes,
    ...(flags.allProperties ? { allProperties: true } : {}),
    ...(properties === undefined ? {} : { properties }),
  };
}

/** Values stand only where they were asked for. */
function childrenOf(
  { children = [] }: DataModelInstance,
  asked: Pick<Partial<Query>, "properties" | "allProperties">,
) {
  return children.map(({ id, name, className, path, properties, attributes }) => ({
    name,
    className,
    path,
    ...(id === undefined ? {} : { id }),
    ...(asked.properties === undefined && asked.allProperties !== true ? {} : { properties }),
    ...(attributes === undefined ? {} : { attributes }),
  }));
}
