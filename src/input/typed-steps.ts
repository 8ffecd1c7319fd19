/** Steps of input as the command line has them: one of words and flags, or a list in a file. */
import { decodeScript, readInputFileAsync } from "../files/script-source.ts";
import { inputWords } from "../protocol/fields/input-steps.ts";
import { invalidInput } from "../protocol/messages.ts";
import { TextFault } from "../util/text-fault.ts";
import { parseTimeSpan } from "../util/time-span.ts";
import { checkedSteps, type Step, type WireStep } from "./steps.ts";

type Word = Step["do"];

interface Typed {
  readonly target?: string | undefined;
  readonly value?: string | undefined;
  readonly selector?: string | undefined;
  readonly button?: string | undefined;
  readonly count?: number | undefined;
  readonly modifiers?: readonly string[] | undefined;
  readonly hold?: number | undefined;
  readonly key?: string | undefined;
}

export const isInputWord = (word: string): word is Word => inputWords.some((each) => each === word);

/** `300,200` as a point. */
function pointOf(text: string): readonly [number, number] | undefined {
  const [, x, y] = /^(-?\d+(?:\.\d+)?),(-?\d+(?:\.\d+)?)$/.exec(text) ?? [];
  return x === undefined || y === undefined ? undefined : [Number(x), Number(y)];
}

/** What was typed as one step, of which nothing has been checked yet. */
export function typedStep(word: Word, typed: Typed): object {
  const { target, value, hold, selector, button, count, modifiers, key } = typed;
  const flags = { selector, button, count, modifiers, key };
  const rest = Object.fromEntries(Object.entries(flags).filter(([, each]) => each !== undefined));
  const common = { do: word, ...rest, ...(hold === undefined ? {} : { ms: hold }) };
  if (word === "key")
    return withoutMore(word, value, { ...common, ...(target === undefined ? {} : { key: target }) });
  if (word === "text") return textStep(common, target, value, rest["selector"] !== undefined);
  if (word === "drag") return { ...common, ...placeOf(target), at: dragPoint(value) };
  if (word === "collide") return collideStep(common, target, value, rest["selector"] !== undefined);
  const ms = word === "wait" && target !== undefined ? parseTimeSpan(target) : undefined;
  return withoutMore(word, value, { ...common, ...(ms === undefined ? placeOf(target) : { ms }) });
}

function placeOf(target: string | undefined): object {
  if (target === undefined) return {};
  const at = pointOf(target);
  return at === undefined ? { target } : { at };
}

function textStep(
  common: object,
  target: string | undefined,
  value: string | undefined,
  isSelected: boolean,
) {
  if (isSelected && value === undefined) return { ...common, text: target };
  if (value === undefined)
    throw invalidInput("text needs a TARGET and what is typed.", "sb input text Menu.Nick 'Ada'");
  return { ...common, target, text: value };
}

function collideStep(
  common: object,
  target: string | undefined,
  value: string | undefined,
  isSelected: boolean,
) {
  if (isSelected && value === undefined) return { ...common, with: target };
  if (target === undefined || value === undefined)
    throw invalidInput("collide needs two parts.", "sb input collide Workspace.Ball Workspace.Goal");
  return { ...common, target, with: value };
}

function dragPoint(value: string | undefined): readonly [number, number] {
  const at = pointOf(value ?? "");
  if (at === undefined) throw invalidInput("drag needs a TARGET and X,Y.", "sb input drag Menu.Knob 300,200");
  return at;
}

function withoutMore(word: Word, value: string | undefined, step: object): object {
  if (value === undefined) return step;
  throw invalidInput(
    `${word} takes one target, and not ${JSON.stringify(value)} too.`,
    "`sb help input` shows examples.",
  );
}

/** Throws FILE_ERROR for a file that cannot be read, INVALID_INPUT for one that holds no steps. */
export async function stepsInFileAsync(
  file: string,
  readStdinAsync: () => Promise<Uint8Array>,
): Promise<readonly WireStep[]> {
  const isFile = file === "-" || /[./\\]/.test(file);
  if (!isFile)
    throw invalidInput(
      `${JSON.stringify(file)} is no word of input.`,
      `The words are ${inputWords.join(", ")}; a file has a dot or a slash in its name.`,
    );
  const name = file === "-" ? "stdin" : file;
  const text = file === "-" ? decodeScript(await readStdinAsync(), name) : await readInputFileAsync(file);
  const value = await parseAsync(text, name);
  const list = typeof value === "object" && value !== null && "steps" in value ? value.steps : value;
  if (Array.isArray(list)) return checkedSteps(list, name);
  throw invalidInput(`${name} is not a list of steps.`, 'It begins with [{ "do": "click", ... }, ...].');
}

async function parseAsync(text: string, name: string): Promise<unknown> {
  const { parseJsonc, valueOf } = await import("../util/jsonc.ts");
  try {
    const root = parseJsonc(text);
    return root === undefined ? undefined : valueOf(root);
  } catch (error) {
    if (!(error instanceof TextFault)) throw error;
    throw invalidInput(`${name} is not JSON: ${error.message}`, "`sb help input` shows examples.");
  }
}
