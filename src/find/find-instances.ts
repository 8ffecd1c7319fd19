/** Searches with a selector: `sb find` does, and `studio_query` where an agent gives it one. */
import type { SessionLink } from "../session/session-link.ts";
import { tellingNearPaths } from "../session/near-paths.ts";
import { shownPath, wirePath } from "../tree/instance-path.ts";
import type { ActionResult } from "../protocol/actions.ts";
import { mapOf } from "../protocol/envelope.ts";
import { StudioBridgeError } from "../protocol/errors.ts";
import { invalidInput } from "../protocol/messages.ts";
import { defineSchema } from "../protocol/schema.ts";
import type { OutputOf, Zod } from "../protocol/schema.ts";
import { serializedValueSchema } from "../protocol/values.ts";
import { visibleOnOneLine } from "../util/visible-controls.ts";
import { inOrderOf } from "./arrange.ts";
import { unknownClassText } from "./selector-classes.ts";
import type { UnknownClass } from "./selector-classes.ts";

/** An agent's answer has no room for more. */
const AGENTS_LIMIT = 1_000;
export const DEFAULT_LIMIT = 100;

export const limitSchema = (z: Zod) =>
  z.int("expected a number of Instances").min(1, "expected at least 1 Instance");

export const agentsLimitSchema = (z: Zod) =>
  limitSchema(z).max(AGENTS_LIMIT, `expected at most ${AGENTS_LIMIT} Instances`);

export interface InstanceSearch {
  readonly selector: string;
  /** Where to search; the whole place where left out. */
  readonly root?: string | undefined;
  readonly limit?: number | undefined;
  readonly properties?: readonly string[] | undefined;
  readonly includeAttributes: boolean;
}

export const unknownClassesSchema = defineSchema((z) =>
  z.array(z.object({ className: z.string(), suggestion: z.string().optional() })),
);

export const foundSchema = defineSchema((z) =>
  z.object({
    instances: z.array(
      z.object({
        path: z.string(),
        id: z.string(),
        name: z.string(),
        className: z.string(),
        /** Present where properties were asked for. */
        properties: mapOf(z, serializedValueSchema(z)).optional(),
        /** Present where attributes were asked for. */
        attributes: mapOf(z, serializedValueSchema(z)).optional(),
      }),
    ),
    /** How many match, given or not. */
    total: z.int(),
    /** Properties that none of the given Instances has. */
    missing: z.array(z.object({ property: z.string() })).optional(),
    /** Classes in the selector that do not exist; looked for where nothing matches. */
    unknownClasses: unknownClassesSchema(z).optional(),
  }),
);
export type Found = OutputOf<typeof foundSchema>;

/** Throws INVALID_INPUT for what is no selector, INSTANCE_NOT_FOUND where there is no such root. */
export async function findInstancesAsync(
  link: SessionLink,
  { selector, root, limit = DEFAULT_LIMIT, properties = [], includeAttributes }: InstanceSearch,
): Promise<Found> {
  const request = {
    selector,
    limit,
    properties: [...properties],
    includeAttributes,
    ...(root === undefined ? {} : { path: wirePath(root) }),
  };
  const { instances, total, missing } = await link
    .callAsync("findInstances", request)
    .catch((error: unknown) => Promise.reject(selectorFailure(error, selector)))
    .catch(tellingNearPaths(link));
  const unknown = total === 0 ? await unknownClassesAsync(selector) : [];
  return {
    instances: instances.map((each) => shownInstance(each, properties, includeAttributes)),
    total,
    ...(unknown.length === 0 ? {} : { unknownClasses: unknown }),
    ...(missing.length === 0 ? {} : { missing: missing.map((property) => ({ property })) }),
  };
}

async function unknownClassesAsync(selector: string): Promise<UnknownClass[]> {
  const [{ loadClassApiAsync }, { unknownClasses }] = await Promise.all([
    import("../headless/index.ts"),
    import("./selector-classes.ts"),
  ]);
  return unknownClasses(selector, await loadClassApiAsync());
}

type Instance = ActionResult<"findInstances">["instances"][number];

function shownInstance(
  { path, id, name, className, properties, attributes }: Instance,
  asked: readonly string[],
  includeAttributes: boolean,
): Found["instances"][number] {
  return {
    path: shownPath(path),
    id,
    name,
    className,
    ...(asked.length === 0 ? {} : { properties: inOrderOf(properties, asked) }),
    ...(includeAttributes ? { attributes: inOrderOf(attributes, Object.keys(attributes).sort()) } : {}),
  };
}

function selectorFailure(error: unknown, selector: string): unknown {
  if (!(error instanceof StudioBridgeError) || error.code !== "INVALID_PAYLOAD") return error;
  const reason = /payload\.selector: (.+)/s.exec(error.message)?.[1];
  if (reason === undefined) return error;
  return invalidInput(
    `Not a selector: ${visibleOnOneLine(selector)}: ${visibleOnOneLine(reason)}`,
    "Selectors name a class, #Name, .Tag, [Property = value] or [$Attribute = value], such as Part.Enemy[$Health = 10].",
  );
}

/** For people, where not all that match are given. */
export function countText({
  instances,
  total,
  unknownClasses = [],
}: Pick<Found, "instances" | "total" | "unknownClasses">): string {
  if (total === 0) return ["No Instance matches.", ...unknownClasses.map(unknownClassText)].join("\n");
  const count = total === 1 ? "1 Instance matches." : `${total} Instances match.`;
  return instances.length < total
    ? `${count} The first ${instances.length} are shown; --limit N shows more.`
    : count;
}
