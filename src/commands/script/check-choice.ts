/** How an edit of scripts is checked before it is made: not at all, by the compiler, or also by a type checker. */
import type { SessionCommandContext } from "../../command-kit/context.ts";
import type { Flag } from "../../command-kit/words/spelling.ts";
import type { Zod } from "../../protocol/schema.ts";
import type { EditOptions } from "../../scripts/edit-scripts.ts";

export const checkSchema = (z: Zod) =>
  z
    .union([z.boolean(), z.literal("types")], "expected true, false or types")
    .default(false)
    .describe("Refuse sources that do not compile; types: also new type errors");

/** `--check`, and `--check types`. */
export const checkFlag = {
  kind: "string",
  label: "[types]",
  values: ["types"],
  bareValue: "sources",
  isValue: (word) => word === "types",
  sets: (value) => ({ check: value === "sources" ? true : value }),
} as const satisfies Partial<Flag>;

export function checkOptions(
  check: boolean | "types",
  context: SessionCommandContext,
): Pick<EditOptions, "check" | "checkTypesAsync"> {
  if (check !== "types") return { check };
  return {
    check: true,
    checkTypesAsync: async (changed) => {
      const { newTypeFindingsAsync } = await import("../../check/check-edit.ts");
      return newTypeFindingsAsync(context, context, changed);
    },
  };
}
