/** How a command's input is typed on a command line. Data only; `parse-words.ts` reads it. */
import type { z } from "zod";
import type { Schema } from "../../protocol/schema.ts";

/**
 * A `time` is typed as `30s` or in plain milliseconds, and its value is in milliseconds. A `list` takes several values
 * with commas between them; a flag that `repeats` takes one value each time it is given.
 */
type FlagKind = "boolean" | "string" | "number" | "time" | "list" | "repeats";

/** Kinds of words that completion looks up at the Tab key, because only this machine knows them. */
export type Lookup =
  | "files"
  | "sessions"
  | "instances"
  | "suites"
  | "targets"
  | "commits"
  | "paths"
  /** Paths, and behind the last dot the properties of what the others lead to. */
  | "members"
  /** What `sb diff` compares, beside contexts. */
  | "sides"
  | "properties"
  | "classes"
  | "newClasses"
  | "api"
  | "checkpoints";

export interface Flag {
  /** Without the dashes. */
  readonly name: string;
  /** The field that its value fills. */
  readonly key: string;
  readonly alias?: string;
  readonly kind: FlagKind;
  /** What stands for the value in help, e.g. `MS`. */
  readonly label?: string;
  /** Words that the value may be beside others; those of a field with nothing else are in its schema. */
  readonly values?: readonly string[];
  readonly lookup?: Lookup;
  /** An empty text is a value too. */
  readonly mayBeEmpty?: boolean;
  /** What the flag means without a value. */
  readonly bareValue?: number | string;
  /** Of a flag that needs no value: whether the next word is its value. By default every word is. */
  readonly isValue?: (word: string) => boolean;
  /** Asked for by help only, because it may come from a schema that is not built yet. */
  readonly describe: () => string;
  /** `--no-NAME` says false. */
  readonly negatable?: boolean;
  /** Works, but help does not show it. */
  readonly hidden?: boolean;
  /** The input it stands for. */
  readonly sets: (value: string | number | boolean | readonly string[]) => {
    readonly [key: string]: unknown;
  };
}

export interface Positional {
  /** The input field it fills. */
  readonly key: string;
  /** As help shows it, e.g. `FILE`. */
  readonly label: string;
  readonly required?: boolean;
  /** A whole number. */
  readonly isNumber?: boolean;
  /** Takes every remaining word, as a list. */
  readonly repeated?: boolean;
  /** Words beside the names of commands that a `COMMAND` may be. */
  readonly topics?: readonly { readonly value: string; readonly description: string }[];
  /** Words that it may be beside others, for completion; those of a field with nothing else are in its schema. */
  readonly values?: readonly string[];
  readonly lookup?: Lookup;
  /** `-` stands for what arrives on stdin. */
  readonly dashReadsStdin?: boolean;
}

interface Conflict {
  readonly flags: readonly string[];
  /** The input field of a word that has to be there as well. */
  readonly positional?: string;
  readonly message: string;
  readonly hint?: string;
}

export interface CliSpelling {
  readonly positionals?: readonly Positional[];
  /** The field that takes the words after `--`; without it they are ordinary words that may start with a dash. */
  readonly rest?: { readonly key: string; readonly label: string; readonly description: string };
  readonly flags?: readonly Flag[];
  /** Flags that exclude each other, with the sentence that says so. */
  readonly conflicts?: readonly Conflict[];
  readonly hidden?: boolean;
  /** The flag whose folder the process works in from the start on, as if it had been started there. */
  readonly workingFolderFlag?: string;
  /** Every word goes into this field as it stands; the command reads flags of its own among them. */
  readonly raw?: { readonly key: string; readonly usage: string };
  /** It starts something on this machine, so the bridge host is here too. */
  readonly isLocal?: boolean;
  /** What older tools called it, in two words; works, and help does not show it. */
  readonly olderNames?: readonly string[];
  /** It has no target of its own, and connects to the bridge host where its words ask for a Studio. */
  readonly mayConnect?: boolean;
  /** It may ask a question, which `--yes` answers. */
  readonly asks?: boolean;
}

/** What a flag adds to the input field that it fills. Its name, its text and what it sets follow from the field. */
type FlagSpelling = Pick<Flag, "kind"> & Partial<Omit<Flag, "key" | "kind">>;

/** The flags of fields, in this order; a kind alone is enough for many. The field `dryRun` is `--dry-run`. */
export function flagsOf<S extends z.ZodObject>(
  schema: Schema<S>,
  spellings: { readonly [Key in keyof z.input<S>]?: FlagKind | FlagSpelling },
): Flag[] {
  return Object.entries<FlagKind | FlagSpelling | undefined>(spellings).flatMap(([key, spelling]) => {
    if (spelling === undefined) return [];
    return {
      name: key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
      key,
      describe: () => schema.field(key).description ?? "",
      sets: (value) => ({ [key]: value }),
      ...(typeof spelling === "string" ? { kind: spelling } : spelling),
    };
  });
}
