/** What the commands have in common that change Instances: `sb edit`, `set`, `new`, `rm` and `mv`. */
import type { z } from "zod";
import type { CommandContext } from "../../command-kit/context.ts";
import { patchingCommand } from "../../command-kit/changes/patching-command.ts";
import { defineCommand } from "../../command-kit/definition.ts";
import type { Command } from "../../command-kit/definition.ts";
import type { CommandFacts } from "../../command-kit/facts.ts";
import { flagsOf } from "../../command-kit/words/spelling.ts";
import type { Flag, Positional } from "../../command-kit/words/spelling.ts";
import type { Schema, Zod } from "../../protocol/schema.ts";
import { editFailed, editOutput, editPlaceAsync, editText } from "../../edit/edit-place.ts";
import type { Operation } from "../../edit/operations.ts";

export const dryRunField = (z: Zod) =>
  z.boolean().default(false).describe("Check everything and change nothing");

type Shape = z.ZodRawShape & { readonly dryRun: ReturnType<typeof dryRunField> };

type Facts = Pick<CommandFacts, "name" | "summary" | "description" | "examples"> &
  Partial<Pick<CommandFacts, "surfaces" | "agentDescription" | "toolGroups">>;

interface EditCommand<I extends z.ZodObject<Shape>> extends Facts {
  /** It may take something away or overwrite it. */
  readonly isDestructive: boolean;
  /** A second call changes nothing more. */
  readonly isIdempotent: boolean;
  readonly input: Schema<I>;
  /** For agents of a server that only looks. */
  readonly readOnlyInput?: { readonly [Key in keyof z.input<I>]?: z.input<I>[Key] };
  readonly personalInput?: readonly (keyof z.input<I> & string)[];
  readonly positionals: readonly Positional[];
  readonly flags?: readonly Flag[];
  /** Throws INVALID_INPUT. */
  operationsAsync(input: z.output<I>, context: CommandContext): Promise<readonly Operation[]>;
}

export function defineEdit<I extends z.ZodObject<Shape>>({
  isDestructive,
  isIdempotent,
  positionals,
  flags = [],
  operationsAsync,
  input,
  ...facts
}: EditCommand<I>): Command {
  return defineCommand({
    surfaces: ["cli", "terminal"],
    ...facts,
    group: "Studio",
    ...patchingCommand,
    annotations: { readOnly: false, destructive: isDestructive, idempotent: isIdempotent },
    input,
    output: editOutput,
    cli: {
      positionals,
      flags: [
        ...flags,
        ...flagsOf(input, {
          dryRun: "boolean",
        }),
      ],
    },
    failed: editFailed,
    format: editText,
    async prepareAsync(given, context) {
      const operations = await operationsAsync(given, context);
      return (session) => editPlaceAsync({ operations, dryRun: given.dryRun === true }, session);
    },
  });
}
