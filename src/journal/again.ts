/** The commands by which a call of the journal can be made again, for POSIX shells and PowerShell. */
import type { JournaledCall } from "./read.ts";

/** Commands that are whole with their path; of others the journal does not have all that they were given. */
const WHOLE: { readonly [action: string]: string } = {
  queryDataModel: "query",
  readScript: "script read",
};

/** Empty where the call cannot be made of what is known, or where the path has a line break or another control character. */
export function commandsAgain({
  action,
  summary,
}: Pick<JournaledCall, "action" | "summary">): readonly string[] {
  const command = WHOLE[action];
  if (command === undefined || !summary.startsWith(`${command} `) || summary.endsWith("…")) return [];
  const path = summary.slice(command.length + 1);
  if (/\p{Cc}|\p{Cf}|\p{Zl}|\p{Zp}/u.test(path) || path.startsWith("-")) return [];
  const posix = `'${path.replaceAll("'", "'\\''")}'`;
  // In single quotes PowerShell knows no escape but a doubled quote, and takes curly quotes for straight ones.
  const powershell = `'${path.replace(/['‘’‚‛]/g, "$&$&")}'`;
  return [...new Set([`sb ${command} ${posix}`, `sb ${command} ${powershell}`])];
}
