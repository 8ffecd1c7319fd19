/** Reads the results of a task in the cloud, which `Task.luau` writes: the harness's events of each file, and its end. */
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

/** The results of one file. */
export interface FileResults {
  readonly events: readonly HarnessEvent[];
  readonly durationMs: number;
  /** The time of the file ran out. */
  readonly isLate: boolean;
  /** The error of the harness itself, if it failed. */
  readonly fault?: string | undefined;
}

export interface TaskResults {
  /** If no test could run: the step of the preparation that failed, and its error. */
  readonly broken?: { readonly step: string; readonly message: string };
  /** The results by the numbers of the files in the task, from 1. Files that had no time to begin are absent. */
  readonly files: ReadonlyMap<number, FileResults>;
}

/** Undefined if the text is incomplete. */
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
      const eventsOfFile = events.get(line.file) ?? [];
      events.set(line.file, eventsOfFile);
      eventsOfFile.push(line.event);
    } else {
      const { file, ...end } = line;
      files.set(file, { ...end, events: events.get(file) ?? [] });
    }
  }
  return isWhole ? { files, ...(broken === undefined ? {} : { broken }) } : undefined;
}
