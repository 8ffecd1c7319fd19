/** The command that runs failed cases again in the same place as before, which the summary of a run shows. */
import { shellWord } from "../../util/shell-word.ts";

/** The flags that say what runs where. The others are left out, because they do not change which cases can fail. */
export interface AgainFlags {
  readonly suite?: string | undefined;
  readonly on?: string | undefined;
  readonly context?: string | undefined;
  readonly players?: number | undefined;
  readonly place?: string | undefined;
  readonly data?: string | undefined;
  readonly throttle?: boolean | undefined;
  readonly history?: string | undefined;
}

/** `paths`: what was named and would not be found without it. */
export function againCommand({ throttle, ...flags }: AgainFlags, paths: readonly string[] = []): string {
  const words = Object.entries(flags).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name} ${shellWord(String(value))}`],
  );
  return [
    "sb test",
    ...paths.map(shellWord),
    "--failed",
    ...words,
    ...(throttle === true ? ["--throttle"] : []),
  ].join(" ");
}
