/** A bridge host as a process of its own, for tests that start, race or stop one: `bun serve-host.ts PORT IDLE_MS [VERSION] [--join]`. */
import { BridgeHost } from "../../src/bridge/index.ts";

const [, , port, idleExitMs, version = "test"] = process.argv;
try {
  const options = { port: Number(port), idleExitMs: Number(idleExitMs), version, makesRoom: true };
  const joins = process.argv.includes("--join");
  const host = await (joins ? BridgeHost.standByAsync(options) : BridgeHost.startAsync(options));
  await host?.closed;
} catch (error) {
  console.error(String(error));
  process.exitCode = 1;
}
