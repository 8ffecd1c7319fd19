/** Chooses the framework of a test file by the text of the file and by the packages of the place, without running anything. */
import type { Framework } from "../events.ts";
import { lastValueOf, withoutComments } from "./lua-text.ts";

/** The frameworks that a place has. */
export interface PlaceFrameworks {
  readonly hasTestEz: boolean;
  /** The Instances that contain a jest.config, as paths whose names are joined by NUL. */
  readonly jestProjects: ReadonlySet<string>;
}

export interface FoundFramework {
  readonly framework: Framework;
  /** The reason, as `--list` shows it. */
  readonly why: string;
  /** The file returns what it requires, so that the framework is only known when the file runs: this one is for a function. */
  readonly returnsRequired?: boolean;
}

const JEST = /\b(?:JestGlobals|jest-globals)\b/;
const STD_TEST = /require\s*\(?\s*["']@std\/test["']|require\s*\(?[^\n]*\bstd\.test\b/;
const TINIEST = /require\s*\(?[^\n]*\btiniest|^return\s+function\s*\(\s*tiniest\w*/im;
const FRKTEST = /require\s*\(?[^\n]*\bfrktest\b/i;
/** The last statement of a file that returns a variable. */
const RETURNS_NAME = /^return\s+(?:table\.freeze\s*\(\s*)?(\w+)\s*\)?\s*;?\s*$/m;

/** The last statement of a file that returns what it requires. */
const RETURNS_REQUIRED = /^return\s+require\b/m;

/** `names` leads from a service to the file's module; undefined for a file outside of the place. */
export function frameworkOf(
  source: string,
  names: readonly string[] | undefined,
  { hasTestEz, jestProjects }: PlaceFrameworks,
): FoundFramework {
  const code = withoutComments(source);
  if (JEST.test(code)) return { framework: "jest", why: "it requires JestGlobals" };
  if (names?.some((_, count) => jestProjects.has(names.slice(0, count).join("\0"))) === true)
    return { framework: "jest", why: "a jest.config is above it" };
  if (FRKTEST.test(code)) return { framework: "frktest", why: "it requires frktest" };
  if (STD_TEST.test(code)) return { framework: "std-test", why: "it requires @std/test" };
  if (TINIEST.test(code)) return { framework: "tiniest", why: "it uses tiniest" };
  const name = RETURNS_NAME.exec(code)?.[1];
  const value = lastValueOf(code);
  if (value === "function" || isFunction(code, name))
    return hasTestEz
      ? { framework: "testez", why: "it returns a function, and the place has TestEZ" }
      : { framework: "built-in", why: "it returns a function, and the place has no TestEZ" };
  if (value === undefined && (RETURNS_REQUIRED.test(code) || isRequired(code, name))) {
    const framework = hasTestEz ? "testez" : "built-in";
    return { framework, why: "it returns what it requires", returnsRequired: true };
  }
  if (value === "table" || isTable(code, name)) return { framework: "functions", why: "it returns a table" };
  return { framework: "script", why: "it returns neither a function nor a table" };
}

const isFunction = (code: string, name: string | undefined): boolean =>
  name !== undefined &&
  new RegExp(
    `^(?:local\\s+)?function\\s+${name}\\s*[(<]|^local\\s+${name}\\s*(?::[^=\\n]+)?=\\s*function\\b`,
    "m",
  ).test(code);

const isTable = (code: string, name: string | undefined): boolean =>
  name !== undefined && new RegExp(`^local\\s+${name}\\s*(?::[^=\\n]+)?=\\s*\\{`, "m").test(code);

const isRequired = (code: string, name: string | undefined): boolean =>
  name !== undefined && new RegExp(`^local\\s+${name}\\s*(?::[^=\\n]+)?=\\s*require\\b`, "m").test(code);
