// What a run does next, how it ends, and what it says about each item.
import { describe, expect, test } from "bun:test";
import { resolve } from "../../../../src/sync/plan/resolve.ts";
import { appliedStatus, isAccepted, nextStep, summaryOf } from "../../../../src/sync/plan/summary.ts";
import type { SyncMode } from "../../../../src/sync/types.ts";
import { gitBlobHash } from "../../../../src/util/git-blob-hash.ts";
import { module, node, number, place, plan } from "./trees.ts";

const source = (file: string, studio: string, base?: string) =>
  plan({
    files: place(module("M", file)),
    studio: place(module("M", studio, { studioId: 7 })),
    base: base === undefined ? undefined : place(module("M", base)),
  });
const equal = () => source("a", "a");
const resolved = () => source("b", "a", "a");
const open = () => source("b", "a");

describe("the next step", () => {
  const step = (made: ReturnType<typeof plan>, mode: SyncMode, facts = {}) =>
    nextStep(made, { mode, canAsk: false, isPartial: false, ...facts });

  test("of sides that are equal is none", () => {
    for (const mode of ["standard", "manual", "fastfail"] as const) expect(step(equal(), mode)).toBe("empty");
    expect(step(equal(), "dryrun")).toBe("dryrun");
  });
  test("of a plan without questions is to apply it, unless a person must confirm it first", () => {
    expect(step(resolved(), "standard")).toBe("apply");
    expect(step(resolved(), "fastfail", { canAsk: true })).toBe("apply");
    expect(step(resolved(), "manual", { canAsk: true })).toBe("confirm");
    expect(step(resolved(), "manual")).toBe("rejected");
    expect(step(resolved(), "dryrun")).toBe("dryrun");
  });
  test("of a plan with questions is to ask, or to fail at once", () => {
    expect(step(open(), "standard", { canAsk: true })).toBe("choose");
    expect(step(open(), "standard")).toBe("fastfail_unresolved");
    expect(step(open(), "fastfail", { canAsk: true })).toBe("fastfail_unresolved");
  });
  test("may apply what has no question", () => {
    const both = plan({
      files: place(module("M", "b"), module("N", "")),
      studio: place(module("M", "a")),
    });
    expect(step(both, "fastfail", { isPartial: true })).toBe("apply");
    expect(step(open(), "fastfail", { isPartial: true })).toBe("fastfail_unresolved");
  });
});

describe("the end", () => {
  test("is a success only when every item was applied", () => {
    const [item] = resolved().items;
    if (item === undefined) throw new Error("one item");
    expect(appliedStatus([{ item, applied: true }])).toBe("success");
    expect(
      appliedStatus([
        { item, applied: true },
        { item, applied: false },
      ]),
    ).toBe("partial_failure");
  });
  test("leaves a refusal to be told, and accepts what a person skipped and what no script can write", () => {
    const made = open();
    resolve(made, { overrides: [{ to: "@7", direction: "skip" }] });
    expect(made.items.every(isAccepted)).toBe(true);
    expect(isAccepted({ verdict: "skip", reason: "unwritable" })).toBe(true);
    expect(isAccepted({ verdict: "skip", reason: "refused" })).toBe(false);
    expect([...open().items, ...resolved().items].some(isAccepted)).toBe(false);
  });
});

describe("the summary", () => {
  const of = (made: ReturnType<typeof plan>, hasValues = false) =>
    summaryOf(made, { planId: "p", mode: "dryrun", status: "dryrun", hasValues });

  test("counts verdicts and gives each item with the hashes of both sides", () => {
    expect(of(open())).toEqual({
      status: "dryrun",
      planId: "p",
      mode: "dryrun",
      overrides: [],
      counts: { push: 0, pull: 0, skip: 0, merge: 0, none: 0, unresolved: 1 },
      items: [
        {
          id: "@7",
          path: "ReplicatedStorage.Shared.M",
          className: "ModuleScript",
          change: "edit",
          verdict: "unresolved",
          reason: "no_base",
          fileHash: gitBlobHash("b"),
          studioHash: gitBlobHash("a"),
        },
      ],
    });
  });
  test("has the values before and after on the side that changes", () => {
    expect(of(resolved(), true).items[0]).toMatchObject({ before: { Source: "a" }, after: { Source: "b" } });
    expect(of(source("a", "b", "a"), true).items[0]).toMatchObject({
      before: { Source: "a" },
      after: { Source: "b" },
    });
    const part = (transparency: number, tags: string[]) =>
      place(
        node("P", "Part", {
          properties: {
            Transparency: number(transparency),
            Size: { type: "Vector3", value: [1, 2, transparency] },
          },
          attributes: { A: number(transparency) },
          tags,
        }),
      );
    expect(
      of(plan({ files: part(1, ["t"]), studio: part(0, []), base: part(0, []) }), true).items[0],
    ).toMatchObject({
      before: { Transparency: 0, Size: { type: "Vector3", value: [1, 2, 0] }, "@A": 0 },
      after: { Transparency: 1, Size: { type: "Vector3", value: [1, 2, 1] }, "@A": 1, "#t": true },
    });
  });
  test("says what was applied and what failed", () => {
    const made = resolved();
    const [item] = made.items;
    if (item === undefined) throw new Error("one item");
    const results = [{ item, applied: false, reason: "the file is read-only" }];
    expect(
      summaryOf(made, { planId: "p", mode: "standard", status: "partial_failure", results, hasValues: false })
        .items[0],
    ).toMatchObject({
      applied: false,
      failure: "the file is read-only",
    });
  });
});
