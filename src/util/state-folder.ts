/** Where studio-bridge keeps what outlives a process. Says the path only; creates nothing. */
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";

export type Environment = { readonly [name: string]: string | undefined };

export function stateFolder(
  env: Environment = process.env,
  platform: NodeJS.Platform = process.platform,
  home: string = homedir(),
): string {
  return join(stateHome(env, platform, home), "studio-bridge");
}

function stateHome(env: Environment, platform: NodeJS.Platform, home: string): string {
  const chosen = env["XDG_STATE_HOME"];
  // The XDG base directory specification tells us to ignore relative paths.
  if (chosen !== undefined && isAbsolute(chosen)) return chosen;
  if (platform === "darwin") return join(home, "Library", "Application Support");
  if (platform === "win32") return env["LOCALAPPDATA"] ?? join(home, "AppData", "Local");
  return join(home, ".local", "state");
}
