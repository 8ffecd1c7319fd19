/** Stored runs are read back, and the shards of a run become one run. */
import { describe, expect, test } from "bun:test";
import { mergeBlobs, readBlob } from "../../../src/testing/blob.ts";
import type { TestEvent } from "../../../src/testing/events.ts";
import { runOf } from "./report/sample-run.ts";

const textOf = (events: readonly TestEvent[]) => events.map((event) => `${JSON.stringify(event)}\n`).join("");
const blobOf = (file: string, shard?: string) => {
  const events = runOf({ [file]: [{ names: ["x"] }] }).map((event) =>
    event.type === "run" && shard !== undefined ? { ...event, shard } : event,
  );
  return readBlob(`${file}.jsonl`, textOf(events));
};

describe("merged runs", () => {
  test("have the events of all runs between one start and one end", () => {
    const { events, faults } = mergeBlobs([blobOf("a", "1/2"), blobOf("b", "2/2")]);
    expect(faults).toEqual([]);
    expect(events.map(({ type }): string => type)).toEqual([
      "run",
      ...["file-start", "case-start", "case-end", "file-end"],
      ...["file-start", "case-start", "case-end", "file-end"],
      "run-end",
    ]);
    expect(events[0]).toMatchObject({ files: ["a", "b"] });
    expect(events[0]).not.toHaveProperty("shard");
  });

  test("are incomplete if a shard is missing or if a run ended early", () => {
    expect(mergeBlobs([blobOf("a", "1/3"), blobOf("b", "3/3")]).faults).toEqual([
      "Shard 2/3 is not among these files.",
    ]);
    const broken = readBlob("a.jsonl", textOf(runOf({ a: [] }).slice(0, -1)));
    expect(mergeBlobs([broken]).faults).toEqual(["a.jsonl has no end: its run was broken off."]);
    const cut = readBlob("a.jsonl", textOf(runOf({ a: [] })).slice(0, -9));
    expect(mergeBlobs([cut]).faults).toEqual(["a.jsonl has no end: its run was broken off."]);
    const ended = readBlob(
      "b.jsonl",
      textOf([...runOf({ b: [] }).slice(0, -1), { type: "run-end", durationMs: 1, ended: "bail" }]),
    );
    expect(mergeBlobs([ended])).toMatchObject({ faults: ["b.jsonl ended early (bail)."] });
  });

  test("are incomplete if the shards together have fewer files than the run had, or if they do not agree on that", () => {
    const shardOf = (file: string, shard: string, filesInAllShards: number) => {
      const { run, ...blob } = blobOf(file, shard);
      return { ...blob, run: { ...run, filesInAllShards } };
    };
    const NEED = "all shards need the same files and the same --history.";
    const merged = mergeBlobs([shardOf("a", "1/2", 3), shardOf("b", "2/2", 3)]);
    expect(merged.faults).toEqual([`These shards have 2 of 3 test files: ${NEED}`]);
    expect(merged.events[0]).not.toHaveProperty("filesInAllShards");
    expect(mergeBlobs([shardOf("a", "1/2", 2), shardOf("b", "2/2", 3)]).faults).toEqual([
      `a.jsonl is a part of 2 test files, and b.jsonl of 3: ${NEED}`,
    ]);
    expect(mergeBlobs([blobOf("a"), shardOf("b", "1/1", 2)]).faults).toEqual([
      `a.jsonl is not a shard, and b.jsonl is one: ${NEED}`,
    ]);
  });

  test("are refused if a file is in two of them", () => {
    expect(() => mergeBlobs([blobOf("a"), blobOf("a")])).toThrow("a was run both in");
  });
});

test("a file without a run is refused, and the error names the line that is no event", () => {
  expect(() => readBlob("a.jsonl", `${textOf(runOf({}))}{"type":"odd"}\n`)).toThrow(
    "a.jsonl:3 is not an event",
  );
  expect(() => readBlob("a.jsonl", "\n")).toThrow("a.jsonl has no run");
});
