/**
 * Finds out from the path of this `sb` how it was installed, and which command updates it. Package managers keep
 * records of their files, so they must do the update.
 */
import { home } from "../version.ts";

interface Installation {
  /** In words, behind "installed". */
  readonly by: string;
  readonly update: string;
}

/** First match wins; the path has `/` between its folders. */
const managers: readonly { readonly path: RegExp; readonly by: string; readonly update: string }[] = [
  {
    path: /\/node_modules\/(?:\.bun\/|@studio-bridge\/|studio-bridge\/)/,
    by: "by a package manager of Node",
    update: "npm install studio-bridge@latest, where it was installed",
  },
  { path: /\/(?:Cellar|linuxbrew)\//, by: "by Homebrew", update: "brew upgrade studio-bridge" },
  { path: /\/scoop\/(?:apps|shims)\//i, by: "by Scoop", update: "scoop update studio-bridge" },
  { path: /\/\.rokit\//, by: "by rokit", update: "rokit update sb" },
  { path: /\/mise\/installs\//, by: "by mise", update: "mise upgrade" },
  {
    path: /\/dist\/(?:[^/]+\/)?sb(?:\.exe)?$/,
    by: "by a build from source",
    update: "npm run build, after git pull",
  },
];

/** `executable` is the path behind all links. */
export function installationOf(executable: string, platform: NodeJS.Platform, from = home): Installation {
  const path = executable.replaceAll("\\", "/");
  const manager = managers.find((candidate) => candidate.path.test(path));
  return manager ?? { by: "by hand or by the installer", update: installerCommand(platform, from) };
}

function installerCommand(platform: NodeJS.Platform, from: string): string {
  if (from === "") return "install.sh --from-source, in a checkout of the project";
  const latest = `${from}/releases/latest/download`;
  return platform === "win32" ? `irm ${latest}/install.ps1 | iex` : `curl -fsSL ${latest}/install.sh | sh`;
}
