/** Makes the command that runs the failed cases again under the same conditions. The summary of a run shows it. */
import { shellWord } from "../../util/shell-word.ts";

/** The flags on which it depends which cases fail. The command repeats them and leaves out all others. */
export interface AgainFlags {
  readonly suite?: string | undefined;
  readonly on?: string | undefined;
  readonly context?: string | undefined;
  readonly players?: number | undefined;
  readonly place?: string | undefined;
  readonly data?: string | undefined;
  readonly throttle?: boolean | undefined;
  readonly fixtures?: string | undefined;
  readonly walk?: boolean | undefined;
  readonly strictGeometry?: boolean | undefined;
  readonly viewport?: string | undefined;
  readonly insets?: string | undefined;
  readonly device?: string | undefined;
  readonly fonts?: string | undefined;
  readonly allowStale?: boolean | undefined;
  readonly history?: string | undefined;
}

/** `paths` are the files that are tests only because the caller named them, so that the command has to name them again. */
export function againCommand(
  { throttle, walk, strictGeometry, allowStale, ...flags }: AgainFlags,
  paths: readonly string[] = [],
): string {
  const words = Object.entries(flags).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name} ${shellWord(String(value))}`],
  );
  return [
    "sb test",
    ...paths.map(shellWord),
    "--failed",
    ...words,
    ...(throttle === true ? ["--throttle"] : []),
    ...(walk === undefined ? [] : [walk ? "--walk" : "--no-walk"]),
    ...(strictGeometry === true ? ["--strict-geometry"] : []),
    ...(allowStale === true ? ["--allow-stale"] : []),
  ].join(" ");
}
