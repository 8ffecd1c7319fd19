/** A machine whose clock is changed while a host, a client and a plugin work: no waiting depends on that clock. */
import { afterEach, expect, setSystemTime, test } from "bun:test";
import { BridgeConnection, BridgeHost } from "../../../../src/bridge/index.ts";
import { freePort, withinAsync } from "../../../harness.ts";
import { ScriptedPlugin } from "../../../peers/scripted-plugin.ts";
import { failureAsync, realWorldAsync } from "../real-world.ts";

const DAY_MS = 86_400_000;

afterEach(() => {
  setSystemTime();
});

test.each([
  ["forwards", 400 * DAY_MS],
  ["backwards", -400 * DAY_MS],
])("a clock that jumps %s ends nothing early and nothing late", async (_, jumpMs) => {
  using world = await realWorldAsync();
  await using host = await BridgeHost.startAsync({ port: freePort(), version: "9.9.9" });
  const { plugin, sessionId } = await ScriptedPlugin.connectAsync(host.port, world.prover);
  using _plugin = plugin;
  await using connection = await BridgeConnection.connectAsync({ port: host.port });
  const session = connection.session(sessionId);
  const startedAt = performance.now();
  const [late, answered] = [
    failureAsync(session.callAsync("queryState", {}, { timeoutMs: 400 })),
    session.callAsync("execute", { script: "x" }, { timeoutMs: 30_000 }),
  ];
  const request = await plugin.nextAsync("execute");
  setSystemTime(Date.now() + jumpMs);
  expect((await late).code).toBe("TIMEOUT");
  const tookMs = performance.now() - startedAt;
  expect(tookMs).toBeGreaterThan(350);
  expect(tookMs).toBeLessThan(20_000);
  plugin.reply(request, "scriptComplete", { success: true });
  expect((await answered).success).toBe(true);
  const { sessions } = await connection.listSessionsAsync();
  expect(sessions.map(({ health }) => health)).toEqual(["ok"]);
  expect(sessions[0]?.uptimeMs).toBeLessThan(60_000);
});

test("a note of leaving from a clock that was set since is not waited for", async () => {
  using world = await realWorldAsync();
  await withinAsync(2_500, async () => {
    const port = freePort();
    const first = await BridgeHost.startAsync({ port, version: "9.9.9" });
    const { plugin } = await ScriptedPlugin.connectAsync(port, world.prover);
    using _plugin = plugin;
    await first.stopAsync("over");
    setSystemTime(Date.now() - DAY_MS);
    await using next = await BridgeHost.startAsync({ port, version: "9.9.9" });
    await using connection = await BridgeConnection.connectAsync({ port: next.port });
    const startedAt = performance.now();
    expect((await connection.listSessionsAsync()).sessions).toEqual([]);
    return performance.now() - startedAt;
  });
});
