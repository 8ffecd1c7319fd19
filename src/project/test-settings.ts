/** The settings for `sb test`: the key `test` of `sb.config.json`, and the suites in it that replace some of its keys. */
import { MAX_PLAYERS } from "../protocol/limits.ts";
import { defineSchema } from "../protocol/schema.ts";
import type { OutputOf, Zod } from "../protocol/schema.ts";
import { invalidInput } from "../protocol/messages.ts";
import { frameworks } from "../testing/events.ts";
import { coverageFormats } from "../testing/coverage/format-words.ts";
import { isolationSchema, workersSchema } from "../testing/run/run-words.ts";
import { memberOf, nodeAt, valueOf } from "../util/jsonc.ts";
import { nearest } from "../util/nearest.ts";
import { checkedBy, unknownKeysOf } from "../protocol/input.ts";
import type { FoundProjectFile } from "./find-project-file.ts";
import { openProjectFile, pathBelow, type ProjectText, unknownKeyText } from "./project-settings.ts";

const MAX_TIMEOUT_MS = 3_600_000;

const coverageKeys = (z: Zod) => {
  const percent = z
    .number("expected a number")
    .min(0, "expected 0 percent or more")
    .max(100, "expected at most 100 percent");
  const patterns = z.array(z.string().min(1, "the pattern is empty"));
  return z.strictObject({
    include: patterns.optional().describe("Globs of the files to cover, among those that the project mounts"),
    exclude: patterns
      .optional()
      .describe("Globs of files that are left out, in addition to tests and packages"),
    formats: z
      .array(z.enum(coverageFormats))
      .optional()
      .describe("The formats of --coverage without a value; text by default"),
    directory: z
      .string()
      .min(1, "expected a folder")
      .optional()
      .describe("Where files go; coverage by default, relative to this file, and not outside its folder"),
    thresholds: z
      .strictObject({
        lines: percent.optional().describe("Percent of the lines"),
        functions: percent.optional().describe("Percent of the functions"),
      })
      .optional()
      .describe("The percentages that must run; a run with less fails"),
    perFile: z
      .boolean()
      .optional()
      .describe("Each file must reach the thresholds, not only all files together"),
  });
};

const MAX_PLACES = 16;

const cloudSettings = (z: Zod) => {
  const id = z.int("expected a number").positive("expected a number above 0");
  return z.strictObject({
    universe: id.describe(
      "The universe; use one that is only for tests, because its data stores are the real ones",
    ),
    places: z
      .array(id)
      .min(1, "expected a place")
      .max(MAX_PLACES, `expected at most ${MAX_PLACES} places`)
      .describe("Its places in which tests may run, ten tasks at a time in each"),
    upload: z
      .enum(["never", "save"])
      .optional()
      .describe(
        "How the place gets there: its content is sent to each task (never), or it is saved as a new version of each place (save)",
      ),
  });
};

function isRegex(text: string): boolean {
  try {
    return new RegExp(text) instanceof RegExp;
  } catch {
    return false;
  }
}

/** Which files are tests, and where they run. */
const placeKeys = (z: Zod) => {
  const patterns = z.array(z.string().min(1, "the pattern is empty"));
  return {
    include: patterns
      .min(1, "expected a pattern")
      .optional()
      .describe("Globs of the test files, relative to this file, in place of *.spec, *.test and __tests__"),
    exclude: patterns.optional().describe("Globs of files that are not tests"),
    on: z
      .string()
      .min(1, "expected a target")
      .optional()
      .describe("Where tests run, as --on says it; headless by default"),
    context: z
      .enum(["edit", "server", "client"])
      .optional()
      .describe("The DataModel in which files run; edit by default"),
    players: z
      .int("expected a whole number of players")
      .min(1, "expected at least 1 player")
      .max(MAX_PLAYERS, `expected at most ${MAX_PLAYERS} players`)
      .optional()
      .describe("How many clients a play test has; 1 by default"),
    place: z
      .string()
      .min(1, "expected a file")
      .optional()
      .describe("Place or Rojo project to test in; relative to this file, and not outside its folder"),
    framework: z
      .enum(frameworks)
      .optional()
      .describe("The framework of all files, if their text and the place do not show it"),
    adapter: z
      .string()
      .min(1, "expected a file")
      .optional()
      .describe(
        "Luau file that lists the cases of a test file, for a framework of your own; relative to this file, and not outside its folder",
      ),
    before: z
      .array(z.string())
      .min(1, "expected a program")
      .refine(([program = ""]) => program !== "", "expected a program")
      .optional()
      .describe(
        "A program and its arguments that runs before the tests, such as a compiler; without a shell, in the folder of this file",
      ),
    setup: z
      .array(z.string().min(1, "expected a file"))
      .optional()
      .describe("Luau files that run once before the test files; relative to this file"),
  };
};

const MAP_FORMS = 'expected "auto", false, or a path with {name} in it';
/** A path below the folder in which the name of the file stands, so that each file has a map of its own. */
const isMapPattern = (text: string): boolean => text === "auto" || text.includes("{name}");

/** How files run, and what is reported of them. */
const runKeys = (z: Zod) => {
  const time = z
    .int("expected a whole number of milliseconds")
    .min(1, "expected at least 1 millisecond")
    .max(MAX_TIMEOUT_MS, `expected at most ${MAX_TIMEOUT_MS} milliseconds`);
  return {
    timeoutMs: time.optional().describe("Time for one case; 5000 by default"),
    fileTimeoutMs: time.optional().describe("Time for one file; 60000 by default"),
    runTimeoutMs: time.optional().describe("Time for the whole run; no limit by default"),
    retries: z
      .int("expected a whole number")
      .min(0, "expected 0 retries or more")
      .max(10, "expected at most 10 retries")
      .optional()
      .describe("How often a failed case is tried again"),
    workers: workersSchema(z).optional().describe("How many headless Studios run files at once"),
    isolate: isolationSchema(z)
      .optional()
      .describe(
        "What a file finds: the place as it was opened (file), the same with the modules that earlier files loaded (worker), or whatever they left (none)",
      ),
    allowedErrors: z
      .array(z.string().min(1, "the pattern is empty").refine(isRegex, "expected a regular expression"))
      .optional()
      .describe(
        "Regular expressions; errors of threads and rejected Promises that match one are not failures",
      ),
    reporters: z
      .array(
        z
          .string()
          .min(1, "a reporter's name is empty")
          .refine((word) => !/^exec(?:=|$)/.test(word), "exec is only for the command line"),
      )
      .optional()
      .describe("As --reporter takes them; files are relative to this file, and not outside its folder"),
    sourceMap: z
      .union([z.literal(false), z.string().refine(isMapPattern, MAP_FORMS)], MAP_FORMS)
      .optional()
      .describe(
        "Where compiled files have their source maps: beside them, as a.luau.map (auto, the default), nowhere (false), or at a path with {dir} and {name} of the compiled file in it, relative to this file",
      ),
    coverage: coverageKeys(z).optional().describe("What --coverage counts, and how it reports that"),
    cloud: cloudSettings(z).optional().describe("The universe and the places in which --on cloud runs tests"),
  };
};

/** The keys of `test`, each of which a suite may have too. */
const keysOf = (z: Zod) => ({ ...placeKeys(z), ...runKeys(z) });

/** The settings of one suite. Its keys count before those of `test`. */
const suiteSettingsSchema = defineSchema((z) => z.strictObject(keysOf(z)));
export type SuiteSettings = OutputOf<typeof suiteSettingsSchema>;

/** What a project is in a run of several. */
const projectKeys = (z: Zod) => ({
  name: z
    .string()
    .regex(/^[\w.@/-]+$/, "expected a name of letters, digits, and . _ - / @")
    .optional()
    .describe("The name of this project in a run of several; the path of its folder by default"),
  projects: z
    .array(z.string().min(1, "the pattern is empty"))
    .min(1, "expected a pattern")
    .optional()
    .describe("Globs of folders with an sb.config.json each: their tests run, each with its own settings"),
});
const projectKeysSchema = defineSchema((z) => z.strictObject(projectKeys(z)));

export const testSettingsSchema = defineSchema((z) =>
  z.strictObject({
    ...keysOf(z),
    ...projectKeys(z),
    suites: z
      .record(z.string(), suiteSettingsSchema(z))
      .optional()
      .describe("Other settings by name; with --suite NAME, they take precedence over these"),
  }),
);

/** The keys that lead to a section of the file. */
type Way = readonly string[];

/**
 * The settings of `test`, replaced by those of the suite where it has them. Paths become absolute. Throws INVALID_INPUT with
 * the position of an error. An error in a suite that was not chosen does not matter.
 */
export function testSettingsIn(found: FoundProjectFile, suite?: string): SuiteSettings {
  const text = openProjectFile(found);
  const section = sectionAt(text, ["test"]);
  const { suites, name: _, projects: __, ...own } = Object(section ?? {});
  if (suites !== undefined) sectionAt(text, ["test", "suites"]);
  if (suite !== undefined) checkSuiteName(found.file, Object.keys(suites ?? {}), suite);
  const ofTest = settingsAt(text, ["test"], own, found.file);
  const way = suite === undefined ? undefined : ["test", "suites", suite];
  return way === undefined
    ? ofTest
    : { ...ofTest, ...settingsAt(text, way, sectionAt(text, way) ?? {}, found.file) };
}

/** One setting, for commands to which the others of `test` say nothing. Throws INVALID_INPUT for a wrong value. */
export function testSettingIn<Key extends "include" | "sourceMap">(
  found: FoundProjectFile,
  key: Key,
): SuiteSettings[Key] | undefined {
  const text = openProjectFile(found);
  const { [key]: value } = Object(sectionAt(text, ["test"]) ?? {});
  return value === undefined ? undefined : settingsAt(text, ["test"], { [key]: value }, found.file)[key];
}

/** One sentence with its position for each key of `test` that says nothing, of all suites too. */
export function unknownTestKeysIn(found: FoundProjectFile): readonly string[] {
  const { root, at } = openProjectFile(found);
  const section = root === undefined ? undefined : memberOf(root, "test");
  if (root === undefined || section === undefined) return [];
  return unknownKeysOf(testSettingsSchema, valueOf(section.value))
    .map(({ path, known }) => {
      const way = ["test", ...path];
      return { way, known, offset: nodeAt(root, way).offset };
    })
    .toSorted((one, other) => one.offset - other.offset)
    .map(({ way, known, offset }) => {
      const text = unknownKeyText(String(way.at(-1)), known);
      return `${at(offset)}: ${way.slice(0, -1).join(".")}: ${text}`;
    });
}

/** The same section without the keys that say nothing. */
function withKnownKeys(schema: Parameters<typeof unknownKeysOf>[0], section: object): object {
  const copy: object = structuredClone(section);
  for (const { path } of unknownKeysOf(schema, section)) {
    const parent = path.slice(0, -1).reduce<unknown>((at, key) => Reflect.get(Object(at), key), copy);
    Reflect.deleteProperty(Object(parent), path.at(-1) ?? "");
  }
  return copy;
}

/** The name of the project, the globs of its own projects, and whether the file has settings for tests at all. */
export function projectKeysIn(
  found: FoundProjectFile,
): OutputOf<typeof projectKeysSchema> & { readonly hasTests: boolean } {
  const text = openProjectFile(found);
  const section = sectionAt(text, ["test"]);
  const { name, projects } = Object(section ?? {});
  const given = { ...(name === undefined ? {} : { name }), ...(projects === undefined ? {} : { projects }) };
  const keys = checkedBy(projectKeysSchema, given, ([issue]) => {
    const way = ["test", issue?.key ?? "", ...(issue?.path ?? [])];
    const offset = text.root === undefined ? 0 : nodeAt(text.root, way).offset;
    return text.faultAt(offset, `${way.join(".")}: ${issue?.message ?? ""}`);
  });
  for (const [at, pattern] of (keys.projects ?? []).entries())
    if (pathBelow(found.file, pattern) === undefined && text.root !== undefined)
      throw text.faultAt(
        nodeAt(text.root, ["test", "projects", at]).offset,
        "test.projects: expected folders below the folder of this file",
      );
  return { ...keys, hasTests: section !== undefined };
}

/** The names of all suites, in their order. */
export function suiteNamesIn(found: FoundProjectFile): readonly string[] {
  const text = openProjectFile(found);
  return Object.keys(Object(Object(sectionAt(text, ["test"]) ?? {})["suites"] ?? {}));
}

function checkSuiteName(file: string, names: readonly string[], suite: string): void {
  if (names.includes(suite)) return;
  const guess = nearest(suite, names);
  throw invalidInput(
    `--suite: there is no suite ${suite}${guess === undefined ? "" : `; did you mean ${guess}?`}`,
    names.length === 0 ? `Write it under test.suites of ${file}.` : `${file} has ${names.join(", ")}.`,
  );
}

/** A section of the file; undefined if the file has none. Throws INVALID_INPUT if it is no object. */
function sectionAt({ root, faultAt }: ProjectText, way: Way): object | undefined {
  if (root === undefined) return undefined;
  const section = way.reduce<unknown>((at, key) => Object(at)[key], valueOf(root));
  if (section === undefined) return undefined;
  if (typeof section === "object" && section !== null && !Array.isArray(section)) return section;
  throw faultAt(nodeAt(root, way).offset, `${way.join(".")}: expected an object`);
}

function settingsAt({ root, faultAt }: ProjectText, way: Way, section: object, file: string): SuiteSettings {
  const faultIn = (path: readonly (string | number)[], message: string) =>
    faultAt(
      root === undefined ? 0 : nodeAt(root, [...way, ...path]).offset,
      `${[...way, ...path].join(".")}: ${message}`,
    );
  const settings = checkedBy(suiteSettingsSchema, withKnownKeys(suiteSettingsSchema, section), ([issue]) =>
    faultIn([issue?.key ?? "", ...(issue?.path ?? [])], issue?.message ?? ""),
  );
  const whole = (key: readonly string[], path: string): string => {
    const below = pathBelow(file, path);
    if (below === undefined) throw faultIn(key, "expected a path below the folder of this file");
    return below;
  };
  const { place, adapter, setup, coverage, reporters, ...others } = settings;
  for (const [at, pattern] of (others.include ?? []).entries())
    if (pathBelow(file, pattern) === undefined)
      throw faultIn(["include", at], "expected files below the folder of this file");
  if (typeof others.sourceMap === "string") whole(["sourceMap"], others.sourceMap);
  const directory = coverage?.directory;
  const withWholeFile = (reporter: string): string => {
    const [name = "", ...rest] = reporter.split("=");
    const path = rest.join("=");
    return path === "" ? reporter : `${name}=${whole(["reporters"], path)}`;
  };
  return {
    ...others,
    ...(reporters === undefined ? {} : { reporters: reporters.map(withWholeFile) }),
    ...(place === undefined ? {} : { place: whole(["place"], place) }),
    ...(adapter === undefined ? {} : { adapter: whole(["adapter"], adapter) }),
    ...(setup === undefined ? {} : { setup: setup.map((path) => whole(["setup"], path)) }),
    ...(coverage === undefined
      ? {}
      : {
          coverage: {
            ...coverage,
            ...(directory === undefined ? {} : { directory: whole(["coverage", "directory"], directory) }),
          },
        }),
  };
}
