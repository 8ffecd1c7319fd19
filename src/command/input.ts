/** Checks input against a schema and says what is wrong in words that fit every surface. */
import type { z } from "zod";
import { StudioBridgeError } from "../protocol/errors.ts";
import type { Schema } from "../protocol/schema.ts";

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
      return { key: String(key), ...(path.length === 0 ? {} : { path }), message: issueText(issue) };
    }),
  );
}

/** `nameOf` turns a field's key into what the person typed, e.g. `--timeout`. */
export function badInput(
  issues: readonly InputIssue[],
  nameOf: (key: string) => string = (key) => key,
  hint?: string,
): StudioBridgeError {
  const sentences = issues.map(({ key, message }) => (key === "" ? message : `${nameOf(key)}: ${message}`));
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
