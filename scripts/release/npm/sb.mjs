#!/usr/bin/env node
// Starts the sb of the package for this system, which npm installed beside this one. It imports only what Node has.
import { spawn } from "node:child_process";
import { createRequire } from "node:module";

/** Filled in from the table of targets when the package is made. */
const packages = {};

function isMusl() {
  if (process.platform !== "linux" || process.report === undefined) return false;
  // Looking up the names of network addresses could take seconds.
  process.report.excludeNetwork = true;
  return process.report.getReport().header.glibcVersionRuntime === undefined;
}

function executable() {
  const system = `${process.platform}-${process.arch}${isMusl() ? "-musl" : ""}`;
  const name = packages[system];
  if (name === undefined) throw new Error(`there is no sb for ${system}.`);
  try {
    return createRequire(import.meta.url).resolve(`${name}/${process.platform === "win32" ? "sb.exe" : "sb"}`);
  } catch {
    throw new Error(`${name} is not installed. Install studio-bridge again, without leaving out optional packages.`);
  }
}

function start(path) {
  const child = spawn(path, process.argv.slice(2), { stdio: "inherit" });
  const hasTerminal = process.stdin.isTTY || process.stdout.isTTY || process.stderr.isTTY;
  // Ctrl+C reaches every process of a terminal, so that passing it on would make it two.
  process.on("SIGINT", () => hasTerminal || child.kill("SIGINT"));
  for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  child.on("error", fail);
  child.on("exit", (code, signal) => {
    if (signal === null) process.exit(code);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}

function fail(error) {
  console.error(`error: ${error.message}`);
  process.exitCode = 1;
}

try {
  start(executable());
} catch (error) {
  fail(error);
}
