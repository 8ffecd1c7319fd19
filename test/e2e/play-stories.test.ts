/** What agents do with a play test from beginning to end, over stdio, with the calls and bytes that it takes them. */
import { expect, test } from "bun:test";
import { sandbox } from "../sandbox.ts";
import { CountingAgent } from "../peers/counting-agent.ts";

const box = sandbox({ headless: true });

/** The second client loses a door, as by a LocalScript that destroys too much. */
const GAME = `local door = Instance.new("Model", workspace) door.Name = "Door"
  Instance.new("Part", door).Name = "Wood"
  local server = Instance.new("Script") server.Name = "Rounds"
  server.Source = [[
    local keys = Instance.new("Folder", game.ReplicatedStorage) keys.Name = "Keys"
    print("the server is ready")
  ]]
  server.Parent = game.ServerScriptService
  local client = Instance.new("LocalScript") client.Name = "Cleaner"
  client.Source = [[
    local player = game.Players.LocalPlayer
    if player.Name == "Player2" then
      workspace:WaitForChild("Door"):Destroy()
      game.ReplicatedStorage:WaitForChild("Keys"):SetAttribute("Seen", true)
    end
    print("ready: " .. player.Name)
  ]]
  client.Parent = game.StarterPlayer.StarterPlayerScripts`;

interface Played {
  readonly state: string;
  readonly sessions: readonly { readonly context: string }[];
}
interface Diff {
  readonly differences: readonly { readonly path: string; readonly change: string }[];
  readonly total: number;
}
interface Logs {
  readonly entries: readonly {
    readonly body: string;
    readonly context?: string;
    readonly player?: { readonly name: string };
  }[];
}

test("an agent plays with two clients, finds what one of them lacks, stops, and reads what each context printed", async () => {
  expect(await box.sbAsync(["exec", GAME])).toMatchObject({ exitCode: 0 });
  await using agent = await CountingAgent.openAsync(box);
  const started = await agent.askAsync<Played>("studio_play", { action: "start", players: 2 });
  expect(started.sessions.map(({ context }) => context)).toEqual(["server", "client", "client"]);
  expect(await agent.askAsync("studio_wait", { players: 2 })).toMatchObject({ met: true });
  // The scripts of the clients begin when their characters are there.
  expect(await agent.askAsync("studio_wait", { context: "client:2", gone: "Workspace.Door" })).toMatchObject({
    met: true,
  });

  const lacks = await agent.askAsync<Diff>("studio_diff", { a: "server", b: "client:2" });
  expect(lacks).toMatchObject({
    total: 2,
    differences: [
      { path: "Workspace.Door", className: "Model", change: "removed" },
      { path: "ReplicatedStorage.Keys", change: "changed", attributes: { Seen: { after: true } } },
    ],
  });
  expect(await agent.askAsync<Diff>("studio_diff", { a: "server", b: "client:1" })).toMatchObject({
    total: 0,
  });

  expect(await agent.askAsync<Played>("studio_play", { action: "stop" })).toMatchObject({
    state: "Edit",
    sessions: [],
  });
  const { entries } = await agent.askAsync<Logs>("studio_logs", {});
  const ready = entries.filter(({ body }) => body.includes("ready"));
  expect(ready.map(({ body, context, player }) => [context, player?.name, body]).toSorted()).toEqual(
    [
      ["server", undefined, "the server is ready"],
      ["client", "Player1", "ready: Player1"],
      ["client", "Player2", "ready: Player2"],
    ].toSorted(),
  );
  expect(agent.calls).toBe(7);
  expect(agent.bytes).toBeLessThan(6 * 1024);
}, 120_000);
