/** How a host comes to its port: past strangers and hosts that are there before it, and after those that make room. */
import { describe, expect, test } from "bun:test";
import { BridgeHost } from "../../../../src/bridge/index.ts";
import { claimPortAsync } from "../../../../src/bridge/finding/claim-port.ts";
import { dialAsync, localAddress } from "../../../../src/bridge/client/client-socket.ts";
import { HostServer } from "../../../../src/bridge/host/host-server.ts";
import { freePort, untilAsync } from "../../../harness.ts";
import { failureAsync, hostOptions } from "../real-world.ts";
import { PortHolders } from "./port-holders.ts";

const holders = new PortHolders();
const { later, hostAsync, squatters } = holders;

describe("a host", () => {
  test("refuses to be the second one", async () => {
    const first = await hostAsync(freePort());
    const error = await failureAsync(BridgeHost.startAsync({ port: first.port, version: "9.9.9" }));
    expect({ code: error.code, data: error.data }).toEqual({
      code: "HOST_RUNNING",
      data: { port: first.port, pid: process.pid },
    });
  });

  test("refuses to be the second one on another port", async () => {
    const first = await hostAsync();
    const options = hostOptions(holders.world);
    expect((await failureAsync(claimPortAsync([freePort(), first.port], options, false))).code).toBe(
      "HOST_RUNNING",
    );
  });

  test("moves on from strangers, but not from the port it was told to take", async () => {
    const stranger = squatters["a web server"]();
    const free = freePort();
    const options = hostOptions(holders.world);
    const server = later(await claimPortAsync([stranger, free], options, false), (started) =>
      started.stop("over"),
    );
    const pinned = await failureAsync(BridgeHost.startAsync({ port: stranger, version: "9.9.9" }));
    expect({ port: server.port, pinned: pinned.code }).toEqual({ port: free, pinned: "HOST_UNTRUSTED" });
  });

  test("makes room for one that has settled, and waits for one that settles behind it", async () => {
    const options = hostOptions(holders.world);
    const isSettlingAsync = async (port: number) => {
      const dialled = await dialAsync(localAddress(port), options);
      if (dialled.kind !== "host") return dialled.kind;
      dialled.socket[Symbol.dispose]();
      return dialled.welcome.isSettling;
    };
    const start = () =>
      later(new HostServer({ ...options, port: 0, isSettling: true }), (server) => server.stop("over"));
    const [first, second] = [start(), start()];
    const [port, other] = [freePort(), freePort()];
    second.settle();
    expect(await isSettlingAsync(first.port)).toBe(true);
    expect((await failureAsync(claimPortAsync([port, second.port], options, true))).code).toBe(
      "HOST_RUNNING",
    );
    expect(await isSettlingAsync(port)).toBe("free");
    const claimed = claimPortAsync([other, first.port], options, true);
    await untilAsync("it has bound its port and waits", async () =>
      (await isSettlingAsync(other)) === true ? true : undefined,
    );
    first.stop("yielded");
    const server = later(await claimed, (started) => started.stop("over"));
    expect(server.port).toBe(other);
    expect(await isSettlingAsync(other)).toBe(false);
  });

  test("does not move on from a holder that does not answer", async () => {
    const options = hostOptions(holders.world);
    const error = await failureAsync(claimPortAsync([squatters.silent(), freePort()], options, false));
    expect(error.code).toBe("PORT_UNAVAILABLE");
  });
});
