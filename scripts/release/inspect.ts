/**
 * Checks a built `sb` without running it, so that one machine can judge the files for every system: the processor, what it
 * needs of the system, its signature, and that our code is in it.
 */
import packageJson from "../../package.json" with { type: "json" };
import { readElf } from "./elf.ts";
import { readMachO, signatureFaults } from "./macho.ts";
import { readPe } from "./pe.ts";
import type { Target } from "./targets.ts";
import { windowsNames } from "./windows-resources.mjs";

const elfMachines = { x86_64: 62, aarch64: 183 } as const;
const machOCpuTypes = { x86_64: 0x01000007, aarch64: 0x0100000c } as const;
const peMachines = { x86_64: 0x8664, aarch64: 0xaa64 } as const;
const CONSOLE = 3;

/** CentOS 7 and everything since has it. */
const NEWEST_GLIBC = "2.17";
const NEWEST_MACOS = "13.0";

const loaders = {
  "x86_64-gnu": "/lib64/ld-linux-x86-64.so.2",
  "aarch64-gnu": "/lib/ld-linux-aarch64.so.1",
  "x86_64-musl": "/lib/ld-musl-x86_64.so.1",
  "aarch64-musl": "/lib/ld-musl-aarch64.so.1",
} as const;

/** Of a bare system; with musl, libstdc++ has to be installed, which install.sh says. */
const linuxLibraries = {
  gnu: /^(lib(c|m|dl|pthread)\.so\.\d+|ld-linux-.*)$/,
  musl: /^(libc\.musl-.*|libstdc\+\+\.so\.6)$/,
} as const;
const macOsLibraries = /^\/(usr\/lib|System\/Library)\//;
const windowsLibraries = /^(ntdll\.dll|kernel32\.dll|bcryptprimitives\.dll|api-ms-win-core-.*\.dll)$/i;

/** The end of what Bun appends to its runtime. */
const PAYLOAD_END = "\n---- Bun! ----\n";
/** By this text the installers know an older sb, which they may replace, from another program of the name. */
const INSTALLER_MARK = "studio-bridge";

/** One sentence for each fault. */
export function executableFaults(target: Target, file: Uint8Array, contains: readonly string[]): string[] {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  const missing = [PAYLOAD_END, INSTALLER_MARK, ...contains].filter((text) => !bytes.includes(text));
  return [
    ...formatFaults(target, file),
    ...missing.map((text) => `it does not contain ${JSON.stringify(text)}`),
  ];
}

function formatFaults(target: Target, file: Uint8Array): string[] {
  if (target.os === "linux") return elfFaults(target, file);
  return target.os === "macos" ? machOFaults(target, file) : peFaults(target, file);
}

function elfFaults({ architecture, libc = "gnu" }: Target, file: Uint8Array): string[] {
  const { machine, interpreter, libraries, symbolVersions } = readElf(file);
  const loader = loaders[`${architecture}-${libc}`];
  const tooNew = symbolVersions
    .filter((version) => version.startsWith("GLIBC_"))
    .filter((version) => Bun.semver.order(semantic(version.slice(6)), semantic(NEWEST_GLIBC)) > 0);
  return [
    ...faultIf(machine !== elfMachines[architecture], `it is for processor ${machine}`),
    ...faultIf(interpreter !== loader, `its loader is ${interpreter}, not ${loader}`),
    ...faultIf(libraries.length === 0, "it names no library"),
    ...strangers(libraries, linuxLibraries[libc]),
    ...tooNew.map((version) => `it needs ${version}`),
  ];
}

function machOFaults({ architecture }: Target, file: Uint8Array): string[] {
  const { cpuType, libraries, oldestMacOs = "0.0" } = readMachO(file);
  return [
    ...faultIf(cpuType !== machOCpuTypes[architecture], `it is for processor ${cpuType}`),
    ...faultIf(
      Bun.semver.order(semantic(oldestMacOs), semantic(NEWEST_MACOS)) > 0,
      `it needs macOS ${oldestMacOs}`,
    ),
    ...strangers(libraries, macOsLibraries),
    ...signatureFaults(file),
  ];
}

function peFaults({ architecture }: Target, file: Uint8Array): string[] {
  const { machine, subsystem, libraries } = readPe(file);
  return [
    ...faultIf(machine !== peMachines[architecture], `it is for processor ${machine}`),
    ...faultIf(subsystem !== CONSOLE, "it is no console program"),
    ...strangers(libraries, windowsLibraries),
    ...nameFaults(file),
  ];
}

/** What Windows shows of it must be ours, not Bun's. */
function nameFaults(file: Uint8Array): string[] {
  const { fileVersion, strings = {}, icons = [] } = windowsNames(file) ?? {};
  const { version } = packageJson;
  return [
    ...faultIf(strings["ProductName"] !== "studio-bridge", `Windows would call it ${strings["ProductName"]}`),
    ...faultIf(strings["OriginalFilename"] !== "sb.exe", `its file would be ${strings["OriginalFilename"]}`),
    ...faultIf(strings["ProductVersion"] !== version, `its version would be ${strings["ProductVersion"]}`),
    ...faultIf(fileVersion !== `${semantic(version)}.0`, `its number would be ${fileVersion}`),
    ...faultIf(!icons.includes(16) || !icons.includes(256), `its icons are ${icons.join(", ")}`),
  ];
}

const faultIf = (isWrong: boolean, sentence: string): string[] => (isWrong ? [sentence] : []);

const strangers = (libraries: readonly string[], known: RegExp): string[] =>
  libraries.filter((name) => !known.test(name)).map((name) => `it needs ${name}`);

/** `2.17` as a version of three numbers. */
const semantic = (version: string): string =>
  [...version.replace(/[-+].*$/, "").split("."), "0", "0"].slice(0, 3).join(".");
