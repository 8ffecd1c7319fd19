/** What a task in the cloud has written down, as `Task.luau` writes it: what the harness told of each file, and how it ended. */
import { defineSchema } from "../../protocol/schema.ts";
import { parsedJson } from "../../util/parsed-json.ts";
import { type HarnessEvent, harnessEventSchema } from "../harness-events.ts";

const lineSchema = defineSchema((z) =>
  z.union([
    z.object({ broken: z.string(), message: z.string() }),
    z.object({ file: z.int().positive(), event: harnessEventSchema(z) }),
    z.object({
      file: z.int().positive(),
      durationMs: z.number().nonnegative(),
      isLate: z.boolean(),
      fault: z.string().optional(),
    }),
    z.object({ isWhole: z.literal(true) }),
  ]),
);

/** What came of one file. */
export interface FileResults {
  readonly events: readonly HarnessEvent[];
  readonly durationMs: number;
  /** The time of the file ran out. */
  readonly isLate: boolean;
  /** Why the harness itself failed. */
  readonly fault?: string | undefined;
}

export interface TaskResults {
  /** Why no test could run: the step that failed, and its error. */
  readonly broken?: { readonly step: string; readonly message: string };
  /** By their numbers in the task, from 1. Files for which the time did not suffice are not in it. */
  readonly files: ReadonlyMap<number, FileResults>;
}

/** Undefined for a text that is not whole. */
export function taskResultsIn(text: string): TaskResults | undefined {
  const files = new Map<number, FileResults>();
  const events = new Map<number, HarnessEvent[]>();
  let broken: TaskResults["broken"];
  let isWhole = false;
  for (const row of text.split("\n")) {
    const line = lineSchema.read(parsedJson(row))?.value;
    if (line === undefined) return undefined;
    if ("broken" in line) broken = { step: line.broken, message: line.message };
    else if ("isWhole" in line) isWhole = true;
    else if ("event" in line) {
      const ofFile = events.get(line.file) ?? [];
      events.set(line.file, ofFile);
      ofFile.push(line.event);
    } else {
      const { file, ...end } = line;
      files.set(file, { ...end, events: events.get(file) ?? [] });
    }
  }
  return isWhole ? { files, ...(broken === undefined ? {} : { broken }) } : undefined;
}
