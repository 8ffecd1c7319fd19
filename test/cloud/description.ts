/** Checks requests and answers against Roblox's own description of Open Cloud; `open-cloud.json` is a part of it. */
import { Ajv, type ValidateFunction } from "ajv";
import description from "./open-cloud.json" with { type: "json" };

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema?: { readonly enum?: readonly string[] };
}

interface Operation {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content?: { readonly [type: string]: { readonly schema: object } } };
  readonly responses: { readonly [status: string]: { readonly content?: object } };
  readonly "x-roblox-rate-limits"?: { readonly perApiKeyOwner: { readonly maxInPeriod: number } };
}

export interface DescribedCall {
  readonly operation: Operation;
  /** The values of the braces in the path. */
  readonly names: Readonly<Record<string, string>>;
  /** The number of calls that are allowed in a minute. */
  readonly perMinute: number;
}

/** Forbids other fields in all objects of the description, so that a misspelled field is found. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== "object" || value === null) return value;
  const inner = Object.fromEntries(Object.entries(value).map(([key, each]) => [key, closed(each)]));
  return "properties" in inner ? { ...inner, additionalProperties: false } : inner;
}

const ajv = new Ajv({ strict: false, validateFormats: false });
ajv.addSchema({ $id: "cloud", components: closed(description.components) });

const validators = new Map<string, ValidateFunction>();

function faultsOf(schema: object, value: unknown): string[] {
  const text = JSON.stringify(schema).replaceAll('"#/', '"cloud#/');
  const validate = validators.get(text) ?? ajv.compile(JSON.parse(text));
  validators.set(text, validate);
  if (validate(value)) return [];
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

/** Undefined for a call that Open Cloud does not have. */
export function callOf(method: string, path: string): DescribedCall | undefined {
  for (const [template, calls] of Object.entries(description.paths)) {
    const pattern = template.replace(/\{(\w+)\}/g, "(?<$1>[^/]+)");
    const names = new RegExp(`^${pattern}$`).exec(path)?.groups;
    const operation: Operation | undefined = Object(calls)[method.toLowerCase()];
    if (names === undefined || operation === undefined) continue;
    const limits = operation["x-roblox-rate-limits"];
    return { operation, names: { ...names }, perMinute: limits?.perApiKeyOwner.maxInPeriod ?? Infinity };
  }
  return undefined;
}

/** The faults of a request, each in a sentence. */
export function requestFaults(
  { operation, names }: DescribedCall,
  query: URLSearchParams,
  contentType: string,
  body: string,
): string[] {
  const parameters = operation.parameters ?? [];
  const faults = [...query].flatMap(([name, value]) => {
    const known = parameters.find((each) => each.in === "query" && each.name === name);
    if (known === undefined) return [`unknown parameter ${name}`];
    const choices = known.schema?.enum;
    return choices === undefined || choices.includes(value) ? [] : [`${name}=${value} is none of ${choices}`];
  });
  const badNumber = Object.entries(names).find(
    ([name, value]) => /^(universe|place|version)/.test(name) && !/^\d+$/.test(value),
  );
  if (badNumber !== undefined) faults.push(`${badNumber.join(" ")} is no number`);
  const content = operation.requestBody?.content;
  if (content === undefined) return faults;
  const schema = content[contentType]?.schema;
  if (schema === undefined) return [...faults, `the body is ${contentType}, not ${Object.keys(content)}`];
  try {
    return [...faults, ...faultsOf(schema, JSON.parse(body))];
  } catch {
    return [...faults, "the body is no JSON"];
  }
}

/** The faults of a successful answer. */
export function answerFaults({ operation }: DescribedCall, body: unknown): string[] {
  const content: { readonly [type: string]: { readonly schema: object } } = Object(
    operation.responses["200"]?.content,
  );
  const schema = content["application/json"]?.schema;
  return schema === undefined ? [] : faultsOf(schema, body);
}
