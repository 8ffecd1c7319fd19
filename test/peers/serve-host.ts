/** A bridge host as a process of its own, for tests that start, race or stop one: `bun serve-host.ts PORT IDLE_MS [VERSION]`. */
import { BridgeHost } from "../../src/bridge/index.ts";

const [, , port, idleExitMs, version = "test"] = process.argv;
try {
  const host = await BridgeHost.startAsync({
    port: Number(port),
    idleExitMs: Number(idleExitMs),
    version,
  });
  await host.closed;
} catch (error) {
  console.error(String(error));
  process.exitCode = 1;
}
