/** The tool `studio_result`: the rest of an answer that was cut, for clients that read no resources. */
import { InvalidArguments } from "../server/features.ts";
import type { ArgumentIssue, Tool } from "../server/features.ts";
import type { JsonObject } from "../wire/json.ts";
import { jsonBytes } from "./fit.ts";
import type { KeptResults } from "./kept-results.ts";
import { DEFAULT_BYTES, failureResult, MAX_BYTES, successResult } from "./results.ts";

export const RESULT_TOOL = "studio_result";

export function resultTool(kept: KeptResults): Tool {
  const count = { type: "integer" };
  return {
    name: RESULT_TOOL,
    title: "Read the rest of an answer",
    description:
      "Read the whole JSON of an answer that was cut (its `more` is the `id`) from character `offset`; go on at `nextOffset`.",
    inputSchema: {
      type: "object",
      properties: { id: { type: "string" }, offset: count, limit: count },
      required: ["id"],
    },
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    callAsync: async (args) => {
      const { id, offset, limit } = inputOf(args);
      const text = kept.text(id);
      if (text === undefined) {
        const hint = "Only the latest answers are kept. Call the tool again, and ask for less.";
        const facts = { error: `There is no result ${id}.`, code: "INVALID_INPUT", hint };
        return failureResult(facts, { kept, maxBytes: DEFAULT_BYTES });
      }
      return successResult(partOf(text, { id, offset, limit }), { kept, maxBytes: MAX_BYTES });
    },
  };
}

interface Input {
  readonly id: string;
  readonly offset: number;
  /** In characters; undefined for as much as an answer takes by default. */
  readonly limit: number | undefined;
}

/** Throws InvalidArguments. */
function inputOf({ id, offset, limit, ...others }: JsonObject): Input {
  const isCount = (value: unknown) => Number.isInteger(value) && Number(value) >= 0;
  const issues: ArgumentIssue[] = [
    ...(typeof id === "string" ? [] : [{ key: "id", message: "is required, such as r7" }]),
    ...Object.entries({ offset, limit })
      .filter(([, value]) => value !== undefined && value !== null && !isCount(value))
      .map(([key]) => ({ key, message: "expected a whole number from 0" })),
    ...Object.keys(others).map((key) => ({ key: "", message: `unknown argument ${JSON.stringify(key)}` })),
  ];
  if (issues.length > 0) throw new InvalidArguments(issues);
  return { id: String(id), offset: Number(offset ?? 0), limit: isCount(limit) ? Number(limit) : undefined };
}

function partOf(text: string, { id, offset, limit }: Input): JsonObject {
  const room = limit === undefined ? DEFAULT_BYTES : MAX_BYTES;
  let length = Math.min(limit ?? DEFAULT_BYTES, text.length - offset, room);
  const part = () => {
    const end = offset + Math.max(length, 0);
    const next = end < text.length ? { nextOffset: end } : {};
    return { id, offset, text: text.slice(offset, end), total: text.length, ...next };
  };
  // Quotes and line breaks take more room as JSON.
  while (length > 1 && jsonBytes(part()) > room) length = Math.floor(length * 0.8);
  return part();
}
