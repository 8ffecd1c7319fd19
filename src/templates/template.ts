/** A parsed template as a tool: its name, its description, its parameters, and the result of a call. */
import { fieldsOf, parseWord, shownWord, wordText } from "./grammar.ts";
import type { Field } from "./grammar.ts";
import { renderWords } from "./render.ts";
import { inputSchemaOf } from "./schema.ts";
import type { InputSchema } from "./schema.ts";
import { templateError } from "./template-error.ts";

export interface Template {
  /** The command as written. */
  readonly title: string;
  /** The name of the tool. */
  readonly toolName: string;
  /** The words as agents read them. */
  readonly text: string;
  /** The words as people read them. */
  readonly shown: string;
  readonly fields: readonly Field[];
  readonly inputSchema: InputSchema;
  /** Warnings about spellings that work and probably mean something else. */
  readonly warnings: readonly string[];
  /** The words of one call; throws INVALID_INPUT. */
  render(input: object, options: { readonly refuseOptions: boolean }): string[];
}

/** Takes the words as a program receives them, already split. Throws TEMPLATE_ERROR. */
export function parseTemplate(words: readonly string[]): Template {
  const [command] = words;
  if (command === undefined) throw templateError("no command provided", "Name a program and its arguments.");
  if (command.trim() === "")
    throw templateError("empty command provided", "Name a program and its arguments.");
  const parsed = words.map(parseWord);
  if (fieldsOf(parsed.slice(0, 1)).length > 0)
    throw templateError(`command cannot be a field: ${command}`, "Name the program itself first.");
  const crowded = parsed.find(
    (word) => word.length > 1 && fieldsOf([word]).some(({ kind }) => kind === "array"),
  );
  if (crowded !== undefined)
    throw templateError(
      `array field must be a whole argument: ${wordText(crowded)}`,
      "Give the list a word of its own.",
    );
  const fields = fieldsOf(parsed);
  return {
    title: command,
    toolName: toolNameOf(command),
    text: parsed.map(wordText).join(" "),
    shown: parsed.map(shownWord).join(" "),
    fields,
    inputSchema: inputSchemaOf(fields),
    warnings: [...brokenTags(words), ...fieldsInShellText(words)],
    render: (input, options) => renderWords(parsed, fields, input, options),
  };
}

/** The description of a template that has none of its own. */
export function defaultDescription({ text }: Template): string {
  return `Run the shell command \`${text}\``;
}

/** The program without its folder and `.exe`, in the characters that every client takes. */
function toolNameOf(command: string): string {
  const base = command.split(/[/\\]/).findLast((segment) => segment !== "") ?? command;
  const name = base.replace(/(?<=.)\.(exe|cmd|bat|com)$/i, "").replaceAll(/[^A-Za-z0-9_]/gu, "_");
  return name.slice(0, 64);
}

/** `{message # text}` without quotes arrives as several words. */
function brokenTags(words: readonly string[]): string[] {
  return words.flatMap((word, index) => {
    const next = words[index + 1] ?? "";
    if (!/^(\{\{?|\[)\s*-*\w[\w-]*(\.\.\.)?$/.test(word) || !next.startsWith("#")) return [];
    const end = words.findIndex((each, at) => at > index && /[}\]]$/.test(each));
    const tag = words.slice(index, end === -1 ? index + 2 : end + 1).join(" ");
    return [`${tag} came as several words and is plain text; quote it: "${tag}"`];
  });
}

const SHELL = /(^|[/\\])(sh|bash|dash|zsh|ksh|fish|cmd|powershell|pwsh)(\.exe)?$/i;

/** A field inside the text that a shell runs lets every value run commands. */
function fieldsInShellText(words: readonly string[]): string[] {
  const [command = "", ...rest] = words;
  if (!SHELL.test(command)) return [];
  const flag = rest.findIndex((word) => /^(-\w*c|\/c|-command)$/i.test(word));
  const text = flag === -1 ? undefined : rest[flag + 1];
  if (text === undefined || fieldsOf([parseWord(text)]).length === 0) return [];
  return [
    `${command} runs the values inside ${JSON.stringify(text)} as code; pass them as words after it instead`,
  ];
}
