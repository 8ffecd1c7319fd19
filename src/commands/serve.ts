/** `sb serve`: the bridge host as a program of its own, in the foreground until it is stopped. */
import type { BridgeHost, HostInfo, HostNews, HostOptions } from "../bridge/index.ts";
import { defineSchema } from "../protocol/schema.ts";
import { hostLost } from "../protocol/messages.ts";
import { intervals } from "../protocol/limits.ts";
import { buildId, version } from "../version.ts";
import { authOffText, isAuthOff } from "../auth/auth-switch.ts";
import { defineCommand, streamed } from "../command-kit/definition.ts";
import type { Emission } from "../output/emission.ts";
import { clockText } from "../command-kit/scripts/log-line.ts";
import { sessionNews } from "../session/session-messages.ts";
import type { CommandContext } from "../command-kit/context.ts";
import { untilAbortedAsync } from "../session/follow.ts";
import { portSchema } from "../protocol/port.ts";
import { flagsOf } from "../command-kit/words/spelling.ts";

const input = defineSchema((z) =>
  z.strictObject({
    port: portSchema(z).optional().describe("Listen on this port only"),
    allowUnpaired: z
      .boolean()
      .default(false)
      .describe("Accept plugins and clients without this machine's key (unsafe)"),
    join: z.boolean().default(false).describe("Wait beside the running host, and take over when it ends"),
    dangerouslyExpose: z
      .boolean()
      .default(false)
      .describe("Listen to other machines, not only to this one (unsafe)"),
    auto: z.boolean().default(false).describe("End when no client or Studio has used the host for a while"),
  }),
);

export const command = defineCommand({
  name: "serve",
  summary: "Run the bridge host in the foreground",
  description:
    "Runs the bridge host, which connects Studios with sb commands, until Ctrl+C. Other commands start a host when they need one, so use this only to watch it or to give it options.",
  group: "Bridge",
  examples: [
    { command: "sb serve", note: "" },
    { command: "sb serve --join", note: "Stand by for the host that is already running" },
  ],
  surfaces: ["cli"],
  target: "none",
  stays: true,
  annotations: { readOnly: false, destructive: false, idempotent: false },
  input,
  output: defineSchema((z) => z.object({})),
  cli: {
    flags: flagsOf(input, {
      port: { kind: "number", label: "PORT" },
      allowUnpaired: "boolean",
      join: "boolean",
      dangerouslyExpose: "boolean",
      auto: { kind: "boolean", hidden: true },
    }),
  },
  async handler({ port, allowUnpaired, join, dangerouslyExpose, auto }, context) {
    const options: HostOptions = {
      version,
      buildId,
      allowUnpaired: allowUnpaired || isAuthOff(),
      dangerouslyExpose,
      ...(port === undefined ? {} : { port }),
      idleExitMs: auto ? intervals.hostIdleExitMs : Number.POSITIVE_INFINITY,
      makesRoom: auto,
      // A host in the background has no reader.
      ...(auto ? {} : { onNews: (news) => context.emit(newsLine(news)) }),
    };
    if (dangerouslyExpose) warn(context, "Other machines can reach this bridge host (--dangerously-expose).");
    if (isAuthOff()) warn(context, authOffText());
    else if (allowUnpaired)
      warn(context, "Anybody who reaches this bridge host is let in (--allow-unpaired).");
    const runAsync = join ? (auto ? standByAsync : joinAsync) : serveAsync;
    await runAsync(options, context);
    return streamed;
  },
});

async function serveAsync(options: HostOptions, context: CommandContext): Promise<void> {
  const { BridgeHost } = await import("../bridge/index.ts");
  await untilStoppedAsync(await BridgeHost.startAsync(options), context);
}

/** Takes the place of a host that is about to end, unless another process does. */
async function standByAsync(options: HostOptions, context: CommandContext): Promise<void> {
  const { BridgeHost } = await import("../bridge/index.ts");
  const host = await BridgeHost.standByAsync(options);
  if (host !== undefined) await untilStoppedAsync(host, context);
}

async function untilStoppedAsync(started: BridgeHost, context: CommandContext): Promise<void> {
  await using host = started;
  const { port, hostId } = host;
  announce(context, { port, hostId, isOwn: true });
  const closed = await Promise.race([host.closed, untilAbortedAsync(context.signal)]);
  if (closed === undefined) await host.stopAsync("stopped by its user");
}

/** A client that does nothing but wait to be the next host. */
async function joinAsync(options: HostOptions, context: CommandContext): Promise<void> {
  const { BridgeConnection } = await import("../bridge/index.ts");
  const { port, allowUnpaired = false } = options;
  await using connection = await BridgeConnection.connectAsync({
    ...(port === undefined ? {} : { port }),
    allowUnpaired,
    host: options,
    signal: context.signal,
  });
  announce(context, connection.host);
  connection.onHostChange((host) => announce(context, host));
  await Promise.race([connection.closed, untilAbortedAsync(context.signal)]);
  if (!context.signal.aborted) throw hostLost("not_started");
}

function announce({ emit }: CommandContext, host: Pick<HostInfo, "port" | "hostId" | "isOwn">): void {
  const { port, hostId, isOwn } = host;
  const text = isOwn
    ? `Bridge host listening on 127.0.0.1:${port}. Ctrl+C stops it.`
    : `Joined the bridge host on 127.0.0.1:${port}. Takes over when it ends.`;
  emit({ stream: "stdout", text: () => text, json: { port, hostId, isOwn } });
}

function newsLine(news: HostNews): Emission {
  const now = new Date();
  return {
    stream: "stdout",
    text: (style) => `${style.dim(clockText(now))} ${newsText(news)}`,
    json: { time: now.getTime(), ...news },
  };
}

function newsText(news: HostNews): string {
  switch (news.what) {
    case "session":
      return sessionNews(news.event, news.session);
    case "client":
      return `A command ${news.event}; ${news.clients} now.`;
    case "refusal":
      return `A connection was turned away: ${news.reason}.`;
  }
}

function warn({ emit }: CommandContext, text: string): void {
  emit({ stream: "stderr", text: (style) => style.yellow(`Warning: ${text}`), json: { warning: text } });
}
