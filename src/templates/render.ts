/**
 * Fills a template with the arguments of a call. A value stays one word, is never read as a tag, and never becomes an
 * option of the program unless the template says so.
 */
import type { InputIssue } from "../protocol/input.ts";
import { StudioBridgeError } from "../protocol/errors.ts";
import type { Field, Part, TemplateWord } from "./grammar.ts";
import { propertyOf } from "./grammar.ts";

interface RenderOptions {
  /** False where nothing reads options out of the words, as with a script. */
  readonly refuseOptions: boolean;
}

type Values = ReadonlyMap<string, string | readonly string[] | boolean>;

/** Gives the whole argv. Throws INVALID_INPUT naming the first parameter that is missing or wrong. */
export function renderWords(
  words: readonly TemplateWord[],
  fields: readonly Field[],
  input: object,
  { refuseOptions }: RenderOptions,
): string[] {
  const values = checkedValues(fields, input);
  const argv: string[] = [];
  let mayBeOption = refuseOptions;
  for (const word of words) {
    const [only] = word;
    if (word.length === 1 && only !== undefined && "field" in only && only.field.kind === "array") {
      argv.push(...listOf(values.get(only.field.property)));
      continue;
    }
    const rendered = renderWord(word, values);
    if (rendered === undefined) continue;
    if (mayBeOption) refuseOption(word, values, rendered);
    if (rendered === "--") mayBeOption = false;
    argv.push(rendered);
  }
  return argv;
}

/** The given values by property. Absent values, `null`, and empty values of optional fields are left out. */
function checkedValues(fields: readonly Field[], input: object): Values {
  const given = givenValues(input);
  const values = new Map<string, string | readonly string[] | boolean>();
  for (const { property, required, kind } of fields) {
    const value = given.get(property);
    if (value !== undefined && value !== null) values.set(property, checkedValue(property, kind, value));
    else if (required)
      throw refused(
        property,
        `missing required parameter: ${property} (${property} is required)`,
        `Pass ${property}.`,
      );
  }
  return values;
}

/** Dashes and underscores are the same; the exact spelling wins. */
function givenValues(input: object): Map<string, unknown> {
  const entries = Object.entries(input);
  return new Map([...entries.map(([key, value]): [string, unknown] => [propertyOf(key), value]), ...entries]);
}

function checkedValue(
  property: string,
  kind: Field["kind"],
  value: unknown,
): string | readonly string[] | boolean {
  if (kind === "boolean") {
    if (typeof value === "boolean") return value;
    throw wrongType(property, "a boolean");
  }
  if (kind === "string") {
    if (typeof value !== "string") throw wrongType(property, "a string");
    return withoutNull(property, value);
  }
  if (!Array.isArray(value)) throw wrongType(property, "an array of strings");
  return value.map((item: unknown) => {
    if (typeof item !== "string") throw wrongType(property, "an array of strings");
    return withoutNull(property, item);
  });
}

function refused(property: string, message: string, hint: string): StudioBridgeError {
  const issues: InputIssue[] = [{ key: property, message }];
  return new StudioBridgeError("INVALID_INPUT", message, { hint, data: { issues } });
}

function wrongType(property: string, wanted: string): StudioBridgeError {
  return refused(property, `parameter '${property}' must be ${wanted}`, `Pass ${property} as ${wanted}.`);
}

/** The end of a word to the operating system; what follows would be lost. */
function withoutNull(property: string, value: string): string {
  if (value.includes("\0"))
    throw refused(property, `parameter '${property}' contains a null byte`, "Leave the null byte out.");
  return value;
}

/** Undefined where the word is made of optional fields alone and none is given. */
function renderWord(word: TemplateWord, values: Values): string | undefined {
  const pieces = word.map((part) => pieceOf(part, values));
  return pieces.every((piece) => piece === undefined) ? undefined : pieces.join("");
}

function pieceOf(part: Part, values: Values): string | undefined {
  if ("text" in part) return part.text;
  const { property, required, flag } = part.field;
  const value = values.get(property);
  if (typeof value === "boolean") return value ? flag : undefined;
  return typeof value === "string" && (value !== "" || required) ? value : undefined;
}

function listOf(value: string | readonly string[] | boolean | undefined): readonly string[] {
  return Array.isArray(value) ? value : [];
}

/** A word that a value begins must not be an option; lists are arguments by definition and may hold options. */
function refuseOption(word: TemplateWord, values: Values, rendered: string): void {
  if (!rendered.startsWith("-") || /^-(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(rendered)) return;
  const first = word.find((part) => (pieceOf(part, values) ?? "") !== "");
  if (first === undefined || "text" in first || first.field.kind !== "string") return;
  const { property } = first.field;
  throw refused(
    property,
    `parameter '${property}' must not start with "-": ${JSON.stringify(rendered)} would be read as an option`,
    'Pass a path as "./-name"; numbers are allowed, and so is anything after -- in the template.',
  );
}
