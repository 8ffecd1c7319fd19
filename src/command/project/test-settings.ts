/** What `sb.config.json` says about `sb test`, under its key `test`. */
import { defineSchema } from "../../protocol/schema.ts";
import type { OutputOf } from "../../protocol/schema.ts";
import { nodeAt, valueOf } from "../../util/jsonc.ts";
import { nearest } from "../../util/nearest.ts";
import { checkedBy } from "../input.ts";
import type { FoundProjectFile } from "./find-project-file.ts";
import { openProjectFile, pathBelow } from "./project-settings.ts";

const MAX_TIMEOUT_MS = 3_600_000;

export const testSettingsSchema = defineSchema((z) => {
  const patterns = z.array(z.string().min(1, "the pattern is empty"));
  const time = z
    .int("expected a whole number of milliseconds")
    .min(1, "expected at least 1 millisecond")
    .max(MAX_TIMEOUT_MS, `expected at most ${MAX_TIMEOUT_MS} milliseconds`);
  return z.strictObject({
    include: patterns
      .optional()
      .describe("Globs of the test files, relative to this file, in place of *.spec, *.test and __tests__"),
    exclude: patterns.optional().describe("Globs of files that are no tests"),
    place: z
      .string()
      .min(1, "expected a file")
      .optional()
      .describe("Place or Rojo project to test in; relative to this file, and not outside its folder"),
    setup: z
      .array(z.string().min(1, "expected a file"))
      .optional()
      .describe("Luau files that run once before the place is kept for the tests; relative to this file"),
    timeoutMs: time.optional().describe("Time for one case; 5000 by default"),
    fileTimeoutMs: time.optional().describe("Time for one file; 60000 by default"),
    retries: z
      .int("expected a whole number")
      .min(0, "expected 0 retries or more")
      .max(10, "expected at most 10 retries")
      .optional()
      .describe("How often a failed case is tried again"),
    workers: z
      .int("expected a whole number")
      .min(1, "expected 1 worker or more")
      .max(64, "expected at most 64 workers")
      .optional()
      .describe("How many headless Studios run files at once"),
    reporters: z
      .array(z.string().min(1, "a reporter's name is empty"))
      .optional()
      .describe("As --reporter takes them"),
  });
});
export type TestSettings = OutputOf<typeof testSettingsSchema>;

/** Paths become whole. Throws INVALID_INPUT with the place of the fault. */
export function testSettingsIn(found: FoundProjectFile): TestSettings {
  const { root, faultAt } = openProjectFile(found);
  const section: unknown = Object(root === undefined ? {} : valueOf(root))["test"];
  if (root === undefined || section === undefined) return {};
  const at = (key = "") => nodeAt(root, key === "" ? ["test"] : ["test", key]).offset;
  if (typeof section !== "object" || section === null || Array.isArray(section))
    throw faultAt(at(), "test: expected an object");
  const known = testSettingsSchema.keys();
  const stray = Object.keys(section).find((key) => !known.includes(key));
  if (stray !== undefined) {
    const guess = nearest(stray, known);
    const advice = guess === undefined ? "" : `; did you mean "${guess}"?`;
    throw faultAt(at(stray), `test: unknown key ${JSON.stringify(stray)}${advice}`);
  }
  const settings = checkedBy(testSettingsSchema, section, ([issue]) =>
    faultAt(at(issue?.key), `test.${issue?.key}: ${issue?.message}`),
  );
  const whole = (key: "place" | "setup", path: string): string => {
    const below = pathBelow(found.file, path);
    if (below === undefined)
      throw faultAt(at(key), `test.${key}: expected a path below the folder of this file`);
    return below;
  };
  const { place, setup, ...others } = settings;
  return {
    ...others,
    ...(place === undefined ? {} : { place: whole("place", place) }),
    ...(setup === undefined ? {} : { setup: setup.map((path) => whole("setup", path)) }),
  };
}
