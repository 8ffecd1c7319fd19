/** A Rojo project with one script for the server of a play session and one for its clients. */
import type { Sandbox } from "../harness.ts";

export async function writeGameAsync(
  box: Sandbox,
  { server, client }: { readonly server: string; readonly client: string },
): Promise<void> {
  await box.writeAsync("server.server.luau", server);
  await box.writeAsync("client.client.luau", client);
  const tree = {
    $className: "DataModel",
    ServerScriptService: { Server: { $path: "server.server.luau" } },
    StarterPlayer: { StarterPlayerScripts: { Client: { $path: "client.client.luau" } } },
  };
  await box.writeAsync("default.project.json", JSON.stringify({ name: "Project", tree }));
}
