/** `sb serve`: the bridge host as a program of its own, in the foreground until it is stopped. */
import { z } from "zod";
import { lazy } from "../protocol/lazy.ts";
import { intervals } from "../protocol/limits.ts";
import { buildId, version } from "../version.ts";
import { defineCommand, streamed } from "./define.ts";
import { untilAbortedAsync } from "./follow.ts";
import { portSchema } from "./port.ts";
import { flagFor } from "./spelling.ts";

const input = lazy(() =>
  z.strictObject({
    port: portSchema().optional().describe("Listen on this port only"),
    allowUnpaired: z
      .boolean()
      .default(false)
      .describe("Accept plugins and clients without this machine's key (unsafe)"),
    auto: z.boolean().default(false).describe("End when nobody has used the host for a while"),
  }),
);

export const serveCommand = defineCommand({
  name: "serve",
  summary: "Run the bridge host in the foreground",
  description:
    "Runs the bridge host, which joins Studios and sb commands, until Ctrl+C. Other commands start one by themselves, so this is needed only to watch it.",
  group: "Bridge",
  examples: [{ command: "sb serve", note: "" }],
  surfaces: ["cli"],
  target: "none",
  annotations: { readOnly: false, destructive: false, idempotent: false },
  input,
  output: lazy(() => z.object({})),
  cli: {
    flags: [
      flagFor(input, "port", { kind: "number", label: "PORT" }),
      flagFor(input, "allowUnpaired", { name: "allow-unpaired", kind: "boolean" }),
      flagFor(input, "auto", { kind: "boolean", hidden: true }),
    ],
  },
  async handler({ port, allowUnpaired, auto }, { signal, emit }) {
    const { BridgeHost } = await import("../bridge/index.ts");
    await using host = await BridgeHost.startAsync({
      version,
      allowUnpaired,
      ...(port === undefined ? {} : { port }),
      buildId,
      idleExitMs: auto ? intervals.hostIdleExitMs : Number.POSITIVE_INFINITY,
    });
    const { port: boundPort, hostId } = host;
    emit({
      stream: "stdout",
      text: () => `Bridge host listening on 127.0.0.1:${boundPort}. Ctrl+C stops it.`,
      json: { port: boundPort, hostId },
    });
    const closed = await Promise.race([host.closed, untilAbortedAsync(signal)]);
    if (closed === undefined) await host.stopAsync("stopped by its user");
    return streamed;
  },
});
