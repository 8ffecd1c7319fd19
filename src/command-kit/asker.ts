/** Who asks for what a command needs of a Studio, and the words by which others are told of it. */
import type { Asker } from "../bridge/index.ts";
import type { Caller } from "../protocol/fields/callers.ts";
import { lazy } from "../protocol/lazy.ts";
import { fileName } from "../protocol/summary.ts";
import { randomHex } from "../util/random-hex.ts";
import { version } from "../version.ts";
import type { Command } from "./definition.ts";

/** This process, by an id of its own. */
export const ownCaller = lazy((): Caller => ({ id: randomHex(8), name: "sb", version, pid: process.pid }));

/** `input` is the command's own. */
export function askerOf(
  { name, toldInput = [] }: Command,
  input: { readonly [key: string]: unknown },
  { caller = ownCaller() }: { readonly caller?: Caller },
): Asker {
  const told = toldInput.flatMap((key) => input[key]).filter((value) => typeof value === "string");
  return { caller, verb: [name, ...told.map(fileName)].join(" ") };
}
