import { afterAll, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { toldBeforeAsync } from "../../../src/sync/told-unwritable.ts";
import type { PlanItem } from "../../../src/sync/types.ts";

const folder = await mkdtemp(join(tmpdir(), "sb-told-"));
afterAll(() => rm(folder, { recursive: true }));
const state = { projectFile: "default.project.json", folder, plans: join(folder, "plans") };

const skipped = (path: string, ...names: readonly string[]): PlanItem => ({
  id: "@1",
  path,
  className: "Lighting",
  change: "edit",
  verdict: "skip",
  reason: "unwritable",
  aspects: names.map((name) => ({
    aspect: "property",
    name,
    file: undefined,
    studio: undefined,
    base: undefined,
  })),
});

test("people are told once of each property, and again when another one comes", async () => {
  const one = skipped("Lighting", "Technology");
  expect(await toldBeforeAsync(state, [one])).toEqual(new Set());
  expect(await toldBeforeAsync(state, [one])).toEqual(new Set([one]));
  const two = skipped("Lighting", "Technology", "Quality");
  const other = { ...one, path: "Workspace" };
  expect(await toldBeforeAsync(state, [one, two, other])).toEqual(new Set([one]));
  expect(await toldBeforeAsync(state, [one, two, other])).toEqual(new Set([one, two, other]));
});

test("what a person can do something about is never taken for told", async () => {
  const refused: PlanItem = { ...skipped("Workspace", "Gravity"), reason: "refused" };
  for (const _ of ["once", "and again"]) expect(await toldBeforeAsync(state, [refused])).toEqual(new Set());
});
