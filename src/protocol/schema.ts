/**
 * How a schema is written and read. It is written once, as a function of zod, and read without zod: the same function,
 * given the builder of `plain-reader.ts`, makes a reader that takes exactly the values that the schema takes. Loading
 * zod takes longer than most commands run, so that it is loaded only to say what is wrong with a value and to show a
 * schema.
 */
import type { z } from "zod";
import { lazy } from "./lazy.ts";
import { plainBuilder } from "./plain-reader.ts";
import type { PlainReader } from "./plain-reader.ts";

/** As much of zod as schemas are written with. */
export type Zod = typeof import("./zod.ts");

export interface Schema<S extends z.ZodType> {
  /** The schema itself; inside another one, made with what that is made with. */
  (builder?: Zod): S;
  /** What the schema makes of a value; undefined where it does not fit. Needs no zod. */
  read(value: unknown): { readonly value: z.output<S> } | undefined;
  /** The keys of an object. Needs no zod. */
  keys(): readonly string[];
  /** What is known of an object's field. Needs no zod. */
  field(key: string): FieldFacts;
}

/** What a schema gives. */
export type OutputOf<S extends () => z.ZodType> = z.output<ReturnType<S>>;

interface FieldFacts {
  readonly description?: string;
  /** The words that it takes, where they are few. */
  readonly choices?: readonly string[];
}

export function loadZod(): Zod {
  return require("./zod.ts");
}

// It has the functions of zod that schemas are written with; what they make is only ever asked for what it can do.
const plain = plainBuilder as unknown as Zod;

/** Made when it is first asked for, once. */
export function defineSchema<S extends z.ZodType>(make: (z: Zod) => S): Schema<S> {
  const full = lazy(() => make(loadZod()));
  const standIn = lazy(() => make(plain));
  const reader = () => standIn() as unknown as PlainReader;
  return Object.assign((builder?: Zod) => (builder === plain ? standIn() : full()), {
    read: (value: unknown) => reader().read(value) as { readonly value: z.output<S> } | undefined,
    keys: () => Object.keys(reader().shape),
    field: (key: string): FieldFacts => reader().shape[key]?.facts ?? {},
  });
}
