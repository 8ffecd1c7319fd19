/**
 * Builds `dist/sb` for this machine: prepares what the binary embeds, compiles, and runs the result once. Any message
 * from the compiler is fatal, because Bun can report a broken bytecode build as a success with a log line.
 */
import { mkdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { prepareAsync } from "./scripts/prepare.ts";
import packageJson from "./package.json" with { type: "json" };

const root = import.meta.dir;
const name = process.platform === "win32" ? "sb.exe" : "sb";
export const binaryPath = join(root, "dist", name);

/** Fails with one line per problem. */
class BuildError extends Error {}

async function compileAsync(outfile: string, pluginBuildId: string): Promise<void> {
  const result = await Bun.build({
    // The second is the thread of headless Studio's VM; `root` fixes its path inside the binary.
    entrypoints: [join(root, "src/main.ts"), join(root, "src/headless/process/worker.ts")],
    root: join(root, "src"),
    target: "bun",
    format: "esm",
    minify: true,
    bytecode: true,
    splitting: true,
    define: {
      SB_VERSION: JSON.stringify(packageJson.version),
      SB_BUILD_ID: JSON.stringify(pluginBuildId),
    },
    compile: {
      outfile,
      autoloadDotenv: false,
      autoloadBunfig: false,
      // Most runs end before compiled code pays off; those that stay say so (src/util/long-run.ts).
      jitPolicy: 8,
    },
    throw: false,
  });
  if (!result.success || result.logs.length > 0) throw new BuildError(result.logs.map(String).join("\n"));
}

/** The compiled file must answer with the version it was given. */
function smokeRun(path: string): void {
  const { exitCode, stdout, stderr } = Bun.spawnSync([path, "--version"]);
  const answer = stdout.toString().trim();
  if (exitCode !== 0 || answer !== packageJson.version) {
    throw new BuildError(`the built binary does not run: ${answer}${stderr.toString()}`);
  }
}

/** Leaves the old binary in place until the new one has proven that it runs. */
export async function buildAsync(): Promise<void> {
  const { pluginBuildId } = await prepareAsync();
  const staging = join(root, "dist", ".staging");
  await mkdir(staging, { recursive: true });
  try {
    const built = join(staging, name);
    await compileAsync(built, pluginBuildId);
    smokeRun(built);
    await rename(built, binaryPath);
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

if (import.meta.main) {
  try {
    await buildAsync();
    console.error(`built ${join("dist", name)} (${(Bun.file(binaryPath).size / 1e6).toFixed(0)} MB)`);
  } catch (error) {
    console.error(`error: build failed\n${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
  }
}
