/**
 * The Bun executables that `sb` is built from, one for each target. Each is fetched once from npm into `.tools/runtimes`,
 * and must be the file that bun.lock names by its hash.
 */
import { mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { unpackTar } from "modern-tar";
import { hexOf, lockedAsync } from "./lock-file.ts";
import type { LockedPackage } from "./lock-file.ts";
import type { Target } from "./targets.ts";

const root = join(import.meta.dir, "..", "..");
const cache = join(root, ".tools", "runtimes");

/** The path of the executable, where it has been fetched. */
export async function cachedRuntimeAsync(target: Target): Promise<string | undefined> {
  const path = pathOf(target, await lockedAsync(target.runtime));
  return (await Bun.file(path).exists()) ? path : undefined;
}

/** The hash is part of the path, so that another version of Bun is another file. */
function pathOf({ os }: Target, { id, integrity }: LockedPackage): string {
  const hash = hexOf(integrity).slice(0, 16);
  return join(cache, `${basename(id)}-${hash}`, os === "windows" ? "bun.exe" : "bun");
}

/** Fetches the executable where it is not there yet. */
export async function runtimeAsync(target: Target): Promise<string> {
  return (await cachedRuntimeAsync(target)) ?? fetchAsync(target);
}

async function fetchAsync(target: Target): Promise<string> {
  const locked = await lockedAsync(target.runtime);
  const path = pathOf(target, locked);
  await mkdir(cache, { recursive: true });
  const staging = await mkdtemp(join(cache, ".fetch-"));
  try {
    const executable = executableIn(await packageAsync(locked, staging), basename(path));
    await Bun.write(join(staging, "found", basename(path)), await executable, { mode: 0o755 });
    // Another build may have come first; its file is the same.
    await rename(join(staging, "found"), join(path, "..")).catch(() => undefined);
    if (!(await Bun.file(path).exists())) throw new Error(`${path} cannot be written`);
    return path;
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

/** npm asks the registry that this machine is set up for. */
async function packageAsync({ id, integrity }: LockedPackage, folder: string): Promise<Uint8Array> {
  const npm = process.platform === "win32" ? "npm.cmd" : "npm";
  const child = Bun.spawn([npm, "pack", "--silent", "--pack-destination", folder, id], {
    cwd: folder,
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [name, complaint, exitCode] = await Promise.all([
    child.stdout.text(),
    child.stderr.text(),
    child.exited,
  ]);
  if (exitCode !== 0) throw new Error(`npm could not fetch ${id}\n${complaint.trim()}`);
  const bytes = await Bun.file(join(folder, name.trim().split("\n").at(-1) ?? "")).bytes();
  const found = `sha512-${new Bun.CryptoHasher("sha512").update(bytes).digest("base64")}`;
  if (found !== integrity) throw new Error(`${id} is not the file that bun.lock names: its hash is ${found}`);
  return bytes;
}

async function executableIn(archive: Uint8Array, name: string): Promise<Uint8Array> {
  const entries = await unpackTar(Bun.gunzipSync(new Uint8Array(archive)), {
    filter: (header) => header.name === `package/bin/${name}`,
  });
  const data = entries[0]?.data;
  if (data === undefined) throw new Error(`the package has no bin/${name}`);
  return data;
}
