/** Keeps commands that work on a whole Studio from a caller who names one session of its play test. */
import { invalidInput } from "../../protocol/messages.ts";
import type { SessionInfo } from "../../protocol/network.ts";
import { shellWord } from "../../util/shell-word.ts";
import { visibleOnOneLine } from "../../util/visible-controls.ts";
import { bareName, contextTitle } from "../../session/session-messages.ts";
import type { SessionTarget } from "../../session/session-target.ts";

/** What is left of the target when it chooses among Studios alone. */
export function studioTarget({ sessionId, instanceId, timeoutMs }: SessionTarget): SessionTarget {
  return { sessionId, instanceId, timeoutMs };
}

/** Throws INVALID_INPUT if the target names a part of a play test; `found` is what `studioTarget` leads to. */
export function checkWholeStudio(commandName: string, target: SessionTarget, found: SessionInfo): void {
  const part = partOf(target, found);
  if (part === undefined) return;
  const place = visibleOnOneLine(found.placeName);
  throw invalidInput(
    `${part} is a part of the play test in ${place}, and \`sb ${commandName}\` is for the whole Studio.`,
    `\`sb play stop\` ends the test; \`sb ${commandName} -s ${shellWord(place)}\` means the Studio.`,
  );
}

function partOf(target: SessionTarget, found: SessionInfo): string | undefined {
  const { context, player } = target;
  if (player !== undefined) return `Player ${visibleOnOneLine(player)}`;
  if (context !== undefined && context !== "edit") return `The ${context}`;
  return found.context !== "edit" && namesSession(target, found) ? contextTitle(found) : undefined;
}

/** False for a caller who named only a Studio, or nothing. */
export function namesSession(
  { sessionId, context, player }: SessionTarget,
  { placeName }: SessionInfo,
): boolean {
  if (context !== undefined || player !== undefined) return true;
  if (sessionId === undefined) return false;
  const named = sessionId.toLowerCase();
  return ![placeName, bareName(placeName)].some((name) => name.toLowerCase() === named);
}
