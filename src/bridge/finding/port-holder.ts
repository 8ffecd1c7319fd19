/**
 * Finds out which process holds a port that does not answer, for one error message: from a host's own note, else from
 * what the system can say quickly. The answer is used for nothing else, because it may be wrong.
 */
import * as fs from "node:fs";
import { hostPid } from "../host/host-file.ts";

interface PortHolder {
  readonly pid: number;
  /** The process has left a note that says it is a bridge host. */
  readonly isHost: boolean;
}

const TOOL_PATIENCE_MS = 400;
/** TCP_LISTEN in /proc/net/tcp (Linux, net/tcp_states.h). */
const LISTENING = "0A";

export function portHolder(port: number): PortHolder | undefined {
  const noted = hostPid(port);
  if (noted !== undefined) return { pid: noted, isHost: true };
  const pid = pidFromSystem(port);
  return pid === undefined ? undefined : { pid, isHost: false };
}

function pidFromSystem(port: number): number | undefined {
  try {
    if (process.platform === "linux") return pidFromProc(port);
    return process.platform === "win32" ? pidFromNetstat(port) : pidFromLsof(port);
  } catch {
    return undefined;
  }
}

function pidFromProc(port: number): number | undefined {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, "0")}`;
  const lines = ["/proc/net/tcp", "/proc/net/tcp6"].flatMap((path) =>
    fs.existsSync(path) ? fs.readFileSync(path, "utf8").split("\n") : [],
  );
  const inodes = lines
    .map((line) => line.trim().split(/\s+/))
    .filter(([, local, , state]) => local?.endsWith(suffix) === true && state === LISTENING)
    .map((columns) => `socket:[${columns[9]}]`);
  if (inodes.length === 0) return undefined;
  return fs
    .readdirSync("/proc")
    .map(Number)
    .find((pid) => pid > 0 && openFiles(pid).some((target) => inodes.includes(target)));
}

/** Empty for a process that belongs to another user or has just ended. */
function openFiles(pid: number): string[] {
  try {
    const folder = `/proc/${pid}/fd`;
    return fs.readdirSync(folder).map((name) => readLink(`${folder}/${name}`));
  } catch {
    return [];
  }
}

function readLink(path: string): string {
  try {
    return fs.readlinkSync(path);
  } catch {
    return "";
  }
}

// UNVERIFIED: the tools of macOS and Windows behave as their manuals say. If they do not, no pid is named.
function pidFromLsof(port: number): number | undefined {
  return firstPid(runTool(["lsof", "-nP", "-t", `-iTCP:${port}`, "-sTCP:LISTEN"]));
}

function pidFromNetstat(port: number): number | undefined {
  const line = runTool(["netstat", "-ano", "-p", "TCP"])
    .split("\n")
    .map((text) => text.trim().split(/\s+/))
    .find(([, local, , state]) => local?.endsWith(`:${port}`) === true && state === "LISTENING");
  return firstPid(line?.[4] ?? "");
}

function runTool(command: string[]): string {
  const options = { env: process.env, timeout: TOOL_PATIENCE_MS, stderr: "ignore" } as const;
  return Bun.spawnSync(command, options).stdout.toString();
}

function firstPid(text: string): number | undefined {
  const pid = Number.parseInt(text, 10);
  return pid > 0 ? pid : undefined;
}
