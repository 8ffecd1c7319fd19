/** `sb mcp` and `sb terminal` as bridge hosts: no process beside them, and nobody is lost when they go. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { Sandbox, untilAsync, withinAsync } from "../harness.ts";
import { McpPeer } from "../peers/mcp-peer.ts";

/** Spec: exit 100 ms after stdin ends. Three times that, for machines under load that start a successor meanwhile. */
const EXIT_LIMIT_MS = 300;

let box: Sandbox;
beforeEach(async () => {
  box = await Sandbox.createAsync();
});
afterEach(async () => {
  await box[Symbol.asyncDispose]();
}, 120_000);

const hostPidAsync = (world = box) =>
  untilAsync("there is a host", () =>
    world.hostAsync().then(
      ({ hostPid }) => hostPid,
      () => undefined,
    ),
  );
const untilHostIsNotAsync = (pid: number, world = box) =>
  untilAsync("another process is the host", async () => {
    const hostPid = await hostPidAsync(world);
    return hostPid === pid ? undefined : hostPid;
  });

async function agentAsync(world = box) {
  const peer = new McpPeer(world);
  await peer.initializeAsync();
  await hostPidAsync(world);
  return peer;
}

const valueAsync = async (peer: McpPeer, script: string) => {
  const { structuredContent } = Object(await peer.toolAsync("studio_exec", { script }));
  return structuredContent?.returnValues?.[0];
};

describe("an agent's server", () => {
  test("is the host before it is asked for anything, and ends without leaving one nobody uses", async () => {
    await withinAsync(EXIT_LIMIT_MS, async () => {
      await using peer = await agentAsync();
      expect(await hostPidAsync()).toBe(peer.pid);
      const { exitCode, tookMs } = await peer.endAsync();
      expect(exitCode).toBe(0);
      expect(await box.hostAsync().catch(() => "none")).toBe("none");
      return tookMs;
    });
  });

  test("that is the host exits in time when its agent goes, and Studio stays with the next", async () => {
    await withinAsync(EXIT_LIMIT_MS, async () => {
      await using own = await Sandbox.createAsync();
      await using peer = await agentAsync(own);
      await own.headlessAsync();
      expect(await hostPidAsync(own)).toBe(peer.pid);
      expect(await valueAsync(peer, "return 7")).toBe(7);
      const [before] = await own.sessionsAsync();
      const { exitCode, tookMs } = await peer.endAsync();
      expect(exitCode).toBe(0);
      // Whoever asks now must not be told that there is no Studio.
      expect(await own.sbAsync(["exec", "return 8"])).toEqual({ stdout: "8\n", stderr: "", exitCode: 0 });
      expect(await untilHostIsNotAsync(peer.pid, own)).toBeGreaterThan(0);
      const [after] = await own.sessionsAsync();
      expect(after?.sessionId).toBe(before?.sessionId ?? "");
      return tookMs;
    });
  });

  test("takes over from another that is killed, and a running script of its own ends as it should", async () => {
    const first = await agentAsync();
    await box.headlessAsync();
    await using second = await agentAsync();
    const running = valueAsync(second, 'workspace:SetAttribute("Began", true) task.wait(1) return 9');
    await untilAsync("the script runs", async () => {
      const { stdout } = await box.sbAsync(["exec", 'return workspace:GetAttribute("Began")']);
      return stdout === "true\n" ? true : undefined;
    });
    expect(await hostPidAsync()).toBe(first.pid);
    first.kill("SIGKILL");
    expect(await running).toBe(9);
    expect(await untilHostIsNotAsync(first.pid)).toBe(second.pid);
  });
});

test("a terminal is the host where there is none", async () => {
  const terminal = box.spawn(["terminal", "--headless"], { stdin: 'print("up") task.wait(1)\n' });
  const reader = terminal.stdout.getReader();
  await reader.read();
  expect(await hostPidAsync()).toBe(terminal.pid);
  const { stdout } = await box.sbAsync(["sessions", "--json"]);
  expect(JSON.parse(stdout).sessions).toHaveLength(1);
  for (let part = await reader.read(); !part.done; part = await reader.read());
  expect(await terminal.exited).toBe(0);
});
