/** A command that exists only as a tool, under the name that other Studio servers gave it. */
import type * as z from "zod";
import { defineCommand } from "../../command-kit/definition.ts";
import type { Command } from "../../command-kit/definition.ts";
import type { ContextByTarget } from "../../command-kit/context.ts";
import type { Target } from "../../command-kit/facts.ts";
import type { Schema } from "../../protocol/schema.ts";

interface CompatTool<T extends Target, I extends z.ZodObject, O extends z.ZodType> {
  readonly name: string;
  readonly summary: string;
  /** Markdown for the agent. */
  readonly description: string;
  readonly readOnly: boolean;
  readonly target: T;
  readonly input: Schema<I>;
  readonly output: Schema<O>;
  /** The answer says that what was asked for was not done. */
  failed?(output: z.output<O>): boolean;
  handler(input: z.output<I>, context: ContextByTarget[T]): Promise<z.input<O>>;
}

/** Works in the edit context, from where play tests are started and seen. */
export function defineCompat<T extends Target, I extends z.ZodObject, O extends z.ZodType>({
  readOnly,
  ...tool
}: CompatTool<T, I, O>): Command {
  return defineCommand({
    ...tool,
    group: "Studio",
    examples: [],
    surfaces: ["mcp"],
    defaultContext: "edit",
    annotations: { readOnly, destructive: !readOnly, idempotent: readOnly },
    cli: {},
  });
}
