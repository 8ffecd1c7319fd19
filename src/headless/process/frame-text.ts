/** Reads the facts that the host needs from a frame that it passes on. */
import { jsonSpan } from "../../util/json-span.ts";

/** A string member of a JSON object, read without parsing the rest. */
export function textMember(json: string, ...path: readonly string[]): string | undefined {
  const value = member(json, path);
  return typeof value === "string" ? value : undefined;
}

/** As textMember, of a number. */
export function numberMember(json: string, ...path: readonly string[]): number | undefined {
  const value = member(json, path);
  return typeof value === "number" ? value : undefined;
}

/** Frames may be long, and most are of other types: those are not searched for their type. */
export function isOfType(frame: string, type: string): boolean {
  return frame.includes(`"${type}"`) && textMember(frame, "type") === type;
}

function member(json: string, path: readonly string[]): unknown {
  const span = jsonSpan(json, path);
  return span === undefined ? undefined : JSON.parse(json.slice(span.start, span.end));
}
