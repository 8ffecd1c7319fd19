/** Whole places: their trees, the values of their Instances, and what people have changed. */
import { looks } from "../classes.ts";
import { limits } from "../limits.ts";
import { defineSchema } from "../schema.ts";
import { serializedValueSchema } from "../values.ts";
import { SAVED, SLICE_MS, STUDIO_BUSY } from "./row.ts";
import type { ActionRows } from "./row.ts";

/** How many Instances one request may name. */
export const MAX_ITEMS = 5_000;

export const treeActions = {
  readTree: {
    reply: "treeResult",
    class: looks(),
    subject: "Reading of the tree",
    capability: "reading trees",
    timeoutMs: 30_000,
    lateHint: STUDIO_BUSY,
    retrySafe: true,
    request: defineSchema((z) =>
      z
        .object({
          roots: z
            .array(z.string().min(1))
            .default(["game"])
            .describe(
              "Paths or ids of the Instances that are read with all that is below them. `game` stands for the services that make up a place.",
            ),
          cursor: z
            .string()
            .optional()
            .describe("Asks for the next page of a reading, as its last page said; `roots` is ignored then."),
          budget: z
            .int()
            .positive()
            .default(limits.sourcesPerReplyBytes)
            .describe(`About how many bytes a page may have; at most ${limits.treePageBytes}.`),
          sliceMs: z
            .number()
            .nonnegative()
            .default(SLICE_MS)
            .describe("Milliseconds of work in one frame of Studio; at most 100."),
          hashes: z
            .boolean()
            .default(true)
            .describe("False leaves out the hashes, sources and references, and reads no properties."),
          watch: z
            .boolean()
            .default(false)
            .describe(
              "Watches the place from now on, so that hashes need not be made again and `since` works. Only the edited place can be watched.",
            ),
          since: z
            .string()
            .optional()
            .describe(
              "With `watch`: the `mark` of an earlier reading with the same roots. Only what has changed since is read, if that is still known.",
            ),
        })
        .describe("Asks for a page of the tree below some Instances."),
    ),
    result: defineSchema((z) =>
      z
        .object({
          generation: z
            .string()
            .describe("Names the life of the plugin, in which a number means one Instance."),
          rootPaths: z
            .array(z.string())
            .describe("Path from `game` of each root in this page, in the order of their rows."),
          isPartial: z
            .boolean()
            .describe("True if the reading has only what changed since the mark that was given."),
          total: z.int().nonnegative().describe("About how many rows the whole reading has."),
          cursor: z.string().optional().describe("Asks for the next page; absent in the last one."),
          mark: z
            .string()
            .optional()
            .describe(
              "With `watch`, in the last page: names the moment when the reading began, for `since`.",
            ),
          ids: z
            .string()
            .describe(
              "The numbers of the Instances in the order of the tree, a parent before its children, with commas between them: `17` of the id `@17`. What moved since the mark is behind its siblings.",
            ),
          parents: z
            .string()
            .describe("For each row, the number of the parent; 0 for a root. Commas between them."),
          names: z
            .string()
            .describe(
              "For each row, the name, with line feeds between them. A line feed in a name is written `\\n`, a backslash `\\\\`.",
            ),
          classes: z
            .string()
            .describe("For each row, the position of its class in `classNames`, with commas between them."),
          classNames: z.array(z.string()).describe("The classes that occur in this page."),
          hashes: z
            .string()
            .describe(
              "For each row, the hash of its properties, attributes and tags, with commas between them; empty for an Instance that is like a new one. Only the properties that differ from those of a new Instance count. Name, class, source and references do not.",
            ),
          scripts: z.array(z.int()).describe("Positions of the rows that are scripts, counted from 0."),
          sourceHashes: z
            .array(z.string())
            .describe(
              "For each of the scripts, the SHA-1 of its source as a git blob; of what the script editor shows, where that differs from what is saved.",
            ),
          drafts: z
            .array(z.int())
            .describe("Positions of the rows whose source in the script editor differs from the saved one."),
          referrers: z
            .array(z.int())
            .describe(
              "Positions of the rows with a property that refers to an Instance, once for each property.",
            ),
          referenceNames: z
            .array(z.string())
            .describe("For each of the referrers, the name of the property."),
          referenceTargets: z
            .array(z.int())
            .describe("For each of the referrers, the number of the Instance that is referred to."),
          removed: z
            .array(z.int())
            .describe(
              "Numbers of Instances that have left the roots since the mark or since the reading began.",
            ),
        })
        .describe("A page of a tree, in columns."),
    ),
  },
  readItems: {
    reply: "itemsResult",
    class: looks(),
    subject: "Reading of Instances",
    capability: "reading trees",
    timeoutMs: 30_000,
    lateHint: STUDIO_BUSY,
    retrySafe: true,
    request: defineSchema((z) =>
      z
        .object({
          ids: z
            .array(z.int().positive())
            .max(MAX_ITEMS)
            .describe("Numbers of the Instances, as `readTree` gives them."),
          aspects: z
            .array(z.enum(["properties", "custom", "defaults", "attributes", "tags", "source"]))
            .describe("What is read of each."),
          saved: z.boolean().default(false).describe(SAVED),
          sliceMs: z
            .number()
            .nonnegative()
            .default(SLICE_MS)
            .describe("Milliseconds of work in one frame of Studio; at most 100."),
        })
        .describe("Asks for the values of some Instances."),
    ),
    result: defineSchema((z) =>
      z
        .object({
          ids: z
            .string()
            .describe(
              "The numbers of the Instances in the order of the request, without those that are gone, with commas between them. Each is a row.",
            ),
          classes: z
            .string()
            .describe("For each row, the position of its class in `classNames`, with commas between them."),
          classNames: z.array(z.string()).describe("The classes that occur."),
          columns: z
            .array(
              z.object({
                of: z
                  .enum([
                    "properties",
                    "defaults",
                    "attributes",
                    "tags",
                    "source",
                    "base64",
                    "isDraft",
                    "hasUnsavedDraft",
                  ])
                  .describe(
                    "What the values are. `properties`: those that differ from the properties of a new Instance; of a class that scripts cannot make, all that are not nil; they make up the hash of `readTree`, and references do not. `defaults`: properties of a new Instance of the class; a class that scripts cannot make has none. `tags`: all tags of an Instance as a list. `base64`: a source that is not valid UTF-8, as Base64. `isDraft`: whether the source is what the script editor shows. `hasUnsavedDraft`: whether that differs from what is saved.",
                  ),
                name: z.string().describe("The property or attribute; empty for anything else."),
                rows: z
                  .string()
                  .describe(
                    "The rows that have a value here, counted from 0, with commas between them: `3`, or `5-9` for the rows from 5 to 9. The last column that names a row counts.",
                  ),
                type: z
                  .string()
                  .optional()
                  .describe("Of values that are made of numbers: their datatype, or `number`."),
                numbers: z
                  .string()
                  .optional()
                  .describe(
                    "With `type`: the numbers of the first row, then those of the next one, with commas between them; also `inf`, `-inf` and `nan`.",
                  ),
                values: z
                  .array(serializedValueSchema(z))
                  .optional()
                  .describe("Without `type`: the values that occur."),
                picks: z
                  .string()
                  .optional()
                  .describe(
                    "For each of the rows, the position of its value in `values`, with commas between them; absent if all have the first one.",
                  ),
              }),
            )
            .describe("What the Instances hold, as far as it was asked for."),
        })
        .describe("The values of the Instances."),
    ),
  },
  othersChanges: {
    reply: "othersChangesResult",
    class: looks(),
    subject: "Question about the changes of others",
    capability: "checkpoints",
    timeoutMs: 10_000,
    lateHint: STUDIO_BUSY,
    retrySafe: true,
    request: defineSchema((z) =>
      z
        .object({
          since: z
            .string()
            .optional()
            .describe("A `mark` of an earlier reply: asks for the changes since that moment."),
        })
        .describe(
          "Asks what has changed in the edited place while no call of sb ran. The first request begins to record it.",
        ),
    ),
    result: defineSchema((z) =>
      z
        .object({
          mark: z.string().describe("Names this moment."),
          isKnown: z
            .boolean()
            .describe("False if it was not recorded all the time since, so that anything may have changed."),
          changes: z
            .array(
              z.object({
                generation: z.string().describe("The life of the plugin in which `id` is valid."),
                id: z.int().positive().describe("Number of the Instance."),
                name: z.string().describe("Name of the Instance, when it changed."),
                className: z.string().describe("Class of the Instance."),
                path: z
                  .string()
                  .optional()
                  .describe("Path from `game`; absent if the Instance has left the place."),
              }),
            )
            .describe("The Instances that have changed, each once."),
        })
        .describe("What people and other plugins have changed."),
    ),
  },
} as const satisfies ActionRows;
