/** The options of the command line itself, checked: how to print and which bridge host to use. */
import type { ConnectOptions } from "../bridge/index.ts";
import type { CommandFacts } from "../command-kit/facts.ts";
import type { SessionContext } from "../protocol/fields/contexts.ts";
import type { OutputOf } from "../protocol/schema.ts";
import { dataSchema } from "../project/data-choice.ts";
import { memorySchema } from "../command-kit/words/memory.ts";
import { portSchema } from "../protocol/port.ts";
import { deviceSchema, fontsSchema, insetsSchema, viewportSchema } from "../project/screen-choice.ts";
import { defineSchema } from "../protocol/schema.ts";
import { invalidInput } from "../protocol/messages.ts";
import { selfCommand } from "../util/self-command.ts";
import { buildId, version } from "../version.ts";

export const optionsSchema = defineSchema((z) =>
  z.strictObject({
    json: z.boolean().default(false),
    pretty: z.boolean().optional(),
    verbose: z.boolean().default(false),
    logs: z.boolean().default(true),
    yes: z.boolean().default(false),
    headless: z.boolean().default(false),
    place: z.string().min(1, "expected a file").optional(),
    inPlace: z.boolean().default(false),
    placeOutput: z.string().min(1, "expected a file").optional(),
    data: dataSchema(z).optional(),
    throttle: z.boolean().default(false),
    fixtures: z.string().min(1, "expected a file").optional(),
    walk: z.boolean().optional(),
    strictGeometry: z.boolean().default(false),
    memoryLimitMb: memorySchema(z).optional(),
    viewport: viewportSchema(z).optional(),
    insets: insetsSchema(z).optional(),
    device: deviceSchema(z).optional(),
    fonts: fontsSchema(z).optional(),
    allowUnpaired: z.boolean().default(false),
    port: portSchema(z).optional(),
    remote: z.string().optional(),
  }),
);
/** The options, and what the project file says where no flag does. */
export interface CliOptions extends OutputOf<typeof optionsSchema> {
  readonly defaultContext?: SessionContext | undefined;
}

/** The part that the process of a command may play as the bridge host. */
export type HostPart = Pick<CommandFacts, "stays" | "neverHosts">;

/** Throws INVALID_INPUT for a malformed `--remote`. */
export function connectOptions(
  options: CliOptions,
  signal: AbortSignal,
  { stays = false, neverHosts = false }: HostPart,
): ConnectOptions {
  const { port, remote, allowUnpaired } = options;
  if (remote !== undefined && port !== undefined)
    throw invalidInput("Cannot use --port with --remote.", "Write the port as --remote HOST:PORT.");
  if (remote !== undefined) return { remote: parseRemote(remote), allowUnpaired, signal };
  return {
    signal,
    allowUnpaired,
    ...(port === undefined ? {} : { port }),
    hostCommand: hostCommand(options),
    successorCommand: [...hostCommand(options), "--join"],
    ...(neverHosts ? { onlyFollows: true } : { host: { version, buildId } }),
    stays,
    version,
  };
}

/** The host that outlives this command, so that the next one is fast. */
function hostCommand({ port, allowUnpaired }: CliOptions): string[] {
  return selfCommand(
    "serve",
    "--auto",
    ...(port === undefined ? [] : ["--port", String(port)]),
    ...(allowUnpaired ? ["--allow-unpaired"] : []),
  );
}

/** `HOST`, `HOST:PORT`, `[IPV6]` or `[IPV6]:PORT`. */
export function parseRemote(text: string): { host: string; port?: number } {
  const match = /^(?:\[([0-9A-Fa-f:.]+)\]|([^\s:/[\]@]+))(?::(\d{1,5}))?$/.exec(text);
  const host = match?.[1] ?? match?.[2];
  const port = match?.[3] === undefined ? undefined : portSchema.read(Number(match[3]));
  if (host === undefined || (match?.[3] !== undefined && port === undefined))
    throw invalidInput(
      `--remote: expected HOST or HOST:PORT, got ${JSON.stringify(text)}`,
      "Write an IPv6 address in brackets: --remote [::1]:38741.",
    );
  return port === undefined ? { host } : { host, port: port.value };
}
