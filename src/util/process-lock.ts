/**
 * Lets one process at a time use something. The lock is a file that names its owner; the lock of a process that has ended
 * is taken over.
 */
import { link, mkdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { gitBlobHash } from "./git-blob-hash.ts";
import { parsedJson } from "./parsed-json.ts";
import { randomHex } from "./random-hex.ts";
import { systemCodeOf } from "./system-error.ts";

export interface LockOwner {
  readonly pid: number;
  /** When the system started the process, as far as it can be read; another process may get the same pid later. */
  readonly bornAt?: string;
  /** For people, such as `sb sync --watch`. */
  readonly command: string;
  readonly sinceMs: number;
}

export type ProcessLock =
  | { readonly isOurs: true; readonly releaseAsync: () => Promise<void> }
  | { readonly isOurs: false; readonly owner: LockOwner };

const PRIVATE_FOLDER = 0o700;
const STALE_MARKER_MS = 5_000;
const RETRY_MS = 20;
/** Long enough for a stale marker to become one. */
const ATTEMPTS = 500;

/** Makes the folder of the lock where there is none. Throws the system's error. */
export async function lockAsync(path: string, command: string): Promise<ProcessLock> {
  await mkdir(dirname(path), { recursive: true, mode: PRIVATE_FOLDER });
  const bornAt = await birthOfAsync(process.pid);
  const mine: LockOwner = {
    pid: process.pid,
    ...(bornAt === undefined ? {} : { bornAt }),
    command,
    sinceMs: Date.now(),
  };
  const text = JSON.stringify(mine);
  for (let attempt = 1; ; attempt++) {
    if (await createAsync(path, text)) return { isOurs: true, releaseAsync: () => releaseAsync(path, text) };
    const found = await readFile(path, "utf8").catch(() => undefined);
    if (found === undefined) continue;
    const owner = ownerIn(found);
    if (owner !== undefined && (await isAliveAsync(owner))) return { isOurs: false, owner };
    if (attempt === ATTEMPTS) throw new Error(`the lock ${path} cannot be taken over`);
    await removeDeadAsync(path, found);
  }
}

/** The living process that holds the lock. */
export async function lockOwnerAsync(path: string): Promise<LockOwner | undefined> {
  const found = await readFile(path, "utf8").catch(() => undefined);
  const owner = found === undefined ? undefined : ownerIn(found);
  return owner !== undefined && (await isAliveAsync(owner)) ? owner : undefined;
}

/** The file appears with its content, so that no process reads half an owner. */
async function createAsync(path: string, text: string): Promise<boolean> {
  const own = `${path}.${randomHex(4)}`;
  await writeFile(own, text, { mode: 0o600 });
  try {
    await link(own, path);
    return true;
  } catch (error) {
    if (systemCodeOf(error) === "EEXIST") return false;
    // A file system without hard links.
    return await writeFile(path, text, { flag: "wx", mode: 0o600 }).then(
      () => true,
      (failure: unknown) => {
        if (systemCodeOf(failure) === "EEXIST") return false;
        throw failure;
      },
    );
  } finally {
    await rm(own, { force: true });
  }
}

/**
 * Only the process that makes the marker removes the file of a dead owner, after another look at it. Two processes that
 * removed files on their own could take each other's new locks away.
 */
async function removeDeadAsync(path: string, dead: string): Promise<void> {
  const marker = `${path}.${gitBlobHash(dead).slice(0, 12)}`;
  try {
    await writeFile(marker, "", { flag: "wx" });
  } catch (error) {
    if (systemCodeOf(error) !== "EEXIST") throw error;
    const madeMs = await stat(marker).then(
      (facts) => facts.mtimeMs,
      () => undefined,
    );
    // Its maker has died too.
    if (madeMs !== undefined && Date.now() - madeMs > STALE_MARKER_MS) await rm(marker, { force: true });
    return Bun.sleep(RETRY_MS);
  }
  try {
    const found = await readFile(path, "utf8").catch(() => undefined);
    if (found === dead) await rm(path, { force: true });
  } finally {
    await rm(marker, { force: true });
  }
}

async function releaseAsync(path: string, text: string): Promise<void> {
  const found = await readFile(path, "utf8").catch(() => undefined);
  if (found === text) await rm(path, { force: true });
}

function ownerIn(text: string): LockOwner | undefined {
  const { pid, bornAt, command, sinceMs } = Object(parsedJson(text));
  if (typeof pid !== "number" || typeof command !== "string" || typeof sinceMs !== "number") return undefined;
  return { pid, command, sinceMs, ...(typeof bornAt === "string" ? { bornAt } : {}) };
}

/** A process is the owner if it has its pid and was born at the same time. Where no birth can be read the pid decides. */
async function isAliveAsync({ pid, bornAt }: LockOwner): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (systemCodeOf(error) === "ESRCH") return false;
  }
  const now = await birthOfAsync(pid);
  return bornAt === undefined || now === undefined || bornAt === now;
}

/** Linux tells it in clock ticks since the machine started, and which start that was. */
async function birthOfAsync(pid: number): Promise<string | undefined> {
  try {
    const facts = await readFile(`/proc/${pid}/stat`, "latin1");
    const started = facts.slice(facts.lastIndexOf(")") + 2).split(" ")[19];
    const boot = await readFile("/proc/sys/kernel/random/boot_id", "latin1");
    return started === undefined ? undefined : `${boot.trim()} ${started}`;
  } catch {
    return undefined;
  }
}
