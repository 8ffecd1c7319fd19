/** `sb mcp` and `sb terminal` as bridge hosts: they need no other process, and no client is lost when they end. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { Sandbox, UNTIL_LET_GO, untilAsync, withinAsync } from "../harness.ts";
import { Keyboard, keys } from "../peers/keyboard.ts";
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

const stateOf = (pid: number) => Bun.spawnSync(["ps", "-o", "stat=", "-p", String(pid)]).stdout.toString()[0];
const untilStoppedAsync = (pid: number) =>
  untilAsync(`process ${pid} is stopped`, () => (stateOf(pid) === "T" ? true : undefined));

const valueAsync = async (peer: McpPeer, script: string) => {
  const { structuredContent } = Object(await peer.toolAsync("studio_exec", { script }));
  return structuredContent?.returnValues?.[0];
};

describe("an agent's server", () => {
  test("is the host before its first request, and ends without leaving a host that no process uses", async () => {
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
      // A command that asks at this moment must not be told that there is no Studio.
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
    const running = valueAsync(second, `workspace:SetAttribute("Began", true) ${UNTIL_LET_GO} return 9`);
    // Another script would wait for the end of this one.
    await untilAsync("the script runs", async () => {
      const { stdout } = await box.sbAsync(["query", "Workspace", "--attributes"]);
      return stdout.includes("Began") ? true : undefined;
    });
    expect(await hostPidAsync()).toBe(first.pid);
    first.kill("SIGKILL");
    expect(await untilHostIsNotAsync(first.pid)).toBe(second.pid);
    await box.letGoAsync();
    expect(await running).toBe(9);
  });
});

describe.skipIf(process.platform === "win32")("an agent's server that is the host and is stopped", () => {
  const marking = (mark: number) =>
    `workspace:SetAttribute("Run", (workspace:GetAttribute("Run") or 0) + 1) return ${mark}`;
  const runsAsync = async () => (await box.sbAsync(["exec", 'return workspace:GetAttribute("Run")'])).stdout;

  test("by Ctrl+Z leaves that to another process first, and goes on as its client", async () => {
    await using peer = await agentAsync();
    await box.headlessAsync();
    const [before] = await box.sessionsAsync();
    peer.kill("SIGTSTP");
    await untilStoppedAsync(peer.pid);
    expect(await box.sbAsync(["exec", "return 8"])).toEqual({ stdout: "8\n", stderr: "", exitCode: 0 });
    expect(await untilHostIsNotAsync(peer.pid)).toBeGreaterThan(0);
    expect((await box.sessionsAsync())[0]?.sessionId).toBe(before?.sessionId ?? "");
    const running = valueAsync(peer, marking(9));
    peer.kill("SIGCONT");
    expect(await running).toBe(9);
    expect(await runsAsync()).toBe("1\n");
    // The second process is a client, on which no other process depends.
    peer.kill("SIGTSTP");
    await untilStoppedAsync(peer.pid);
    peer.kill("SIGCONT");
    expect(await valueAsync(peer, marking(10))).toBe(10);
    expect(await runsAsync()).toBe("2\n");
  });

  test("from outside is named to others with its process, and no script runs twice when it goes on", async () => {
    await using peer = await agentAsync();
    await box.headlessAsync();
    const running = valueAsync(peer, `task.wait(0.5) ${marking(7)}`);
    // Its answer comes after the script was sent.
    await peer.toolAsync("studio_sessions");
    await withinAsync(2_500, async () => {
      peer.kill("SIGSTOP");
      const startedAt = performance.now();
      const { stderr, exitCode } = await box.sbAsync(["sessions"]);
      const tookMs = performance.now() - startedAt;
      peer.kill("SIGCONT");
      expect(stderr).toContain(`The bridge host (process ${peer.pid}) that holds port ${box.port}`);
      expect(exitCode).toBe(1);
      return tookMs;
    });
    expect(await running).toBe(7);
    expect(await runsAsync()).toBe("1\n");
  });
});

test.skipIf(process.platform === "win32")(
  "a terminal that is the host leaves it before Ctrl+Z stops it",
  async () => {
    const agent = await agentAsync();
    await box.headlessAsync();
    await using person = await Keyboard.openAsync(["terminal"], box);
    agent.kill("SIGKILL");
    expect(await untilHostIsNotAsync(agent.pid)).toBe(person.pid);
    await person.seesAsync("The bridge host was replaced");
    person.press(keys.ctrlZ);
    await untilStoppedAsync(person.pid);
    expect(await box.sbAsync(["exec", "return 8"])).toEqual({ stdout: "8\n", stderr: "", exitCode: 0 });
    process.kill(person.pid, "SIGCONT");
    person.press(`20 + 22${keys.enter}`);
    await person.seesAsync("42");
  },
);
