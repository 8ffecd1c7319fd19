/** Reads runs that `--reporter blob=FILE` has stored, one event per line of JSON, and merges the shards of one run. */
import { invalidInput } from "../protocol/messages.ts";
import { parsedJson } from "../util/parsed-json.ts";
import { type FileCoverage, mergeCoverage } from "./coverage/file-coverage.ts";
import { type TestEvent, testEventSchema } from "./events.ts";
import { shardIn } from "./shard.ts";

type RunStart = Extract<TestEvent, { readonly type: "run" }>;
type RunEnd = Extract<TestEvent, { readonly type: "run-end" }>;

export interface Blob {
  /** The name of the file, for messages. */
  readonly name: string;
  readonly run: RunStart;
  readonly events: readonly TestEvent[];
  /** Absent if the run did not count lines. */
  readonly coverage?: readonly FileCoverage[];
  /** Absent if the run was broken off. */
  readonly end?: RunEnd;
}

/**
 * Throws INVALID_INPUT for a line that is no event. The last line may be incomplete, because the process may have been
 * stopped while it wrote; it is ignored, and the run has no end.
 */
export function readBlob(name: string, text: string): Blob {
  const lines = text.split("\n");
  const events = lines.flatMap((line, index) => {
    if (line.trim() === "") return [];
    const event = eventOf(line);
    if (event !== undefined) return [event];
    if (index > 0 && index === lines.length - 1) return [];
    throw invalidInput(
      `${name}:${index + 1} is not an event of a test run.`,
      "Give files that `sb test --reporter blob=FILE` has written.",
    );
  });
  const run = events.find((event) => event.type === "run");
  if (run === undefined)
    throw invalidInput(`${name} has no run.`, "Give files that `sb test --reporter blob=FILE` has written.");
  const end = events.find((event) => event.type === "run-end");
  const coverage = events.find((event) => event.type === "coverage");
  const inner = events.filter(({ type }) => type !== "run" && type !== "coverage" && type !== "run-end");
  return {
    name,
    run,
    events: inner,
    ...(coverage === undefined ? {} : { coverage: coverage.files }),
    ...(end === undefined ? {} : { end }),
  };
}

const eventOf = (line: string): TestEvent | undefined => testEventSchema.read(parsedJson(line))?.value;

export interface Merged {
  readonly events: readonly [RunStart, ...TestEvent[]];
  /** Reasons why this is not the result of a whole run. */
  readonly faults: readonly string[];
}

/** Throws INVALID_INPUT if two blobs have run the same test file, because its cases would count twice. */
export function mergeBlobs(blobs: readonly [Blob, ...Blob[]]): Merged {
  const [first] = blobs;
  const ownerOf = new Map<string, Blob>();
  for (const blob of blobs)
    for (const event of blob.events) {
      if (event.type !== "file-start") continue;
      const key = `${event.file}\0${event.suite ?? ""}`;
      const owner = ownerOf.get(key) ?? blob;
      ownerOf.set(key, owner);
      if (owner !== blob)
        throw invalidInput(
          `${event.file} was run both in ${owner.name} and in ${blob.name}.`,
          "Give each shard of one run once. All shards need the same files and the same --history.",
        );
    }
  const ended = blobs.map(({ end }) => end?.ended).find((reason) => reason !== undefined);
  const end: RunEnd = {
    type: "run-end",
    durationMs: Math.max(...blobs.map((blob) => blob.end?.durationMs ?? 0)),
    ...(ended === undefined ? {} : { ended }),
  };
  const { shard: _, filesInAllShards: __, ...run } = first.run;
  const startedAt = Math.min(...blobs.map((blob) => blob.run.startedAt));
  const files = blobs.flatMap((blob) => blob.run.files);
  const covered = blobs.flatMap(({ coverage }) => (coverage === undefined ? [] : [coverage]));
  const coverage: TestEvent[] =
    covered.length === 0 ? [] : [{ type: "coverage", files: mergeCoverage(covered) }];
  return {
    events: [{ ...run, startedAt, files }, ...blobs.flatMap(({ events }) => events), ...coverage, end],
    faults: faultsOf(blobs),
  };
}

/** Reasons why these blobs are not the shards of one whole run. */
function faultsOf(blobs: readonly Blob[]): string[] {
  const shards = blobs.flatMap(({ run }) => shardIn(run.shard ?? "") ?? []);
  const count = Math.max(0, ...shards.map((shard) => shard.count));
  const missing = Array.from({ length: count }, (_, index) => index + 1).filter(
    (number) => !shards.some((shard) => shard.number === number),
  );
  const isCovered = blobs.some(({ coverage }) => coverage !== undefined);
  const uncovered = blobs.filter(({ coverage }) => isCovered && coverage === undefined);
  return [
    ...(missing.length === 0 ? gapsIn(blobs) : []),
    ...uncovered.map(({ name }) => `${name} has no coverage, which others have.`),
    ...missing.map((number) => `Shard ${number}/${count} is not among these files.`),
    ...blobs.flatMap(({ name, end }) => {
      if (end === undefined) return [`${name} has no end: its run was broken off.`];
      return end.ended === undefined ? [] : [`${name} ended early (${end.ended}).`];
    }),
  ];
}

/** If the shards were divided by different files or histories, each shard may have left a file to another one. */
function gapsIn(blobs: readonly Blob[]): string[] {
  const need = "all shards need the same files and the same --history.";
  const totals = blobs.flatMap(({ name, run: { filesInAllShards: total } }) =>
    total === undefined ? [] : [{ name, total }],
  );
  const [first] = totals;
  if (first === undefined) return [];
  const other = totals.find(({ total }) => total !== first.total);
  if (other !== undefined)
    return [
      `${first.name} is a part of ${first.total} test files, and ${other.name} of ${other.total}: ${need}`,
    ];
  const unsharded = blobs.find(({ run }) => run.filesInAllShards === undefined);
  if (unsharded !== undefined) return [`${unsharded.name} is not a shard, and ${first.name} is one: ${need}`];
  const ran = new Set(blobs.flatMap(({ run }) => run.files)).size;
  return ran === first.total ? [] : [`These shards have ${ran} of ${first.total} test files: ${need}`];
}
