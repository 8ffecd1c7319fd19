/** Where studio-bridge keeps what outlives a process. Says the paths only; creates nothing. */
import { posix, win32 } from "node:path";
import { homeFolder } from "./home-folder.ts";

export type Environment = { readonly [name: string]: string | undefined };

/** Throws NoHomeFolderError where the folder would be in a home folder that does not exist. */
export function stateFolder(
  env: Environment = process.env,
  platform: NodeJS.Platform = process.platform,
  home?: string,
): string {
  const parent = stateHome(env, platform, () => home ?? homeFolder());
  return pathsOf(platform).join(parent, "studio-bridge");
}

/** Of a file in the state folder. */
export function stateFile(name: string, env: Environment = process.env): string {
  return pathsOf(process.platform).join(stateFolder(env), name);
}

function stateHome(env: Environment, platform: NodeJS.Platform, home: () => string): string {
  const chosen = env["XDG_STATE_HOME"];
  const { isAbsolute, join } = pathsOf(platform);
  // The XDG base directory specification tells us to ignore relative paths.
  if (chosen !== undefined && isAbsolute(chosen)) return chosen;
  if (platform === "darwin") return join(home(), "Library", "Application Support");
  if (platform === "win32") return env["LOCALAPPDATA"] ?? join(home(), "AppData", "Local");
  return join(home(), ".local", "state");
}

/** Of the platform that is asked about, which a test may choose. */
function pathsOf(platform: NodeJS.Platform) {
  return platform === "win32" ? win32 : posix;
}
