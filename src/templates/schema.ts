/** The parameters of a template: one JSON Schema property for every field name, in order of first appearance. */
import type { Field } from "./grammar.ts";
import { templateError } from "./template-error.ts";

export interface ParameterSchema {
  readonly type: "string" | "array" | "boolean";
  readonly items?: { readonly type: "string" };
  readonly description?: string;
}

export interface InputSchema {
  readonly type: "object";
  readonly properties: { readonly [property: string]: ParameterSchema };
  readonly required: readonly string[];
}

/** Throws TEMPLATE_ERROR where one name is two kinds of field. */
export function inputSchemaOf(fields: readonly Field[]): InputSchema {
  const byProperty = Map.groupBy(fields, ({ property }) => property);
  const entries = [...byProperty].map(([property, uses]): [string, ParameterSchema] => {
    const [first] = uses;
    if (first === undefined || uses.some(({ kind }) => kind !== first.kind))
      throw templateError(
        `conflicting definitions for field: ${first?.name ?? property}`,
        "A name is one kind of field: a value, a list or a flag.",
      );
    return [property, parameterSchema(first, uses)];
  });
  const required = new Set(fields.filter((field) => field.required).map(({ property }) => property));
  // Unlike an assignment, this makes `__proto__` an ordinary property.
  return { type: "object", properties: Object.fromEntries(entries), required: [...required] };
}

function parameterSchema({ kind, flag }: Field, uses: readonly Field[]): ParameterSchema {
  const description = uses.map((use) => use.description).find((text) => text !== "");
  switch (kind) {
    case "string":
      return { type: "string", ...(description === undefined ? {} : { description }) };
    case "array":
      return {
        type: "array",
        items: { type: "string" },
        description: description ?? "Additional command line arguments",
      };
    case "boolean":
      return { type: "boolean", description: description ?? `Enable ${flag ?? ""} flag` };
  }
}
