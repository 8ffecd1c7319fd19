/**
 * The notes that hosts leave in the state folder for the next host: read once, by the process that holds the port, and
 * only while they are still true.
 */
import { afterEach, beforeEach, expect, test } from "bun:test";
import * as fs from "node:fs";
import { uptime } from "node:os";
import { join } from "node:path";
import {
  hostPid,
  removeHostFile,
  takeSessionsBefore,
  writeFarewell,
  writeHostFile,
} from "../../../../src/bridge/host/host-file.ts";
import { HostNotes } from "../../../../src/bridge/host/host-notes.ts";
import { stateFolder } from "../../../../src/util/state-folder.ts";
import { untilAsync, withinAsync } from "../../../harness.ts";
import { realWorldAsync } from "../real-world.ts";
import type { RealWorld } from "../real-world.ts";

const PORT = 20_001;
const note = { pid: process.pid, hostId: "h", port: PORT, sessionIds: ["a", "b"] };
const path = () => join(stateFolder(), `host-${PORT}.json`);

let world: RealWorld;
beforeEach(async () => {
  world = await realWorldAsync();
});
afterEach(() => world[Symbol.dispose]());

test("a note of leaving is for the next host alone, and counts before the note of a killed host", () => {
  writeHostFile(note);
  writeFarewell(PORT, ["c"]);
  expect(takeSessionsBefore(PORT)).toEqual(["c"]);
  expect(takeSessionsBefore(PORT)).toEqual(["a", "b"]);
  expect(takeSessionsBefore(PORT + 1)).toEqual([]);
});

test("a note from before the machine's last start names no session that could come back", () => {
  writeHostFile(note);
  const before = Date.now() / 1_000 - uptime() - 60;
  fs.utimesSync(path(), before, before);
  expect(takeSessionsBefore(PORT)).toEqual([]);
});

test("the process that a note names is one that lives", async () => {
  writeHostFile(note);
  expect(hostPid(PORT)).toBe(process.pid);
  const ended = Bun.spawn(["true"]);
  await ended.exited;
  writeHostFile({ ...note, pid: ended.pid });
  expect(hostPid(PORT)).toBe(undefined);
  removeHostFile(PORT);
  expect(fs.existsSync(path())).toBe(false);
});

test("a host keeps its note, and leaves one of leaving instead", async () => {
  const sessionIds = ["a"];
  const notes = new HostNotes(PORT, "h", () => [...sessionIds]);
  const noted = () => fs.existsSync(path()) && fs.readFileSync(path(), "utf8").includes('"b"');
  notes.keep(1);
  sessionIds.push("b");
  notes.keep(2);
  await untilAsync("the note tells of both", () => noted() || undefined);
  notes.leave();
  expect(fs.existsSync(path())).toBe(false);
  expect(takeSessionsBefore(PORT)).toEqual(["a", "b"]);
});

test("a Studio that comes after a quiet time is noted sooner than changes are collected, because the host may be killed", async () => {
  const sessionIds: string[] = [];
  const notes = new HostNotes(PORT, "h", () => [...sessionIds]);
  notes.keep(0);
  await untilAsync("there is a note", () => fs.existsSync(path()) || undefined);
  await withinAsync(15, async () => {
    await Bun.sleep(30);
    const sessionId = `s${sessionIds.length}`;
    sessionIds.push(sessionId);
    const changedAtMs = performance.now();
    notes.keep(sessionIds.length);
    while (!fs.readFileSync(path(), "utf8").includes(`"${sessionId}"`)) await Bun.sleep(0);
    return performance.now() - changedAtMs;
  });
  notes.leave();
});
