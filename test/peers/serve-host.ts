/** A bridge host as a process of its own, for tests that start, race or stop one: `bun serve-host.ts PORT IDLE_MS`. */
import { BridgeHost } from "../../src/bridge/index.ts";

const [port, idleExitMs] = process.argv.slice(2).map(Number);
try {
  const host = await BridgeHost.startAsync({
    port: port ?? 0,
    idleExitMs: idleExitMs ?? 1_000,
    version: "test",
  });
  await host.closed;
} catch (error) {
  console.error(String(error));
  process.exitCode = 1;
}
