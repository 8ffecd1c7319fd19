/** Reads overrides: words such as `@17=push`, a JSON file of them, or the list that an agent sends. */
import { defineSchema } from "../protocol/schema.ts";
import { invalidInput } from "../protocol/messages.ts";
import { type SerializedValue, serializedValueSchema } from "../protocol/values.ts";
import { checkedBy } from "../protocol/input.ts";
import { readInputFileAsync } from "../files/script-source.ts";
import type { Override } from "./types.ts";
import { TextFault } from "../util/text-fault.ts";
import { visibleOnOneLine } from "../util/visible-controls.ts";

const SHA_1 = /^[0-9a-f]{40}$/;
const EXAMPLE = 'An override is { "id": "@17", "direction": "pull" }; `path` may replace `id`.';

const overrideSchema = defineSchema((z) => {
  const hash = z.string().regex(SHA_1, "expected a SHA-1 of 40 characters, as sb sync gives it");
  return z.strictObject({
    id: z.string().min(1, "the id is empty").optional(),
    path: z.string().min(1, "the path is empty").optional(),
    direction: z.enum(["push", "pull", "skip", "merge"]),
    studioHash: hash.optional(),
    fileHash: hash.optional(),
    expectedProperties: z.record(z.string(), serializedValueSchema(z)).optional(),
  });
});

/** `ID=push`. A path may have an `=` of its own, so the last one counts. Throws INVALID_INPUT. */
export function overrideOfWord(word: string): Override {
  const at = word.lastIndexOf("=");
  const direction = word.slice(at + 1);
  const isKnown =
    direction === "push" || direction === "pull" || direction === "skip" || direction === "merge";
  if (at < 1 || !isKnown)
    throw invalidInput(
      `--override: expected ID=push, ID=pull, ID=skip or ID=merge, got ${JSON.stringify(word)}`,
      "ID is an id such as @17, the path of an Instance, or the path of a file.",
    );
  return { to: word.slice(0, at), direction };
}

/** Throws INVALID_INPUT, which names the first override that does not fit by its place in `name`. */
export function overridesOfList(list: readonly unknown[], name: string): Override[] {
  return list.map((entry, index) => {
    const where = `${name}: override ${index + 1}`;
    const { id, path, ...rest } = checkedBy(overrideSchema, entry, (issues) => {
      const faults = issues.map(({ key, message }) => (key === "" ? message : `${key}: ${message}`));
      return invalidInput(`${where}: ${faults.join("; ")}`, EXAMPLE);
    });
    const to = id ?? path;
    if (to === undefined || (id !== undefined && path !== undefined))
      throw invalidInput(`${where}: expected either id or path`, EXAMPLE);
    return withoutUndefined({ to, ...rest });
  });
}

/** A JSON file, comments allowed. Throws FILE_ERROR for one that cannot be read, else INVALID_INPUT. */
export async function readOverridesAsync(file: string): Promise<Override[]> {
  const text = await readInputFileAsync(file);
  const name = visibleOnOneLine(file);
  const { parseJsonc, valueOf } = await import("../util/jsonc.ts");
  try {
    const root = parseJsonc(text);
    const value: unknown = root === undefined ? undefined : valueOf(root);
    if (Array.isArray(value)) return overridesOfList(value, name);
  } catch (error) {
    if (!(error instanceof TextFault)) throw error;
    throw invalidInput(`${name} is not JSON: ${error.message}`, EXAMPLE);
  }
  throw invalidInput(`${name} is not a list of overrides.`, EXAMPLE);
}

function withoutUndefined({
  to,
  direction,
  studioHash,
  fileHash,
  expectedProperties,
}: {
  readonly to: string;
  readonly direction: Override["direction"];
  readonly studioHash?: string | undefined;
  readonly fileHash?: string | undefined;
  readonly expectedProperties?: Readonly<Record<string, SerializedValue>> | undefined;
}): Override {
  return {
    to,
    direction,
    ...(studioHash === undefined ? {} : { studioHash }),
    ...(fileHash === undefined ? {} : { fileHash }),
    ...(expectedProperties === undefined ? {} : { expectedProperties }),
  };
}
