/** The words that a field of a command's input accepts, if it accepts only certain ones. */
import type { CommandFacts } from "../facts.ts";
import { sessionTargetSchema } from "../../session/session-target.ts";

/** Empty for a field that takes any text. Without a command, the fields that all session commands share. */
export function choicesOf(command: Pick<CommandFacts, "input"> | undefined, key: string): readonly string[] {
  const schema = sessionTargetSchema.keys().includes(key) ? sessionTargetSchema : command?.input;
  return schema?.field(key).choices ?? [];
}
