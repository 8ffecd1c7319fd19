/** The bridge host of one command: a plugin at the end of a pipe, without a port and without a key. */
import { expect, test } from "bun:test";
import { BridgeConnection } from "../../../../src/bridge/index.ts";
import { untilAsync } from "../../../harness.ts";
import { failureAsync } from "../real-world.ts";

type Listener = { frame(linkId: number, text: string): void; closed(linkId: number): void };

/** The plugin's side of a pipe. */
class PipedPlugin {
  readonly heard: { readonly type: string; readonly [key: string]: unknown }[] = [];
  readonly ended: number[] = [];
  readonly #over = Promise.withResolvers<void>();
  #listener: Listener | undefined;

  send(_linkId: number, text: string): void {
    this.heard.push(JSON.parse(text));
  }

  close(linkId: number): void {
    this.ended.push(linkId);
  }

  listenAsync(listener: Listener): Promise<void> {
    this.#listener = listener;
    return this.#over.promise;
  }

  say(linkId: number, frame: object): void {
    this.#listener?.frame(linkId, JSON.stringify(frame));
  }

  die(): void {
    this.#over.resolve();
  }

  register(linkId: number): void {
    this.say(linkId, { type: "hello", sessionId: "", protocolVersion: 2, payload: { role: "plugin" } });
    const payload = {
      pluginVersion: "1.0.0",
      instanceId: "window",
      context: "edit",
      placeName: "Place1",
      placeId: 0,
      gameId: 0,
      state: "Edit",
      capabilities: ["execute"],
    };
    this.say(linkId, { type: "register", sessionId: "", requestId: `r${linkId}`, payload });
  }
}

async function startAsync() {
  const plugin = new PipedPlugin();
  const { bridge, servePlugin } = await BridgeConnection.startPrivateAsync("1.2.3");
  servePlugin(plugin);
  return { plugin, bridge };
}

const anySession = (bridge: BridgeConnection) => bridge.waitForSessionAsync(() => true, { timeoutMs: 5_000 });

test("a plugin without a key is taken in and answers the command", async () => {
  const { plugin, bridge } = await startAsync();
  await using _ = bridge;
  plugin.register(1);
  const session = await anySession(bridge);
  expect(session).toMatchObject({ placeName: "Place1", health: "ok" });
  const reply = bridge.session(session?.sessionId ?? "").callAsync("execute", { script: "return 1" });
  const { sessionId, requestId } = await untilAsync("the script arrives", () =>
    plugin.heard.find(({ type }) => type === "execute"),
  );
  const payload = { success: true, returnValues: [1], durationMs: 1, outputCount: 0 };
  plugin.say(1, { type: "scriptComplete", sessionId, requestId, payload });
  expect(await reply).toMatchObject({ success: true, returnValues: [1] });
  expect({ port: bridge.port, isOwn: bridge.host.isOwn }).toEqual({ port: 0, isOwn: true });
});

test("a frame that is no greeting ends its link, and the plugin may open another", async () => {
  const { plugin, bridge } = await startAsync();
  await using _ = bridge;
  plugin.say(1, { type: "execute" });
  await untilAsync("the link ends", () => (plugin.ended.includes(1) ? true : undefined));
  plugin.register(2);
  expect(await anySession(bridge)).toMatchObject({ placeName: "Place1" });
});

test("when the process of the plugin is gone, its session ends and scripts under way end as unknown", async () => {
  const { plugin, bridge } = await startAsync();
  await using _ = bridge;
  plugin.register(1);
  const session = await anySession(bridge);
  const failure = failureAsync(bridge.session(session?.sessionId ?? "").callAsync("execute", { script: "" }));
  await untilAsync("the script arrives", () => plugin.heard.find(({ type }) => type === "execute"));
  plugin.die();
  expect(await failure).toMatchObject({ code: "SESSION_GONE", outcome: "unknown" });
  expect(await bridge.sessionsAsync()).toEqual([]);
});

test("ends with its connection", async () => {
  const { plugin, bridge } = await startAsync();
  plugin.register(1);
  await anySession(bridge);
  await bridge[Symbol.asyncDispose]();
  await bridge.closed;
  await untilAsync("the plugin hears of it", () => (plugin.ended.includes(1) ? true : undefined));
  expect(plugin.heard.at(-1)).toMatchObject({ type: "shutdown" });
});
