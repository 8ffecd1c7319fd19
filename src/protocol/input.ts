/** Checks input against a schema and says what is wrong in words that fit every surface. */
import type { z } from "zod";
import { StudioBridgeError } from "./errors.ts";
import { loadZod } from "./schema.ts";
import type { Schema } from "./schema.ts";

export interface InputIssue {
  /** The field; empty when the fault is not one field's. */
  readonly key: string;
  /** From the field to the fault; absent where the fault is the field's own. */
  readonly path?: readonly (string | number)[];
  readonly message: string;
}

/** Throws INVALID_INPUT with `data.issues`, so that a surface can spell each field its own way. */
export function parseInput<S extends z.ZodType>(schema: Schema<S>, rawInput: unknown): z.output<S> {
  return checkedBy(schema, rawInput, badInput);
}

/** The value as the schema understands it. Throws what `fault` makes of the issues, of which there is at least one. */
export function checkedBy<S extends z.ZodType>(
  schema: Schema<S>,
  value: unknown,
  fault: (issues: readonly InputIssue[]) => Error,
): z.output<S> {
  const read = schema.read(value);
  if (read !== undefined) return read.value;
  const parsed = schema().safeParse(value, { reportInput: true });
  if (parsed.success) return parsed.data;
  throw fault(
    parsed.error.issues.map((issue) => {
      const [key = "", ...path] = issue.path.map((part) => (typeof part === "number" ? part : String(part)));
      const known = issue.code === "unrecognized_keys" ? knownKeysText(schema(), issue.path) : "";
      const message = `${issueText(issue)}${known}`;
      return { key: String(key), ...(path.length === 0 ? {} : { path }), message };
    }),
  );
}

/** A key that a schema does not know: the way to it, and the keys that it knows there. */
export interface UnknownKey {
  readonly path: readonly PropertyKey[];
  readonly known: readonly string[];
}

export function unknownKeysOf(schema: Schema<z.ZodType>, value: unknown): readonly UnknownKey[] {
  if (schema.read(value) !== undefined) return [];
  const { error } = schema().safeParse(value);
  return (error?.issues ?? []).flatMap((issue) =>
    issue.code === "unrecognized_keys"
      ? issue.keys.map((key) => ({
          path: [...issue.path, key],
          known: knownKeys(schema(), issue.path),
        }))
      : [],
  );
}

/** The members of an object within a field. Those of the input itself are told by each surface in its own words. */
function knownKeysText(schema: z.ZodType, path: readonly PropertyKey[]): string {
  const names = path.length === 0 ? [] : knownKeys(schema, path);
  return names.length === 0 ? "" : `; known: ${names.join(", ")}`;
}

function knownKeys(schema: z.ZodType, path: readonly PropertyKey[]): readonly string[] {
  let at: unknown = loadZod().toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  for (const step of path) {
    const { items, properties, additionalProperties } = Object(at);
    at = typeof step === "number" ? items : (Object(properties)[step] ?? additionalProperties);
  }
  return Object.keys(Object(Object(at).properties));
}

/** `edits[3].path`, where `name` is that of the field. */
export function placeOf(name: string, { path = [] }: InputIssue): string {
  const steps = path.map((step) => (typeof step === "number" ? `[${step}]` : `.${step}`));
  return `${name}${steps.join("")}`;
}

/** `nameOf` turns a field's key into what the person typed, e.g. `--timeout`. */
export function badInput(
  issues: readonly InputIssue[],
  nameOf: (key: string) => string = (key) => key,
  hint?: string,
): StudioBridgeError {
  const sentences = issues.map((issue) =>
    issue.key === "" ? issue.message : `${placeOf(nameOf(issue.key), issue)}: ${issue.message}`,
  );
  return new StudioBridgeError("INVALID_INPUT", sentences.join("; "), {
    data: { issues },
    ...(hint === undefined ? {} : { hint }),
  });
}

/** The issues that `parseInput` attached to an error; none for other errors. */
export function issuesOf(error: StudioBridgeError): readonly InputIssue[] {
  const { issues } = error.data;
  return Array.isArray(issues) ? issues : [];
}

function issueText(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case "invalid_value":
      return issue.input === undefined
        ? `is required: ${alternatives(issue.values.map(String))}`
        : `expected ${alternatives(issue.values.map(String))}, got ${JSON.stringify(issue.input)}`;
    case "invalid_type":
      return issue.input === undefined ? "is required" : issue.message.replace(/^Invalid input: /, "");
    case "unrecognized_keys":
      return `unknown argument ${alternatives(issue.keys.map((key) => JSON.stringify(key)))}`;
    default:
      return issue.message;
  }
}

/** `a`, `a or b`, `a, b or c`. */
function alternatives(words: readonly string[]): string {
  const last = words.at(-1) ?? "";
  return words.length < 2 ? last : `${words.slice(0, -1).join(", ")} or ${last}`;
}
