/**
 * The key for Roblox Open Cloud. It comes from one environment variable and leaves this module only for the header of a
 * request: no child process, script, log or error has it. It imports nothing, because it is loaded before anything else.
 */
export const KEY_VARIABLE = "ROBLOX_OPEN_CLOUD_API_KEY";

let key: string | undefined;

/**
 * Takes the key out of the environment, because every child process gets a copy of that. To be called at the start. Bun
 * gives its own copy of the first environment to a child for which none is named; `scripts/check/environments.ts` finds those.
 */
export function takeApiKey(): void {
  key = process.env[KEY_VARIABLE]?.trim();
  delete process.env[KEY_VARIABLE];
}

/** Undefined where the variable was not set. */
export const apiKey = (): string | undefined => (key === "" ? undefined : key);
