/** A real host with one Studio and one client, put away again with everything else. */
import { BridgeConnection, BridgeHost } from "../../../src/bridge/index.ts";
import { ScriptedPlugin } from "../../peers/scripted-plugin.ts";
import { realWorldAsync } from "./real-world.ts";

export async function connectedWorldAsync() {
  const world = await realWorldAsync();
  const host = await BridgeHost.startAsync({ port: 0, version: "9.9.9" });
  const { plugin, sessionId } = await ScriptedPlugin.connectAsync(host.port, world.prover);
  const connection = await BridgeConnection.connectAsync({ port: host.port });
  return {
    world,
    host,
    plugin,
    sessionId,
    connection,
    session: connection.session(sessionId),
    [Symbol.asyncDispose]: async () => {
      await connection[Symbol.asyncDispose]();
      plugin[Symbol.dispose]();
      await host.stopAsync();
      world[Symbol.dispose]();
    },
  };
}
