/**
 * Where studio-bridge keeps what outlives a process. Says the paths only; creates nothing. Every command asks, so that it
 * gets by without `node:path` and `node:os`, which take as long to load as all of our code that a command needs.
 */
export type Environment = { readonly [name: string]: string | undefined };

/** The system knows no home folder for this user, as for a user id that has no account. */
export class NoHomeFolderError extends Error {
  override readonly name = "NoHomeFolderError";

  constructor(cause: unknown) {
    super("This user has no home folder.", { cause });
  }
}

/** Throws NoHomeFolderError where the folder would be in a home folder that does not exist. */
export function stateFolder(
  env: Environment = process.env,
  platform: NodeJS.Platform = process.platform,
  home?: string,
): string {
  return inFolder(
    stateHome(env, platform, () => home ?? homeFolder()),
    platform,
    "studio-bridge",
  );
}

/** Of a file in the state folder. */
export function stateFile(name: string, env: Environment = process.env): string {
  return inFolder(stateFolder(env), process.platform, name);
}

function stateHome(env: Environment, platform: NodeJS.Platform, home: () => string): string {
  const chosen = env["XDG_STATE_HOME"];
  // The XDG base directory specification tells us to ignore relative paths.
  if (chosen !== undefined && isAbsolute(chosen, platform)) return chosen;
  if (platform === "darwin") return inFolder(home(), platform, "Library", "Application Support");
  if (platform === "win32") return env["LOCALAPPDATA"] ?? inFolder(home(), platform, "AppData", "Local");
  return inFolder(home(), platform, ".local", "state");
}

function homeFolder(): string {
  const home = process.env[process.platform === "win32" ? "USERPROFILE" : "HOME"] ?? "";
  if (home !== "") return home;
  try {
    return process.getBuiltinModule("node:os").homedir();
  } catch (error) {
    throw new NoHomeFolderError(error);
  }
}

function isAbsolute(path: string, platform: NodeJS.Platform): boolean {
  return platform === "win32" ? /^([a-z]:)?[\\/]/i.test(path) : path.startsWith("/");
}

function inFolder(folder: string, platform: NodeJS.Platform, ...names: readonly string[]): string {
  const separator = platform === "win32" ? "\\" : "/";
  const start = folder.endsWith("/") || folder.endsWith(separator) ? folder.slice(0, -1) : folder;
  return [start, ...names].join(separator);
}
