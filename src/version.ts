/** What this build calls itself. Stamped with `--define` when the binary is built; from source it says so. */
declare const SB_VERSION: string | undefined;
declare const SB_BUILD_ID: string | undefined;
declare const SB_TARGET: string | undefined;
declare const SB_COMMIT: string | undefined;

export const version: string = typeof SB_VERSION === "string" ? SB_VERSION : "0.0.0-dev";

/** Names the exact build, so that a plugin from another one can be told apart; `dev` from source. */
export const buildId: string = typeof SB_BUILD_ID === "string" ? SB_BUILD_ID : "dev";

/** The system that this binary was built for, as in the name of its archive, e.g. `linux-x86_64-gnu`. */
export const target: string = typeof SB_TARGET === "string" ? SB_TARGET : "source";

/** The commit that this was built from, with `-dirty` behind it where files differed from it. */
export const commit: string = typeof SB_COMMIT === "string" ? SB_COMMIT : "unknown";

/**
 * The page of the project on GitHub, below which its releases are, as `https://github.com/NAME/studio-bridge`. Empty until
 * there is such a place. `npm run gen` writes it into every file that names it.
 */
export const home: string = "";

/** What a workflow of GitHub names in `uses:` to get `sb`. */
export function setupAction(from = home, release = version): string {
  const [repository, reference] =
    from === "" ? ["OWNER/studio-bridge", "HASH"] : [new URL(from).pathname.slice(1), `v${release}`];
  return `${repository}/.github/actions/setup@${reference}`;
}
