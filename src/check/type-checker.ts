/** What `sb check` needs of a type checker: the seam at which luau-lsp stands, and at which one inside of the binary could. */
import type { Finding } from "./finding.ts";

export interface CheckJob {
  /** Where the checker works, and what names of files are relative to. */
  readonly folder: string;
  /** Absolute paths. Findings in other files are left out. */
  readonly files: readonly string[];
  /** JSON that maps Instances to absolute paths; undefined where nothing says which Instances there are. */
  readonly sourcemap: string | undefined;
  /** Roblox's API in Luau. */
  readonly definitions: string;
  /** A file with the settings that hold where no `.luaurc` says otherwise. */
  readonly baseConfig?: string | undefined;
  readonly signal: AbortSignal;
  /** For the whole job. */
  readonly timeoutMs: number;
}

export interface TypeChecker {
  readonly name: string;
  readonly version: string;
  /** The findings in order. Throws CHECK_FAILED where the checker does not do its work, and CANCELLED. */
  checkAsync(job: CheckJob): Promise<readonly Finding[]>;
}
