/** A plugin that cannot connect says why in the Output, in one line, and asks no more often than its budget allows. */
import { expect, test } from "bun:test";
import { admit, BridgePeer, healthy, welcome } from "../bridge-peer.ts";
import type { PeerOptions } from "../bridge-peer.ts";

const noHost = (): undefined => undefined;

/** Turns the engine's clock by hand, half a second at a time; what the plugin asks in between is answered. */
async function passAsync(peer: BridgePeer, seconds: number): Promise<void> {
  const clock = 'local Clock = engine("./Kernel/Clock") Clock.useManual()';
  for (let step = 0; step < 2 * seconds; step += 1) {
    while (peer.answersUnderWay > 0) await Bun.sleep(1);
    peer.studio.runSource("=Clock", `${clock} Clock.advance(0.5)`);
  }
}

const CASES: readonly (readonly [what: string, options: PeerOptions, line: string])[] = [
  [
    "that may not send requests",
    { variants: ["no-http-permission"] },
    "does not let this plugin reach 127.0.0.1 (The user",
  ],
  [
    "whose permission is asked for",
    { variants: ["no-http-permission=unanswered"] },
    "lets a request to 127.0.0.1 wait",
  ],
  [
    "that finds the requests used up",
    { variants: ["http-limit"] },
    "(Number of requests exceeded limit). Trying again every 30",
  ],
  [
    "that gets no WebSocket",
    { variants: ["no-websockets"] },
    "opens no WebSocket to 127.0.0.1 (WebStreamClient is not",
  ],
  ["without a host", { health: noHost }, "No sb answers on 127.0.0.1:39001."],
];

test.each(CASES)("a plugin %s says so once", async (_, options, line) => {
  using peer = await BridgePeer.startAsync(options);
  await passAsync(peer, 90);
  expect(peer.log).toHaveLength(1);
  expect(peer.log[0]).toContain("[StudioBridge] Not connected. ");
  expect(peer.log[0]).toContain(line);
});

test("a plugin without the key says which command gives it one", async () => {
  using peer = await BridgePeer.startAsync({
    paired: false,
    respond: (host, frame) => {
      if (frame.type === "hello") host.send("error", { code: "UNPAIRED", message: "no" }, undefined, "");
    },
  });
  await passAsync(peer, 30);
  expect(peer.log).toEqual([expect.stringContaining('Run "sb install-plugin" and restart Studio.')]);
});

test("a plugin that was let in again after a hindrance is connected, and does not tell of the hindrance twice", async () => {
  let isThere = false;
  using peer = await BridgePeer.startAsync({
    health: () => (isThere ? { status: 200, body: healthy } : undefined),
  });
  await passAsync(peer, 20);
  isThere = true;
  await passAsync(peer, 5);
  expect(peer.registrations).toBe(1);
  isThere = false;
  peer.dropSocket();
  await passAsync(peer, 30);
  expect(peer.log).toHaveLength(1);
});

test("the plugin asks at most 60 times in a minute without a host, later 20 times, and 30 times more after a loss", async () => {
  let isThere = true;
  using peer = await BridgePeer.startAsync({
    paired: false,
    health: () => (isThere ? { status: 200, body: healthy } : undefined),
    respond: (host, frame) => (frame.type === "hello" ? welcome(host) : admit(host, frame)),
  });
  const minuteAsync = async (): Promise<number> => {
    const before = peer.requests.length;
    await passAsync(peer, 60);
    return peer.requests.length - before;
  };
  await peer.untilAsync(() => peer.registrations > 0, "registration");
  isThere = false;
  peer.dropSocket();
  const first = await minuteAsync();
  expect(first).toBeGreaterThan(60);
  expect(first).toBeLessThanOrEqual(90);
  const second = await minuteAsync();
  expect(second).toBeGreaterThan(30);
  expect(second).toBeLessThanOrEqual(60);
  await passAsync(peer, 600);
  const idle = await minuteAsync();
  expect(idle).toBeGreaterThan(10);
  expect(idle).toBeLessThanOrEqual(20);
}, 60_000);

test("a fault inside the search for a host is told once, and the search goes on", async () => {
  using peer = await BridgePeer.connectAsync();
  const member =
    'local member = engine("./Reflection").class("HttpService").members.GenerateGUID member.method = nil';
  const fail = `${member} member.usual = member.call member.call = function() error("no GUID") end`;
  peer.studio.runSource("=Fail", fail);
  peer.dropSocket();
  await passAsync(peer, 20);
  expect(peer.registrations).toBe(1);
  expect(peer.log).toEqual([expect.stringMatching(/The plugin has failed and tries again: .*no GUID/)]);
  peer.studio.runSource("=Fix", `${member} member.call = member.usual`);
  await passAsync(peer, 5);
  expect(peer.registrations).toBe(2);
});
