/** Resources of the compiled `sb mcp` that a client watches: what Studio pushes, and what is looked at now and then. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { Sandbox, untilAsync } from "../harness.ts";
import { McpPeer } from "../peers/mcp-peer.ts";

let box: Sandbox;
let peer: McpPeer;
let id: string;
beforeAll(async () => {
  box = await Sandbox.createAsync();
  await box.headlessAsync();
  peer = new McpPeer(box);
  await peer.initializeAsync();
  const [session] = await box.sessionsAsync();
  id = session?.sessionId ?? "";
}, 120_000);
afterAll(async () => {
  await peer[Symbol.asyncDispose]();
  await box[Symbol.asyncDispose]();
});

const execAsync = async (script: string): Promise<boolean> =>
  Object(await peer.toolAsync("studio_exec", { script })).structuredContent.success;

test("a log that is watched tells when it grows, in both eras", async () => {
  const uri = `studio://${id}/logs`;
  expect((await peer.requestAsync("resources/subscribe", { uri }))["result"]).toEqual({});
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const notifications = { resourceSubscriptions: [uri, "studio://nothing"], toolsListChanged: true };
  const listening = peer.ask("subscriptions/listen", { _meta, notifications });
  const about = { _meta: { "io.modelcontextprotocol/subscriptionId": listening } };
  await untilAsync("the subscription is acknowledged", () =>
    peer.messages.find(({ method }) => method === "notifications/subscriptions/acknowledged"),
  );
  await execAsync('print("tick")');
  const updates = () => peer.messages.filter(({ method }) => method === "notifications/resources/updated");
  await untilAsync("both hear of it", () => (updates().length >= 2 ? true : undefined));
  expect(peer.messages).toContainEqual({
    jsonrpc: "2.0",
    method: "notifications/subscriptions/acknowledged",
    params: { ...about, notifications: { toolsListChanged: true, resourceSubscriptions: [uri] } },
  });
  expect(updates().map(({ params }) => params)).toEqual(expect.arrayContaining([{ uri }, { ...about, uri }]));
});

test("a source and a part of the tree that are watched tell when they change, and only those", async () => {
  const make = `
    for _, name in { "Kept", "Edited" } do
      local script = Instance.new("ModuleScript") script.Name = name script.Source = "return 1" script.Parent = game.ServerStorage
    end
    Instance.new("Folder", game.ServerStorage).Name = "Box"`;
  expect(await execAsync(make)).toBe(true);
  const uris = ["script/ServerStorage.Kept", "script/ServerStorage.Edited", "tree/ServerStorage.Box"].map(
    (rest) => `studio://${id}/${rest}`,
  );
  for (const uri of uris)
    expect((await peer.requestAsync("resources/subscribe", { uri }))["result"]).toEqual({});
  const absent = await peer.requestAsync("resources/subscribe", { uri: `studio://${id}/tree/Nowhere` });
  expect(absent["error"]).toMatchObject({ code: -32602 });
  const change = `game.ServerStorage.Edited.Source = "return 2" Instance.new("Folder", game.ServerStorage.Box)`;
  expect(await execAsync(change)).toBe(true);
  const told = () =>
    peer.messages.flatMap(({ method, params }) =>
      method === "notifications/resources/updated" && uris.includes(Object(params).uri)
        ? [Object(params).uri]
        : [],
    );
  await untilAsync("both changes are told", () => (told().length >= 2 ? true : undefined));
  expect(told().toSorted()).toEqual(uris.slice(1).toSorted());
  for (const uri of uris) await peer.requestAsync("resources/unsubscribe", { uri });
}, 120_000);
