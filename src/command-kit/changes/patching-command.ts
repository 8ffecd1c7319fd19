/** What the commands have in common that change the edited place by a patch, or show with `--dry-run` what one would change. */
import type { CommandFacts } from "../facts.ts";

export const patchingCommand = {
  target: "session",
  waitsFor: "applyPatch",
  defaultContext: "edit",
  patchesPlace: true,
  namesContext: () => true,
  onlyLooks: ({ dryRun }: { readonly [key: string]: unknown }) => dryRun === true,
} as const satisfies Partial<CommandFacts>;
