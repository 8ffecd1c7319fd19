/** The packages that bun.lock names, each by its name and version, with the hash of its archive. */
import { join } from "node:path";
import { memberOf, parseJsonc, valueOf } from "../../src/util/jsonc.ts";

const root = join(import.meta.dir, "..", "..");

export interface LockedPackage {
  /** `NAME@VERSION` */
  readonly id: string;
  /** `sha512-…` in base 64. */
  readonly integrity: string;
}

async function packagesAsync(): Promise<ReadonlyMap<string, unknown>> {
  const lock = parseJsonc(await Bun.file(join(root, "bun.lock")).text());
  const packages = lock === undefined ? undefined : memberOf(lock, "packages");
  const value: unknown = packages === undefined ? {} : valueOf(packages.value);
  return new Map(Object.entries(value ?? {}));
}

function lockedPackage(entry: unknown): LockedPackage | undefined {
  const [id, integrity]: readonly unknown[] = Array.isArray(entry) ? [entry[0], entry.at(-1)] : [];
  if (typeof id !== "string" || typeof integrity !== "string" || !integrity.startsWith("sha512-")) return;
  return { id, integrity };
}

/** The package that is installed under this name. */
export async function lockedAsync(name: string): Promise<LockedPackage> {
  const locked = lockedPackage((await packagesAsync()).get(name));
  if (locked === undefined) throw new Error(`bun.lock has no ${name} with a hash`);
  return locked;
}

/** The SHA-512 of every package by `NAME@VERSION`, as hexadecimal digits. */
export async function lockedHashesAsync(): Promise<ReadonlyMap<string, string>> {
  const locked = [...(await packagesAsync()).values()].flatMap((entry) => lockedPackage(entry) ?? []);
  return new Map(locked.map(({ id, integrity }) => [id, hexOf(integrity)]));
}

/** Of an integrity as bun.lock has it. */
export function hexOf(integrity: string): string {
  return Buffer.from(integrity.slice("sha512-".length), "base64").toString("hex");
}
