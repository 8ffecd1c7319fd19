/**
 * The grammar of command templates: reads words into words made of text and fields. It knows nothing of values, schemas
 * and processes.
 */
import { templateError } from "./template-error.ts";

export interface Field {
  /** As written, without the dashes of a flag. */
  readonly name: string;
  /** The parameter that fills it: the name with underscores. */
  readonly property: string;
  /** Empty where none is given. */
  readonly description: string;
  readonly required: boolean;
  readonly kind: "string" | "array" | "boolean";
  /** What a true boolean prints. */
  readonly flag?: string;
}

export type Part = { readonly text: string } | { readonly field: Field };
export type TemplateWord = readonly Part[];

/** Throws TEMPLATE_ERROR for a tag that cannot mean anything. */
export function parseWord(word: string): TemplateWord {
  const parts: Part[] = [];
  let text = "";
  let at = 0;
  while (at < word.length) {
    const tag = tagAt(word, at);
    if (tag === undefined) {
      const opening = word.startsWith("{{", at) ? 2 : 1;
      text += word.slice(at, at + opening);
      at += opening;
      continue;
    }
    if (text !== "") parts.push({ text });
    text = "";
    parts.push({ field: tag.field });
    at = tag.end;
  }
  if (text !== "" || word === "") parts.push({ text });
  return parts;
}

/** How a word reads in a description for agents: every field in one spelling, without its own description. */
export function wordText(word: TemplateWord): string {
  return word.map((part) => ("text" in part ? part.text : fieldText(part.field, "{{", "}}"))).join("");
}

/** The same for people, in the spelling of our pages. */
export function shownWord(word: TemplateWord): string {
  return word.map((part) => ("text" in part ? part.text : fieldText(part.field, "{", "}"))).join("");
}

export function fieldsOf(words: readonly TemplateWord[]): Field[] {
  return words.flat().flatMap((part) => ("field" in part ? [part.field] : []));
}

function fieldText({ name, required, kind, flag }: Field, open: string, close: string): string {
  const inner = `${flag ?? name}${kind === "array" ? "..." : ""}`;
  return required ? `${open}${inner}${close}` : `[${inner}]`;
}

const brackets = [
  { open: "{{", close: "}}", isBrace: true },
  { open: "{", close: "}", isBrace: true },
  { open: "[", close: "]", isBrace: false },
] as const;

/** The field that starts at `at`; undefined where the characters are ordinary text. */
function tagAt(word: string, at: number): { readonly field: Field; readonly end: number } | undefined {
  const bracket = brackets.find(({ open }) => word.startsWith(open, at));
  if (bracket === undefined) return undefined;
  const start = at + bracket.open.length;
  const stop = word.indexOf(bracket.close, start);
  if (stop === -1) return undefined;
  const end = stop + bracket.close.length;
  const field = fieldFrom(word.slice(start, stop), bracket.isBrace, word, at === 0 && end === word.length);
  return field === undefined ? undefined : { field, end };
}

/** No digit first within a word, so that `[0-9]{3}` stays text. */
const NAME = /^-*[A-Za-z_][A-Za-z0-9_-]*$/;
/** Fields of this form count only where they are the whole word. */
const WHOLE_WORD_NAME = /^\w+$/;
const FLAG = /^--?[A-Za-z0-9_][A-Za-z0-9_-]*$/;
/** A tag inside the name of a tag, or inside a flag with a value; a character class is neither. */
const NESTED = /^(?:-*\w[\w-]*(?:\.\.\.)?|-{1,2}\w[\w-]*\s.*)\s*[{[]\s*[\w-]/s;

function fieldFrom(inside: string, isBrace: boolean, word: string, isWholeWord: boolean): Field | undefined {
  const hash = inside.indexOf("#");
  const spelled = (hash === -1 ? inside : inside.slice(0, hash)).trim();
  const description = hash === -1 ? "" : inside.slice(hash + 1).trim();
  if (NESTED.test(spelled))
    throw templateError(
      `Nested templates not supported: ${word}`,
      "Write each field as a word or a part of its own.",
    );
  if (!isBrace && FLAG.test(spelled)) {
    const name = spelled.replace(/^--?/, "");
    return { name, property: propertyOf(name), description, required: false, kind: "boolean", flag: spelled };
  }
  const isArray = spelled.endsWith("...");
  const name = isArray ? spelled.slice(0, -3).trim() : spelled;
  if (name === "" && isBrace)
    throw templateError(`Empty field name: ${word}`, "Name the field, as in {file}.");
  // What starts with a dash in brackets is a flag or plain text, never a value.
  const isName = NAME.test(name) || (isWholeWord && WHOLE_WORD_NAME.test(name));
  if (!isName || (!isBrace && name.startsWith("-"))) return undefined;
  return {
    name,
    property: propertyOf(name),
    description,
    required: isBrace,
    kind: isArray ? "array" : "string",
  };
}

export function propertyOf(name: string): string {
  return name.replaceAll("-", "_");
}
