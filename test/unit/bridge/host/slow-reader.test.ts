/** A client that reads too slowly loses pushes, which are counted, and is disconnected if it would miss an answer. */
import { describe, expect, test } from "bun:test";
import { BridgeConnection } from "../../../../src/bridge/index.ts";
import { HostServer } from "../../../../src/bridge/host/host-server.ts";
import { untilAsync } from "../../../harness.ts";
import { ScriptedPlugin } from "../../../peers/scripted-plugin.ts";
import { SlowClient } from "../../../peers/slow-client.ts";
import { connectedWorldAsync } from "../connected-world.ts";
import { hostOptions, realWorldAsync } from "../real-world.ts";

describe("a slow reader", () => {
  test("loses pushes, is told how many, and delays no other client", async () => {
    await using setup = await connectedWorldAsync();
    const { host, plugin, session, sessionId, world } = setup;
    plugin.on("subscribe", (request) => plugin.reply(request, "subscribeResult", request.payload));
    using slow = await SlowClient.connectAsync(host.port, world.prover);
    const request = {
      requestId: "s",
      targetSessionId: sessionId,
      action: { type: "subscribe", payload: { events: ["logPush"] } },
    };
    slow.say("host-envelope", request, { requestId: "s" });
    await slow.untilAsync(() => slow.received.some(({ type }) => type === "host-response"));
    slow.pause();
    const total = 100;
    let fast = 0;
    let arrived = Promise.withResolvers<void>();
    await using _ = await session.subscribeAsync(["logPush"], () => {
      fast += 1;
      arrived.resolve();
    });
    const body = "x".repeat(200_000);
    for (let index = 0; index < total; index += 1) {
      arrived = Promise.withResolvers();
      plugin.send("logPush", { entries: [{ level: "Print", body, timestamp: index }] }, { sessionId });
      await arrived.promise;
    }
    slow.resume();
    const pushes = () => slow.received.filter(({ type }) => type === "session-push").length;
    const dropped = () =>
      slow.received
        .filter(({ type }) => type === "push-dropped")
        .reduce((sum, { payload }) => sum + Object(payload).dropped, 0);
    await slow.untilAsync(() => pushes() + dropped() >= total);
    expect({ fast, sum: pushes() + dropped(), hasDropped: dropped() > 0 }).toEqual({
      fast: total,
      sum: total,
      hasDropped: true,
    });
  });

  test("of replies is disconnected and does not get an incomplete answer", async () => {
    using world = await realWorldAsync();
    const server = new HostServer({
      ...hostOptions(world),
      port: 0,
      maxBacklogBytes: 1024 * 1024,
    });
    const { plugin, sessionId } = await ScriptedPlugin.connectAsync(server.port, world.prover);
    const body = "x".repeat(1_000_000);
    plugin.on("queryLogs", (request) =>
      plugin.reply(request, "logsResult", {
        entries: [{ level: "Print", body, timestamp: 0 }],
        total: 1,
        bufferCapacity: 1,
      }),
    );
    using slow = await SlowClient.connectAsync(server.port, world.prover);
    slow.pause();
    const asked = 40;
    for (let index = 0; index < asked; index += 1)
      slow.say(
        "host-envelope",
        {
          requestId: `r${index}`,
          targetSessionId: sessionId,
          action: { type: "queryLogs", payload: {} },
        },
        { requestId: `r${index}` },
      );
    // On a busy machine, a host that sends megabytes does not finish a handshake in time.
    await using other = await untilAsync("the host has time for another client", () =>
      BridgeConnection.connectAsync({ port: server.port }).catch(() => undefined),
    );
    const { entries } = await other.session(sessionId).callAsync("queryLogs", {});
    slow.resume();
    await slow.untilAsync(() => slow.isClosed);
    expect({
      others: entries.length,
      isShort: slow.received.filter(({ type }) => type === "host-response").length < asked,
    }).toEqual({ others: 1, isShort: true });
    server.stop("over");
  }, 120_000);
});
