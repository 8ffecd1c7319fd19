/** What a journal keeps on the disk, and what is left of it when files are torn, old, or too large. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { choosesCall, visibleTo } from "../../../src/journal/choose-calls.ts";
import { journalFiles } from "../../../src/journal/format.ts";
import { Journal } from "../../../src/journal/journal.ts";
import type { JournaledRequest } from "../../../src/journal/journal.ts";
import type { JournaledSession } from "../../../src/journal/format.ts";
import { readCalls, readLines } from "../../../src/journal/read.ts";
import type { JournaledCall } from "../../../src/journal/read.ts";
import { keptFiles, makeRoom } from "../../../src/journal/retention.ts";
import { journalFolder, journalSettings, keepJournalSettings } from "../../../src/journal/settings.ts";

let folder: string;
const outside = process.env["XDG_STATE_HOME"];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "sb-journal-"));
  process.env["XDG_STATE_HOME"] = folder;
});
afterEach(async () => {
  if (outside === undefined) delete process.env["XDG_STATE_HOME"];
  else process.env["XDG_STATE_HOME"] = outside;
  await rm(folder, { recursive: true });
});

const place: JournaledSession = {
  sessionId: "s1",
  instanceId: "window-1",
  context: "edit",
  placeName: "Alpha",
  placeId: 0,
};
const caller = { id: "c1", name: "sb" };
const request = (requestId: string, more: Partial<JournaledRequest> = {}): JournaledRequest => ({
  ...{ requestId, sessionId: "s1", caller, action: "applyPatch", body: "{}" },
  class: "change",
  summary: `set ${requestId}`,
  ...more,
});

function journalOf(count: number): void {
  using journal = new Journal("host-1", "1.0");
  journal.session("connected", place);
  for (let index = 0; index < count; index += 1) {
    journal.request(request(`r${index}`));
    journal.reply({ requestId: `r${index}`, ms: 1.25, outcome: "ok" });
  }
}

const onlyFile = (kind: "calls" | "lines" = "calls"): string => {
  const [file, ...others] = keptFiles(journalFolder(), kind);
  if (file === undefined || others.length > 0) throw new Error("not one file");
  return file.path;
};

describe("a journal", () => {
  test("gives calls with their ends, their clients and their places", () => {
    {
      using journal = new Journal("host-1", "1.0");
      journal.session("connected", place);
      journal.request(request("r1"));
      journal.request(request("r2", { action: "queryState", class: "look", caller: undefined }));
      journal.request(request("r3"));
      journal.reply({ requestId: "r2", ms: 2, outcome: "error", code: "DENIED" });
      journal.reply({ requestId: "r1", ms: 1.26, outcome: "failed" });
    }
    const { calls } = readCalls();
    expect(
      calls.map(({ requestId, client, ms, outcome, code, changes }) => [
        requestId,
        client,
        ms,
        outcome,
        code,
        changes,
      ]),
    ).toEqual([
      ["r1", "sb", 1.3, "failed", undefined, true],
      ["r2", "unknown", 2, "error", "DENIED", false],
      ["r3", "sb", undefined, "running", undefined, true],
    ]);
    expect(calls[0]?.session).toEqual(place);
  });

  test("is readable by its user alone, and names no payload", () => {
    {
      using journal = new Journal("host-1", "1.0");
      journal.request(request("r1", { body: '{"script":"hunter2"}' }));
    }
    expect(statSync(journalFolder()).mode & 0o777).toBe(0o700);
    expect(statSync(onlyFile()).mode & 0o777).toBe(0o600);
    const [call] = readCalls().calls;
    expect(JSON.stringify(call)).not.toContain("hunter2");
    expect(call?.hash).toBeString();
  });

  test("is on the disk within a quarter of a second, without being closed", async () => {
    using journal = new Journal("host-1", "1.0");
    journal.request(request("r1"));
    const giveUpAt = performance.now() + 10_000;
    while (readCalls().calls.length === 0 && performance.now() < giveUpAt) await Bun.sleep(5);
    expect(readCalls().calls).toHaveLength(1);
  });

  test("of a host that does nothing is no file", () => {
    new Journal("host-1", "1.0")[Symbol.dispose]();
    expect(() => readdirSync(journalFolder())).toThrow();
    expect(readCalls()).toEqual({ calls: [], sessions: [] });
  });

  test("with a last line that is torn gives all before it, at every length", () => {
    journalOf(3);
    const path = onlyFile();
    const { size } = statSync(path);
    let least = 3;
    for (let length = size - 1; length > 0; length -= 7) {
      truncateSync(path, length);
      const { length: found } = readCalls().calls;
      expect(found).toBeLessThanOrEqual(least);
      least = found;
    }
    expect(least).toBe(0);
  });

  test("skips what it does not know, and what is no event", () => {
    journalOf(1);
    for (const line of [
      '[1,"surprise",2]',
      "[]",
      "{}",
      "[1]",
      '["x","request"]',
      '[1,"request",2]',
      "junk",
      '[1,"__proto__"]',
    ])
      appendFileSync(onlyFile(), `${line}\n`);
    expect(readCalls().calls).toHaveLength(1);
  });

  test("of another format is left alone", () => {
    mkdirSync(journalFolder(), { recursive: true });
    writeFileSync(join(journalFolder(), "calls-1-1-0.jsonl"), '{"journal":99}\n[1,"dropped","s",1]\n');
    expect(readCalls().calls).toEqual([]);
  });

  test("tells calls of a host that was killed from those that still run", () => {
    mkdirSync(journalFolder(), { recursive: true });
    const file = join(journalFolder(), "calls-1-1-0.jsonl");
    const header = { journal: 1, hostId: "h", pid: 2 ** 22 + 1, startedAt: 1, version: "1" };
    const begun = [5, "request", "r9", "s1", 0, "execute", "run", "exec", "h", 2];
    writeFileSync(file, `${JSON.stringify(header)}\n${JSON.stringify(begun)}\n`);
    expect(readCalls().calls.map(({ outcome }) => outcome)).toEqual(["unknown"]);
    // The next host is asked for it, but not by a stranger.
    const next = new Journal("host-2", "1.0");
    next.request(request("r9", { action: "execute", class: "run" }));
    next[Symbol.dispose]();
    expect(readCalls().calls.map(({ outcome }) => outcome)).toEqual(["unknown", "running"]);
  });

  test("has one call for a request that outlives its host", () => {
    const file = join(journalFolder(), "calls-1-1-0.jsonl");
    mkdirSync(journalFolder(), { recursive: true });
    const header = { journal: 1, hostId: "h", pid: 2 ** 22 + 1, startedAt: 1, version: "1" };
    const client = [4, "client", 1, caller];
    const begun = [5, "request", "r9", "s1", 1, "execute", "run", "exec", "h", 2];
    writeFileSync(file, `${[header, client, begun].map((row) => JSON.stringify(row)).join("\n")}\n`);
    {
      using journal = new Journal("host-2", "1.0");
      journal.request(request("r9", { action: "execute", class: "run", summary: "exec" }));
    }
    expect(readCalls().calls).toMatchObject([{ at: 5, outcome: "running", hash: "h" }]);
  });
});

describe("what is no longer kept", () => {
  test("goes by age", () => {
    journalOf(1);
    const old = (Date.now() - journalFiles.calls.keptMs - 60_000) / 1_000;
    utimesSync(onlyFile(), old, old);
    makeRoom(journalFolder(), "calls");
    expect(keptFiles(journalFolder(), "calls")).toEqual([]);
  });

  test("of too large files are first the calls that went well, and refused ones stay", () => {
    mkdirSync(journalFolder(), { recursive: true });
    const header = JSON.stringify({ journal: 1, hostId: "h", pid: 1, startedAt: 1, version: "1" });
    const long = "x".repeat(300);
    for (let file = 0; file < 6; file += 1) {
      const lines = [header, JSON.stringify([1, "client", 1, caller])];
      for (let index = 0; index < 9_000; index += 1) {
        const id = `f${file}r${index}`;
        lines.push(JSON.stringify([index, "request", id, "s1", 1, "undo", "change", long, "h", 2]));
        const isFine = index % 1_000 !== 0;
        lines.push(
          JSON.stringify(isFine ? [index, "reply", id, 1, "ok"] : [index, "reply", id, 1, "error", "DENIED"]),
        );
      }
      const path = join(journalFolder(), `calls-${file}-1-0.jsonl`);
      writeFileSync(path, `${lines.join("\n")}\n`);
      utimesSync(path, Date.now() / 1_000 - 100 + file, Date.now() / 1_000 - 100 + file);
    }
    const sum = () => keptFiles(journalFolder(), "calls").reduce((total, { bytes }) => total + bytes, 0);
    expect(sum()).toBeGreaterThan(journalFiles.calls.bytes);
    makeRoom(journalFolder(), "calls");
    expect(sum()).toBeLessThanOrEqual(journalFiles.calls.bytes);
    const { calls } = readCalls();
    expect(calls.filter(({ code }) => code === "DENIED")).toHaveLength(54);
    expect(calls.every(({ client }) => client === "sb")).toBe(true);
    expect(calls.length).toBeGreaterThan(20_000);
  });
});

describe("lines", () => {
  const line = (body: string) => ({ level: "Print", body, timestamp: 1, time: 5 }) as const;

  test("are kept with their session, and beyond 10,000 in a second dropped and counted", () => {
    {
      using journal = new Journal("host-1", "1.0");
      const nowMs = Date.now();
      const second = () => Math.floor(Date.now() / 1_000) === Math.floor(nowMs / 1_000);
      for (let batch = 0; batch < 300; batch += 1)
        if (second())
          journal.lines(
            "s1",
            Array.from({ length: 100 }, () => line("x")),
          );
    }
    const kept = readLines().lines.reduce((sum, { lines }) => sum + lines.length, 0);
    expect(kept).toBeLessThanOrEqual(10_000);
    expect(kept).toBeGreaterThan(0);
  });

  test("belong to sessions that have ended once those are gone, or their host is", () => {
    keepJournalSettings({ calls: true, lines: true });
    using journal = new Journal("host-1", "1.0");
    journal.session("connected", place);
    journal.session("connected", { ...place, sessionId: "s2" });
    journal.lines("s1", [line("a")]);
    journal.session("disconnected", place);
    journal[Symbol.dispose]();
    const { lines, connected, sessions } = readLines();
    expect(lines).toEqual([{ sessionId: "s1", lines: [["Print", "a", 5]] }]);
    expect([...connected]).toEqual(["s2"]);
    expect(sessions.get("s1")?.placeName).toBe("Alpha");
  });
});

describe("the user's settings", () => {
  test("turn everything off, and a running host follows them when it is told to look", () => {
    expect(journalSettings()).toEqual({ calls: true, lines: false });
    using journal = new Journal("host-1", "1.0");
    keepJournalSettings({ calls: false, lines: false });
    journal.reread();
    journal.session("connected", place);
    journal.request(request("r1"));
    journal[Symbol.dispose]();
    expect(readCalls().calls).toEqual([]);
  });

  test("that are damaged are the usual ones", () => {
    keepJournalSettings({ calls: false, lines: false });
    writeFileSync(join(folder, "studio-bridge", "journal.json"), "{");
    expect(journalSettings()).toEqual({ calls: true, lines: false });
  });
});

describe("a reader", () => {
  const call = (more: Partial<JournaledCall>): JournaledCall => ({
    ...{ at: 10, requestId: "r", client: "Claude (sb mcp)", clientId: "c1", sessionId: "s1", session: place },
    ...{ action: "applyPatch", summary: "set game.Workspace.Part", hash: "", changes: true, outcome: "ok" },
    ...more,
  });

  test.each([
    [{ client: "claude" }, true],
    [{ client: "cursor" }, false],
    [{ session: "s1" }, true],
    [{ session: "alpha" }, true],
    [{ session: "beta" }, false],
    [{ failed: true }, false],
    [{ changes: true }, true],
    [{ pattern: /Workspace\.P/ }, true],
    [{ pattern: /^game/ }, false],
    [{ sinceMs: 11 }, false],
  ])("who wants %p gets the call: %p", (wishes, isShown) => {
    expect(choosesCall(wishes)(call({}))).toBe(isShown);
  });

  test("who wants failures gets what failed, was refused or is unknown, and not what runs", () => {
    const outcomes = ["ok", "failed", "error", "left", "running", "unknown"] as const;
    const shown = outcomes.filter((outcome) => choosesCall({ failed: true })(call({ outcome })));
    expect(shown).toEqual(["failed", "error", "unknown"]);
  });

  test("who is an agent sees its own calls, and those of others in its places alone", () => {
    const elsewhere = { ...place, sessionId: "s2", instanceId: "window-2" };
    const published = { ...place, sessionId: "s3", instanceId: "window-3", placeId: 7 };
    const all = [
      call({ requestId: "own" }),
      call({ requestId: "same window", clientId: "c2" }),
      call({ requestId: "other window", clientId: "c2", sessionId: "s2", session: elsewhere }),
      call({ requestId: "other place", clientId: "c2", sessionId: "s3", session: published }),
    ];
    expect(visibleTo("c1", all).map(({ requestId }) => requestId)).toEqual(["own", "same window"]);
    const own = call({
      requestId: "own there",
      sessionId: "s4",
      session: { ...published, instanceId: "w4" },
    });
    expect(visibleTo("c1", [own, ...all]).map(({ requestId }) => requestId)).toContain("other place");
    expect(visibleTo("c9", all)).toEqual([]);
  });
});
