/** What the commands that edit sources answer, and how people read it. */
import type { z } from "zod";
import { untilTestEndsField } from "../../session/session-messages.ts";
import { diffText } from "../../scripts/unified-diff.ts";
import { undoReportSchema } from "../../protocol/fields/undo-steps.ts";
import { defineSchema } from "../../protocol/schema.ts";
import type { Style } from "../../util/style.ts";
import { compileText } from "../../scripts/edit-scripts.ts";

export const editAnswer = defineSchema((z) =>
  z.object({
    ok: z.boolean(),
    items: z.array(
      z.object({
        index: z.int(),
        ok: z.boolean(),
        path: z.string(),
        id: z.string().optional(),
        hash: z.string().optional(),
        diff: z.string().optional(),
        compile: z.object({ line: z.int().optional(), message: z.string() }).optional(),
        code: z.string().optional(),
        message: z.string().optional(),
        nearest: z.array(z.object({ line: z.int(), text: z.string() })).optional(),
      }),
    ),
    undo: undoReportSchema(z),
    ...untilTestEndsField(z),
    /** Places where a pattern matched; present, like the next two, where a pattern was replaced. */
    total: z.int().optional(),
    /** Scripts with a match. */
    scripts: z.int().optional(),
    /** Scripts that were searched. */
    searched: z.int().optional(),
    /** What the edits bring that was not there before; present where types were checked. */
    findings: z
      .array(
        z.object({
          file: z.string(),
          line: z.int(),
          severity: z.enum(["error", "warning"]),
          code: z.string(),
          message: z.string(),
        }),
      )
      .optional(),
    /** Present where the compiler could not be asked. */
    isUnchecked: z.boolean().optional(),
  }),
);
export type EditAnswer = z.output<ReturnType<typeof editAnswer>>;
type Item = EditAnswer["items"][number];
type NewFinding = NonNullable<EditAnswer["findings"]>[number];

/** The differences, what was refused, and why there is no undo step. */
export function editText({ ok, items, undo, isUnchecked, findings = [] }: EditAnswer, style: Style): string {
  const texts = [
    ...items.map((item) => itemText(item, style)),
    ...findings.map((each) => newText(each, style)),
  ];
  const notes = [
    ...(isUnchecked === true
      ? ["This Studio does not let plugins ask the compiler about the new source."]
      : []),
    ...(!ok || undo.recorded || undo.reason === undefined ? [] : [`No undo step: ${undo.reason}.`]),
  ];
  return [...texts.filter((text) => text !== ""), ...notes.map((note) => style.dim(note))].join("\n");
}

function newText({ file, line, severity, code, message }: NewFinding, style: Style): string {
  const colour = severity === "error" ? style.red : style.yellow;
  return `${colour(`new ${severity}:`)} ${style.body(`${file}:${line} ${code}: ${message}`)}`;
}

function itemText({ ok, path, message = "", nearest = [], diff = "", compile }: Item, style: Style): string {
  if (!ok)
    return [
      `${style.red("refused:")} ${style.body(path)}: ${style.body(message)}`,
      ...nearest.map(({ line, text }) => `  ${style.dim(`${line}:`)} ${style.body(text)}`),
    ].join("\n");
  const warning =
    compile === undefined ? [] : [`${style.yellow("warning:")} ${style.body(compileText(compile))}`];
  return [...(diff === "" ? [] : [diffText(diff, style)]), ...warning].join("\n");
}
