/**
 * What the plugin checks of a request, as rules for plugin/src/Data/Check.luau: one for each field of the request's
 * schema, with the field's default. A schema that asks for more than the rules can say is an error here, so that the
 * plugin never accepts what TypeScript refuses.
 */
import * as z from "zod";
import { actions } from "../../src/protocol/actions.ts";
import { controls, events } from "../../src/protocol/events.ts";
import type { Literal } from "./luau-literal.ts";

type JsonSchema = z.core.JSONSchema.BaseSchema;
type Rule = { readonly [fact: string]: Literal };

/** By message type, then by field. */
export function requestRules(): { readonly [type: string]: { readonly [field: string]: Rule } } {
  const requests = Object.entries(actions).map(
    ([type, { request }]) => [type, fieldRules(request())] as const,
  );
  const followUps = controls.map((type) => [type, fieldRules(events[type].payload())] as const);
  return Object.fromEntries([...requests, ...followUps]);
}

function fieldRules(schema: z.ZodType): { readonly [field: string]: Rule } {
  return rulesOf(z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }));
}

function rulesOf({ properties = {}, required = [] }: JsonSchema): { readonly [field: string]: Rule } {
  return Object.fromEntries(
    Object.entries(properties).map(([name, property]) => {
      if (typeof property !== "object") throw new Error(`${name}: no rule for a field of any type`);
      return [name, { ...ruleOf(name, property), ...absence(property, required.includes(name)) }];
    }),
  );
}

function absence({ default: filling }: JsonSchema, isRequired: boolean): Rule {
  if (filling !== undefined) return { default: filling as Literal };
  return isRequired ? {} : { isOptional: true };
}

const KNOWN = new Set(
  "type enum items minimum exclusiveMinimum maximum minLength maxLength maxItems default description properties required additionalProperties propertyNames".split(
    " ",
  ),
);

function ruleOf(name: string, schema: JsonSchema): Rule {
  const unknown = Object.keys(schema).find((keyword) => !KNOWN.has(keyword));
  if (unknown !== undefined) throw new Error(`${name}: no rule for "${unknown}" of a schema`);
  const { type, enum: choices, items, minLength, maxLength, maxItems } = schema;
  if (type === undefined && choices === undefined) return { kind: "any" };
  if (type === "object") return objectRule(name, schema);
  if (choices !== undefined) return { kind: "choice", choices: choices.map(String) };
  if (type === "integer") return { kind: "integer", minimum: leastInteger(name, schema) };
  if (type === "number") return { kind: "number", ...given({ minimum: schema.minimum }) };
  if (type === "boolean") return { kind: "boolean" };
  if (type === "string") return { kind: "string", ...given({ minLength, maxLength }) };
  if (type === "array" && typeof items === "object" && !Array.isArray(items))
    return { kind: "list", items: ruleOf(name, items), ...given({ maxLength: maxItems }) };
  throw new Error(`${name}: no rule for a field of type ${String(type)}`);
}

/** An object of known fields, or a map whose keys the caller chooses. */
function objectRule(name: string, schema: JsonSchema): Rule {
  const { properties, additionalProperties: values } = schema;
  if (properties !== undefined) return { kind: "object", fields: rulesOf(schema) };
  return { kind: "map", items: typeof values === "object" ? ruleOf(name, values) : { kind: "any" } };
}

function leastInteger(name: string, { minimum, exclusiveMinimum, maximum }: JsonSchema): number {
  if (maximum !== undefined && maximum !== Number.MAX_SAFE_INTEGER)
    throw new Error(`${name}: no rule for a largest number`);
  const least = minimum ?? (typeof exclusiveMinimum === "number" ? exclusiveMinimum + 1 : undefined);
  if (least === undefined) throw new Error(`${name}: no rule for a number without a least one`);
  return least;
}

function given(facts: { readonly [fact: string]: number | undefined }): Rule {
  return Object.fromEntries(
    Object.entries(facts).flatMap(([fact, value]) => (value === undefined ? [] : [[fact, value]])),
  );
}
