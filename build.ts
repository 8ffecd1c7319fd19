/**
 * Builds `sb`: prepares what the binary embeds, and compiles. Without a target it is `dist/sb` for this machine, which is
 * run once before it replaces the old one; `--target NAME` builds `dist/NAME/sb` for another system.
 */
import { mkdir, rename, rm } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { parseArgs } from "node:util";
import { signAdHoc } from "./scripts/release/macho.ts";
import { runtimeAsync } from "./scripts/release/runtimes.ts";
import { executableName, hostTargetAsync, targetNamed } from "./scripts/release/targets.ts";
import type { Target } from "./scripts/release/targets.ts";
import { withOwnNames } from "./scripts/release/windows-resources.mjs";
import { packedTextsAsync } from "./scripts/packed-texts.ts";
import { prepareAsync } from "./scripts/prepare.ts";
import { startUpChunkAsync } from "./scripts/start-up-chunk.ts";
import { unusedValidator } from "./scripts/unused-validator.ts";
import packageJson from "./package.json" with { type: "json" };

const root = import.meta.dir;
const name = process.platform === "win32" ? "sb.exe" : "sb";
export const binaryPath = join(root, "dist", name);

/** Fails with one line per problem. */
class BuildError extends Error {}

interface Compilation {
  readonly outfile: string;
  readonly pluginBuildId: string;
  /** Named in what the binary says of itself; undefined on a system that is not released for. */
  readonly target: Target | undefined;
  /** Bun's executable for that target; this one where it is left out. */
  readonly runtime?: string;
}

/** Files of the bundle, as Bun lists them. */
export type BundleInputs = NonNullable<Bun.BuildOutput["metafile"]>["inputs"];

/** How the sources become the files of the binary. */
export async function bundleOptionsAsync({
  pluginBuildId,
  target,
}: Pick<Compilation, "pluginBuildId" | "target">) {
  return {
    // The others are threads: of headless Studio's VM, and of a search. `root` fixes their paths inside the binary.
    entrypoints: ["main.ts", "headless/process/worker.ts", "scripts/search-worker.ts"].map((file) =>
      join(root, "src", file),
    ),
    root: join(root, "src"),
    target: "bun",
    format: "esm",
    minify: true,
    splitting: true,
    metafile: true,
    define: {
      SB_VERSION: JSON.stringify(packageJson.version),
      SB_BUILD_ID: JSON.stringify(pluginBuildId),
      SB_TARGET: JSON.stringify(target?.name ?? "unreleased"),
      SB_COMMIT: JSON.stringify(commit()),
    },
    plugins: [await startUpChunkAsync(), await packedTextsAsync(), unusedValidator],
  } satisfies Partial<Bun.BuildConfig>;
}

async function compileAsync(compilation: Compilation): Promise<BundleInputs> {
  const { outfile, target, runtime } = compilation;
  const forTarget =
    target === undefined || runtime === undefined ? {} : { target: target.bun, executablePath: runtime };
  const result = await Bun.build({
    ...(await bundleOptionsAsync(compilation)),
    bytecode: true,
    // For the positions that --verbose prints; the file stays inside the binary.
    sourcemap: "linked",
    compile: {
      outfile,
      ...forTarget,
      autoloadDotenv: false,
      autoloadBunfig: false,
      // Most runs end before compiled code pays off; those that stay say so (src/util/long-run.ts).
      jitPolicy: 8,
    },
    throw: false,
  });
  // Any message is fatal, because Bun can report a broken bytecode build as a success with a line in its log.
  if (!result.success || result.logs.length > 0) throw new BuildError(result.logs.map(String).join("\n"));
  if (target?.os === "macos") await signAsync(outfile);
  return result.metafile?.inputs ?? {};
}

/** With `-dirty` where files differ from it; `unknown` outside a checkout. */
export function commit(): string {
  const describe = ["git", "describe", "--always", "--dirty", "--abbrev=40", "--exclude=*"];
  try {
    const { exitCode, stdout } = Bun.spawnSync(describe, { cwd: root });
    return exitCode === 0 ? stdout.toString().trim() : "unknown";
  } catch {
    return "unknown";
  }
}

async function signAsync(path: string): Promise<void> {
  await Bun.write(path, signAdHoc(await Bun.file(path).bytes(), packageJson.name));
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
    const outfile = join(staging, name);
    await compileAsync({ outfile, pluginBuildId, target: await hostTargetAsync() });
    smokeRun(outfile);
    await rename(outfile, binaryPath);
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

/** Writes `outfile` for another system, which this one need not be able to run. */
export async function buildForAsync(target: Target, outfile: string): Promise<BundleInputs> {
  const { pluginBuildId } = await prepareAsync();
  const runtime = await runtimeAsync(target);
  await mkdir(dirname(outfile), { recursive: true });
  if (target.os !== "windows") return await compileAsync({ outfile, pluginBuildId, target, runtime });
  const named = join(dirname(outfile), ".runtime.exe");
  try {
    await Bun.write(named, withOwnNames(await Bun.file(runtime).bytes(), packageJson.version));
    return await compileAsync({ outfile, pluginBuildId, target, runtime: named });
  } finally {
    await rm(named, { force: true });
  }
}

async function mainAsync(): Promise<void> {
  const { values } = parseArgs({ options: { target: { type: "string" } } });
  const target = values.target === undefined ? undefined : targetNamed(values.target);
  const path = target === undefined ? binaryPath : join(root, "dist", target.name, executableName(target));
  await (target === undefined ? buildAsync() : buildForAsync(target, path));
  console.error(`built ${relative(root, path)} (${(Bun.file(path).size / 1e6).toFixed(0)} MB)`);
}

if (import.meta.main) {
  try {
    await mainAsync();
  } catch (error) {
    console.error(`error: build failed\n${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
  }
}
