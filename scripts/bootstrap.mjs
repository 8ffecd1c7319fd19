// Runs one of the project's scripts on the pinned Bun, installing Bun and the locked packages first where needed.
// Node runs it, so it imports nothing that is not part of Node.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const isWindows = process.platform === "win32";
const { devDependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

function run(command, args, { quiet = false } = {}) {
  const result = spawnSync(command, args, {
    cwd: root,
    stdio: quiet ? ["ignore", "ignore", "inherit"] : "inherit",
    // npm is a .cmd file on Windows, which only a shell can start.
    shell: isWindows && command === "npm",
  });
  if (result.error) {
    console.error(`error: could not run ${command}: ${result.error.message}`);
    process.exit(1);
  }
  return result.status ?? 1;
}

function bunIn(folder) {
  return join(root, folder, "node_modules", ".bin", isWindows ? "bun.exe" : "bun");
}

/** The pinned Bun: the installed one, else one fetched into .tools so that it can install the rest. */
function findBun() {
  for (const bun of [bunIn("."), bunIn(".tools")]) {
    if (!existsSync(bun)) continue;
    const { stdout } = spawnSync(bun, ["--version"], { encoding: "utf8" });
    if (stdout?.trim() === devDependencies.bun) return bun;
  }
  console.error(`Installing Bun ${devDependencies.bun} …`);
  const flags = ["--no-save", "--no-audit", "--no-fund", "--loglevel=error", "--prefix", ".tools"];
  if (run("npm", ["install", ...flags, `bun@${devDependencies.bun}`]) !== 0) {
    console.error(
      "error: npm could not install Bun. Check the network and the npm registry, then try again.",
    );
    process.exit(1);
  }
  return bunIn(".tools");
}

const bun = findBun();
if (run(bun, ["install", "--frozen-lockfile", "--silent"]) !== 0) {
  console.error("error: the locked packages could not be installed.");
  process.exit(1);
}
process.exit(run(bun, ["run", ...process.argv.slice(2)]));
