/**
 * Begins to read the files that a command needs before it can connect: the project file and the machine's key. They are
 * read by other threads, which takes a millisecond or more, while this one loads citty and reads the words.
 */
import type { ConnectOptions } from "../bridge/index.ts";
import type { CommandFacts } from "../command-kit/facts.ts";
import type { CheckedWords } from "../command-kit/words/check-words.ts";
import { type FoundSettings, noSettings, settingsForAsync } from "./defaults.ts";

export interface ReadAhead {
  readonly settings: Promise<FoundSettings>;
  /** Undefined for a command that does not connect, or that decides by itself when it does. */
  readonly prover: ConnectOptions["prover"];
}

/** A failure does not show until its result is awaited. */
export function readAhead(command: CommandFacts, { flags, wantsHelp }: CheckedWords): ReadAhead {
  if (wantsHelp) return { settings: Promise.resolve(noSettings), prover: undefined };
  const connects = command.target === "session" || command.target === "bridge";
  const settings = settingsForAsync(command);
  const prover = connects && !flags.has("headless") ? loadProverAsync() : undefined;
  for (const reading of [settings, prover]) reading?.catch(() => undefined);
  return { settings, prover };
}

async function loadProverAsync() {
  return (await import("../bridge/index.ts")).loadProverAsync();
}
