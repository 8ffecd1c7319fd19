/** Reads what the host must know of a frame that it passes on. */
import { jsonSpan } from "../util/json-span.ts";

/** A string member of a JSON object, read without parsing the rest. */
export function textMember(json: string, ...path: readonly string[]): string | undefined {
  const span = jsonSpan(json, path);
  if (span === undefined) return undefined;
  const value: unknown = JSON.parse(json.slice(span.start, span.end));
  return typeof value === "string" ? value : undefined;
}
