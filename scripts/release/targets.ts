/**
 * The systems that `sb` is built for. File names, installers, package managers and tests derive from this table, so a new
 * system is a new row.
 */
import { readElf } from "./elf.ts";

type Os = "linux" | "macos" | "windows";
type Architecture = "x86_64" | "aarch64";
type Libc = "gnu" | "musl";

export interface Target {
  /** Part of each file name of a release. Linux always names its libc, because tools that find none take the wrong file. */
  readonly name: string;
  readonly os: Os;
  readonly architecture: Architecture;
  /** Linux only. */
  readonly libc?: Libc;
  /** What Bun calls it. */
  readonly bun: Bun.Build.CompileTarget;
  /** The npm package of the Bun executable that becomes part of `sb`. */
  readonly runtime: string;
}

function target(
  bun: Bun.Build.CompileTarget,
  runtime: string,
  os: Os,
  architecture: Architecture,
  libc?: Libc,
): Target {
  const name = [os, architecture, ...(libc === undefined ? [] : [libc])].join("-");
  return {
    name,
    os,
    architecture,
    ...(libc === undefined ? {} : { libc }),
    bun,
    runtime: `@oven/bun-${runtime}`,
  };
}

export const targets: readonly Target[] = [
  target("bun-linux-x64", "linux-x64", "linux", "x86_64", "gnu"),
  target("bun-linux-x64-musl", "linux-x64-musl", "linux", "x86_64", "musl"),
  target("bun-linux-arm64", "linux-aarch64", "linux", "aarch64", "gnu"),
  target("bun-linux-arm64-musl", "linux-aarch64-musl", "linux", "aarch64", "musl"),
  target("bun-darwin-arm64", "darwin-aarch64", "macos", "aarch64"),
  target("bun-darwin-x64", "darwin-x64", "macos", "x86_64"),
  target("bun-windows-x64", "windows-x64", "windows", "x86_64"),
  target("bun-windows-arm64", "windows-aarch64", "windows", "aarch64"),
];

/** Throws an Error that lists the names there are. */
export function targetNamed(name: string): Target {
  const found = targets.find((candidate) => candidate.name === name);
  if (found !== undefined) return found;
  throw new Error(
    `there is no target ${name}; the targets are ${targets.map((known) => known.name).join(", ")}`,
  );
}

export const executableName = ({ os }: Target): string => (os === "windows" ? "sb.exe" : "sb");

/** Of the file that people download. */
export function archiveName({ name, os }: Target, version: string): string {
  return `studio-bridge-${version}-${name}.${os === "windows" ? "zip" : "tar.gz"}`;
}

const systems: { readonly [platform: string]: Os } = { linux: "linux", darwin: "macos", win32: "windows" };
const architectures: { readonly [name: string]: Architecture } = { x64: "x86_64", arm64: "aarch64" };

/** Enough of an executable for its headers and the name of its loader. */
const HEADER_BYTES = 64 * 1024;

/** What this Bun runs on; undefined where `sb` is not released for it. */
export async function hostTargetAsync(): Promise<Target | undefined> {
  const [os, architecture] = [systems[process.platform], architectures[process.arch]];
  const libc = os === "linux" ? await libcOfBunAsync() : undefined;
  return targets.find(
    (candidate) => candidate.os === os && candidate.architecture === architecture && candidate.libc === libc,
  );
}

async function libcOfBunAsync(): Promise<Libc> {
  const start = await Bun.file(process.execPath).slice(0, HEADER_BYTES).bytes();
  return readElf(start).interpreter?.includes("musl") === true ? "musl" : "gnu";
}
