/**
 * The files of the plugin and of the engine that the Luau analyzer does not pass under `--!strict`, each with the reason.
 * A file leaves this list in the commit in which it begins with `--!strict`.
 */
export const uncheckedFiles: Readonly<Record<string, string>> = {};
