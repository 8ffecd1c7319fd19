/**
 * The key for Roblox Open Cloud. It comes from one environment variable and leaves this module only for the header of a
 * request: no child process, script, log or error has it. It imports nothing, because it is loaded before anything else.
 */
export const KEY_VARIABLE = "ROBLOX_OPEN_CLOUD_API_KEY";

let key: string | undefined;

/**
 * Moves the key out of the environment, because every child process inherits the environment. Call it at the start of the
 * process. Bun starts a child without an `env` option in a copy of the first environment, which still has the key;
 * `scripts/check/environments.ts` finds such calls.
 */
export function takeApiKey(): void {
  key = process.env[KEY_VARIABLE]?.trim();
  delete process.env[KEY_VARIABLE];
}

/** The key that takeApiKey has found; undefined if the variable was not set or empty. */
export const apiKey = (): string | undefined => (key === "" ? undefined : key);
