/** What this build calls itself. Stamped with `--define` when the binary is built; from source it says so. */
declare const SB_VERSION: string | undefined;
declare const SB_BUILD_ID: string | undefined;

export const version: string = typeof SB_VERSION === "string" ? SB_VERSION : "0.0.0-dev";

/** Names the exact build, so that a plugin from another one can be told apart; `dev` from source. */
export const buildId: string = typeof SB_BUILD_ID === "string" ? SB_BUILD_ID : "dev";
