/** Hosts that are killed, stopped and frozen under load: real processes, a real headless Studio, its real ledger. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { BridgeConnection } from "../../src/bridge/index.ts";
import type { BridgeSession } from "../../src/bridge/index.ts";
import { StudioBridgeError } from "../../src/protocol/errors.ts";
import { Sandbox, untilAsync, withinAsync } from "../harness.ts";

let box: Sandbox;
let inside: Disposable;
beforeEach(async () => {
  box = await Sandbox.createAsync();
  inside = box.enter();
});
afterEach(async () => {
  inside[Symbol.dispose]();
  await box[Symbol.asyncDispose]();
}, 120_000);

/** A host in the foreground; resolves once it answers. */
async function serveAsync(...flags: string[]) {
  const host = box.spawn(["serve", "--json", ...flags]);
  const reader = host.stdout.getReader();
  const { value } = await reader.read();
  return { host, reader, first: JSON.parse(new TextDecoder().decode(value)) };
}

async function studioAsync(connection: BridgeConnection): Promise<BridgeSession> {
  box.spawn(["headless", "--name", "Place1"]);
  const session = await connection.waitForSessionAsync(() => true, { timeoutMs: 60_000 });
  if (session === null) throw new Error("no Studio came");
  const { sessionId } = session;
  // The host lists a session before its plugin knows that; an answer shows that both do.
  await connection.session(sessionId).callAsync("queryState", {});
  return connection.session(sessionId);
}

/** Counts in the place how often it ran, takes its time, and returns its number. */
const countingScript = (id: number, seconds: number) => `
  local name = "Run_${id}"
  workspace:SetAttribute(name, (workspace:GetAttribute(name) or 0) + 1)
  print("started ${id}")
  task.wait(${seconds})
  return ${id}`;

async function runsAsync(session: BridgeSession): Promise<Record<string, number>> {
  const script = "return workspace:GetAttributes()";
  const { returnValues } = await session.callAsync("execute", { script });
  return Object(returnValues[0]);
}

const outcomeOf = (error: unknown) =>
  error instanceof StudioBridgeError ? `${error.code}/${error.outcome}` : String(error);

describe("a host that is killed with scripts in flight", () => {
  test("loses no answer, and no script runs twice", async () => {
    const first = await serveAsync();
    await serveAsync("--join");
    await using connection = await BridgeConnection.connectAsync({ port: box.port });
    const session = await studioAsync(connection);
    const lines: string[] = [];
    const calls = Array.from({ length: 16 }, (_, id) =>
      session
        .callAsync(
          "execute",
          { script: countingScript(id, 0.02) },
          { onOutput: (messages) => lines.push(...messages.map(({ body }) => body)) },
        )
        .then(({ returnValues }) => returnValues[0], outcomeOf),
    );
    const moved = Promise.withResolvers<string>();
    connection.onHostChange(({ hostId }) => moved.resolve(hostId));
    await untilAsync("some scripts have run", () => (lines.length > 3 ? true : undefined));
    first.host.kill("SIGKILL");
    expect(await Promise.all(calls)).toEqual(Array.from({ length: 16 }, (_, id) => id));
    expect(await moved.promise).not.toBe(first.first.hostId);
    expect(lines).toEqual(Array.from({ length: 16 }, (_, id) => `started ${id}`));
    const expected = Object.fromEntries(Array.from({ length: 16 }, (_, id) => [`Run_${id}`, 1]));
    expect(await runsAsync(session)).toEqual(expected);
  }, 120_000);
});

describe("a host that is stopped", () => {
  test("fails no request, and its port serves again at once", async () => {
    const first = await serveAsync();
    await serveAsync("--join");
    await using connection = await BridgeConnection.connectAsync({ port: box.port });
    const session = await studioAsync(connection);
    let isOver = false;
    const runs: unknown[] = [];
    const workers = Array.from({ length: 4 }, async (_, worker) => {
      for (let round = 0; !isOver; round += 1) {
        const id = worker * 1_000 + round;
        const call = session.callAsync("execute", { script: countingScript(id, 0) });
        runs.push(
          await call.then(({ returnValues }) => (returnValues[0] === id ? "ok" : "wrong"), outcomeOf),
        );
      }
    });
    await untilAsync("work is under way", () => (runs.length > 20 ? true : undefined));
    const long = session.callAsync("execute", { script: countingScript(9_999, 0.6) });
    const moved = new Promise<void>((resolve) => connection.onHostChange(() => resolve()));
    const stoppedAt = performance.now();
    first.host.kill("SIGTERM");
    await moved;
    const gapMs = performance.now() - stoppedAt;
    const before = runs.length;
    await untilAsync("work goes on", () => (runs.length > before + 20 ? true : undefined));
    isOver = true;
    await Promise.all(workers);
    expect([...new Set(runs)]).toEqual(["ok"]);
    expect((await long).returnValues).toEqual([9_999]);
    expect(gapMs).toBeLessThan(4_000);
    expect([...new Set(Object.values(await runsAsync(session)))]).toEqual([1]);
    expect(await first.host.exited).toBe(143);
  }, 120_000);

  test("hands over to the one that stands by, which says so", async () => {
    const first = await serveAsync();
    const second = await serveAsync("--join");
    expect(second.first).toEqual({ ...first.first, isOwn: false });
    first.host.kill("SIGINT");
    const told = await untilAsync("the second says that it is the host", async () => {
      const lines = new TextDecoder()
        .decode((await second.reader.read()).value)
        .trimEnd()
        .split("\n");
      return lines.map((line) => JSON.parse(line)).find(({ isOwn }) => isOwn === true);
    });
    expect(told).toEqual({ port: box.port, hostId: expect.any(String), isOwn: true });
    expect(told.hostId).not.toBe(first.first.hostId);
  });
});

describe("commands that run while their host dies", () => {
  test("bring up the next host themselves and finish", async () => {
    await box.headlessAsync();
    const { hostPid } = await box.hostAsync();
    const running = box.spawn(["exec", 'print("on") task.wait(1) print("off") return 7']);
    const reader = running.stdout.getReader();
    expect(new TextDecoder().decode((await reader.read()).value)).toBe("on\n");
    process.kill(hostPid, "SIGKILL");
    let rest = "";
    for (let part = await reader.read(); !part.done; part = await reader.read())
      rest += new TextDecoder().decode(part.value);
    expect({ rest, stderr: await running.stderr.text(), exitCode: await running.exited }).toEqual({
      rest: "off\n7\n",
      stderr: "",
      exitCode: 0,
    });
  });

  test("follow the log across hosts, say so, and count what they missed", async () => {
    await box.headlessAsync();
    const { hostPid } = await box.hostAsync();
    const follower = box.spawn(["logs", "--follow"]);
    let text = "";
    void follower.stdout.pipeTo(
      new WritableStream({ write: (part) => void (text += new TextDecoder().decode(part)) }),
    );
    let said = 0;
    const followed = () => [...text.matchAll(/line (\d+)/g)].map(([, number]) => Number(number));
    const sayUntilHeardAsync = async () => {
      const from = said;
      await untilAsync("a new line is followed", async () => {
        const { exitCode } = await box.sbAsync(["exec", `print("line ${said}")`]);
        if (exitCode === 0) said += 1;
        return followed().some((number) => number >= from) ? true : undefined;
      });
    };
    await sayUntilHeardAsync();
    process.kill(hostPid, "SIGKILL");
    await sayUntilHeardAsync();
    await untilAsync("the last line is followed", () => (followed().at(-1) === said - 1 ? true : undefined));
    follower.kill("SIGINT");
    const told = await follower.stderr.text();
    const missed = [...told.matchAll(/\((\d+) lines? (?:was|were) missed\)/g)].map(([, count]) =>
      Number(count),
    );
    const [first = 0] = followed();
    expect(told).toContain("(another bridge host took over)");
    expect(followed().length + missed.reduce((sum, count) => sum + count, 0)).toBe(said - first);
    expect(await follower.exited).toBe(130);
  }, 120_000);
});

describe("a Studio that dies with its host", () => {
  test("gives the honest answer that the outcome is unknown", async () => {
    const first = await serveAsync();
    await serveAsync("--join");
    await using connection = await BridgeConnection.connectAsync({ port: box.port });
    const studio = box.spawn(["headless"]);
    const info = await connection.waitForSessionAsync(() => true, { timeoutMs: 60_000 });
    const session = connection.session(info?.sessionId ?? "");
    const started = Promise.withResolvers<void>();
    const call = session
      .callAsync(
        "execute",
        { script: countingScript(1, 30) },
        { timeoutMs: 4_000, onOutput: () => started.resolve() },
      )
      .then(() => "ok", outcomeOf);
    await started.promise;
    // So that it answers nothing any more.
    studio.kill("SIGSTOP");
    const query = session.callAsync("queryState", {}, { timeoutMs: 60_000 }).then(() => "ok", outcomeOf);
    studio.kill("SIGKILL");
    first.host.kill("SIGKILL");
    expect(await call).toBe("TIMEOUT/unknown");
    expect(await query).toMatch(/^(SESSION_GONE|SESSION_NOT_FOUND)\//);
    expect((await connection.listSessionsAsync()).sessions).toEqual([]);
  }, 120_000);
});

describe.skipIf(process.platform === "win32")("a host that is frozen", () => {
  test("is named within two seconds, and serves on when it thaws", async () => {
    const { host } = await serveAsync();
    await using connection = await BridgeConnection.connectAsync({ port: box.port });
    const session = await studioAsync(connection);
    host.kill("SIGSTOP");
    const call = session.callAsync("execute", { script: countingScript(1, 0) }, { timeoutMs: 60_000 });
    await withinAsync(2_500, async () => {
      const startedAt = performance.now();
      const { stderr, exitCode } = await box.sbAsync(["sessions"]);
      expect(stderr).toContain(`The bridge host (process ${host.pid}) that holds port ${box.port}`);
      expect(exitCode).toBe(1);
      return performance.now() - startedAt;
    });
    host.kill("SIGCONT");
    expect((await call).returnValues).toEqual([1]);
    expect(await runsAsync(session)).toEqual({ Run_1: 1 });
  }, 120_000);
});
