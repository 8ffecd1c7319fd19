/** The MCP surface: serves an agent with the tools of the commands until stdin ends or the process is told to stop. */
import { join } from "node:path";
import icon from "./icon.json";
import { loggedTelemetry, loggedTool } from "./call-log.ts";
import type { SurfaceCommandContext } from "../command-kit/context.ts";
import { untilAbortedAsync } from "../session/follow.ts";
import type { McpOptions } from "../command-kit/surfaces/mcp-options.ts";
import { log, setLogLevel } from "../log.ts";
import { expectLongRun } from "../util/long-run.ts";
import { randomHex } from "../util/random-hex.ts";
import { version } from "../version.ts";
import type { ServerOptions } from "./server/open-request.ts";
import type { Features, Tool } from "./server/features.ts";
import { serveStdioAsync } from "./server/stdio.ts";
import { Tasks } from "./server/tasks.ts";
import { openTelemetry } from "./server/telemetry.ts";
import { BridgeLink } from "./studio/bridge-link.ts";
import { commandTool } from "./studio/command-tools.ts";
import type { StudioWorld } from "./studio/command-tools.ts";
import { completeAsync } from "./studio/completions.ts";
import { KeptResults } from "./studio/kept-results.ts";
import { boundedResult, MAX_BYTES } from "./studio/results.ts";
import { studioResources } from "./studio/studio-resources.ts";
import { offerAsync, otherToolsAsync } from "./tool-sets.ts";
import type { Offer } from "./tool-sets.ts";
import { ToolSource } from "./tool-source.ts";

/** Sets the bearer token of `--http`. Without it each start makes another. */
export const TOKEN_VARIABLE = "STUDIO_BRIDGE_MCP_TOKEN";

/** By then the handshake is over and the first tools are called. */
const STARTED_AFTER_MS = 1_000;

export async function runMcpAsync(options: McpOptions, context: SurfaceCommandContext): Promise<void> {
  // Start-up runs its code once, which compiling would only hold up: the handshake comes 5 ms sooner without it.
  setTimeout(expectLongRun, STARTED_AFTER_MS).unref();
  const { debug, logLevel } = options;
  setLogLevel(logLevel);
  const { catalog, isRemote } = context;
  await using link = new BridgeLink(() => context.connectAsync());
  link.connectSoon();
  const { readOnly: isReadOnly, allowCloud: allowsCloud, allowBefore: allowsBefore } = options;
  const world = { catalog, link, isRemote, isReadOnly, allowsCloud, allowsBefore, kept: new KeptResults() };
  const { telemetry: record, flushAsync } = openTelemetry(
    options,
    (line) => context.emit({ stream: "stderr", text: () => line }),
    (text) => log.error(text),
  );
  const telemetry = loggedTelemetry(record, options);
  const offer = await offerAsync(world, options.tools);
  using tools = toolSource(world, offer, options);
  using tasks = new Tasks();
  const serving = { features: studioFeatures(world, offer, tools), telemetry, debug, tasks };
  const { signal, write } = context;
  if (options.http === undefined)
    await serveStdioAsync(serving, { input: Bun.stdin.stream(), write, signal });
  else await serveHttpAsync(serving, options.http, context);
  await flushAsync();
}

/** Says on stderr where it listens and what clients must present. */
async function serveHttpAsync(
  serving: ServerOptions,
  port: number,
  { signal, emit }: SurfaceCommandContext,
): Promise<void> {
  const { ENDPOINT, HttpServer } = await import("./http/http-server.ts");
  const token = process.env[TOKEN_VARIABLE] ?? randomHex(32);
  await using server = new HttpServer({ ...serving, port, token });
  const text = () => `MCP at http://127.0.0.1:${server.port}${ENDPOINT}\nAuthorization: Bearer ${token}`;
  emit({ stream: "stderr", text });
  await untilAbortedAsync(signal);
}

const CHANGES = "It may change things, and this server was started with --read-only.";

function studioFeatures(
  { link, kept }: StudioWorld,
  { instructions: words, prompts }: Offer,
  tools: ToolSource,
): Features {
  return {
    info: {
      name: "studio-bridge",
      title: "Roblox Studio (studio-bridge)",
      version,
      description:
        "Looks into places that Roblox Studio has open, runs Luau there, edits, plays and tests them.",
      icons: [icon],
    },
    instructions: words.trim(),
    toolsAsync: tools.toolsAsync,
    whyWithheld: (name) => tools.whyWithheld(name),
    onToolsChanged: tools.onChanged,
    resources: studioResources(link, kept),
    ...(prompts === undefined ? {} : { prompts }),
    completeAsync: (question) => completeAsync(link, question),
  };
}

function toolSource(world: StudioWorld, offer: Offer, options: McpOptions): ToolSource {
  const { readOnly } = options;
  return new ToolSource(async () => {
    const own = await offer.toolsAsync();
    const { projectFile, projectTools } = await projectToolsAsync(world);
    const isTaken = ({ name }: Tool) => own.some((each) => each.name === name);
    for (const { name } of projectTools.filter(isTaken))
      log.error(`${projectFile}: ${name} is left out, because a tool of that name is served already`);
    const all = [...own, ...projectTools.filter((tool) => !isTaken(tool))];
    const isOffered = ({ annotations }: Tool) => !readOnly || annotations?.readOnlyHint === true;
    const chosen = options.tools.join(",");
    const others = (await otherToolsAsync(options.tools)).map(
      ({ name, set }) =>
        [name, `It is in the set ${set}, and this server was started with --tools ${chosen}.`] as const,
    );
    const changing = all.filter((tool) => !isOffered(tool)).map(({ name }) => [name, CHANGES] as const);
    const offered = all.filter(isOffered).map((tool) => loggedTool(tool, options));
    return { projectFile, tools: offered, withheld: new Map([...others, ...changing]) };
  });
}

/** The tools that the project's file adds. Faults of the file are told on stderr. */
async function projectToolsAsync(world: StudioWorld) {
  const { loadProjectToolsAsync, PROJECT_FILE, problemText } = await import("./templates/index.ts");
  const folder = process.cwd();
  const project = await loadProjectToolsAsync(folder);
  const { file = join(folder, PROJECT_FILE), tools, commands, problems } = project;
  for (const problem of problems) log.error(problemText(problem));
  const programs = tools.map((tool): Tool => ({
    ...tool,
    callAsync: async (args, call) =>
      boundedResult(await tool.callAsync(args, call), { kept: world.kept, maxBytes: MAX_BYTES }),
  }));
  const scripts = commands.map((command) => commandTool(command, command.name, world));
  return { projectFile: file, projectTools: [...programs, ...scripts] };
}
