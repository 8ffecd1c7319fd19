/**
 * The input that a command line gives to a script besides its source: `--env`, `--input` and standard input, as fields
 * and flags that `run` and `exec` share. Their values are never printed.
 */
import type { z } from "zod";
import { invalidInput } from "../../protocol/messages.ts";
import type { Schema, Zod } from "../../protocol/schema.ts";
import { flagsOf } from "../words/spelling.ts";
import type { Flag } from "../words/spelling.ts";
import { readInputFileAsync } from "../../files/script-source.ts";

export const scriptInputFields = (z: Zod) => ({
  env: z
    .array(z.string())
    .default([])
    .describe("Value for sb.env, as NAME=VALUE, or as NAME for a variable of the environment"),
  input: z
    .string()
    .min(1, "expected a file")
    .optional()
    .describe("Text file that the script gets as sb.input"),
});

type WithInputs = z.ZodObject<ReturnType<typeof scriptInputFields>>;

/** Keys that make no sense to an agent, whose script has no command line. */
export const scriptInputKeys = ["env", "input"] as const;

export function scriptInputFlags<S extends WithInputs>(schema: Schema<S>): readonly Flag[] {
  return flagsOf<WithInputs>(schema, {
    env: { kind: "repeats", label: "NAME[=VALUE]" },
    input: { kind: "string", label: "FILE" },
  });
}

export interface ScriptInputs {
  /** Each as `NAME=VALUE`. */
  readonly variables: readonly string[];
  readonly input?: string;
}

/** Throws INVALID_INPUT for a variable that is not there, FILE_ERROR for the file. */
export async function readScriptInputsAsync(
  { env, input }: z.output<WithInputs>,
  environment: { readonly [name: string]: string | undefined } = process.env,
): Promise<ScriptInputs> {
  const variables = variablesOf(env, environment);
  if (input === undefined) return { variables };
  if (input === "-")
    throw invalidInput(
      "--input: expected a file, got -.",
      "A script reads stdin with sb.readAll() or sb.readLine().",
    );
  return { variables, input: await readInputFileAsync(input) };
}

function variablesOf(
  words: readonly string[],
  environment: { readonly [name: string]: string | undefined },
): string[] {
  const names = new Set<string>();
  return words.map((word) => {
    const equals = word.indexOf("=");
    const name = equals === -1 ? word : word.slice(0, equals);
    if (name === "") throw invalidInput("--env: expected NAME=VALUE or NAME.", "For example: --env ROUNDS=3");
    if (names.has(name)) throw invalidInput(`--env: ${name} is given twice.`, "Leave out one of them.");
    names.add(name);
    if (equals !== -1) return word;
    const value = environment[name];
    if (value === undefined)
      throw invalidInput(
        `--env: there is no variable ${name} in the environment.`,
        `Set it, or give its value: --env ${name}=VALUE`,
      );
    return `${name}=${value}`;
  });
}
