/** The sets of tools that `--tools` chooses from, and how several sets are combined. */
import type { ToolSetName } from "../command/surfaces/mcp-options.ts";
import type { Command } from "../command/definition.ts";
import { commands } from "../commands/index.ts";
import { lazy } from "../protocol/lazy.ts";
import { invalidInput } from "../protocol/messages.ts";
import type { Prompts, Tool } from "./server/features.ts";
import { commandTools, studioToolName } from "./studio/command-tools.ts";
import type { StudioWorld } from "./studio/command-tools.ts";
import studioInstructions from "./studio/instructions.md" with { type: "text" };
import { studioPrompts } from "./studio/studio-prompts.ts";
import { RESULT_TOOL, resultTool } from "./studio/result-tool.ts";

/** What a client is offered, beside the tools of the project. */
export interface Offer {
  readonly instructions: string;
  /** Absent where no set has any. */
  readonly prompts?: Prompts;
  /** Called at the first list or call, because schemas take time to make. */
  readonly toolsAsync: () => Promise<readonly Tool[]>;
}

type ToolSet = (world: StudioWorld) => Promise<Offer>;

/** How an agent reads the rest of an answer that was cut. */
const restByTool = "A longer one is cut and has `more`, the id for studio_result.";
const restByResource = "A longer one is cut and links the whole as a resource.";
const studioWords = (rest: string): string => `${studioInstructions.trim()} ${rest}`;

const sets: { readonly [Name in ToolSetName]: ToolSet } = {
  default: async (world) => ({
    instructions: studioWords(restByTool),
    prompts: studioPrompts,
    toolsAsync: lazy(async () => {
      const all = await commands.allAsync();
      return [...commandTools(all, world), resultTool(world.kept)];
    }),
  }),
  core: async (world) => ({
    instructions: studioWords(restByResource),
    prompts: studioPrompts,
    toolsAsync: lazy(async () => {
      const all = await commands.allAsync();
      const core = all.filter(({ isCoreTool }) => isCoreTool === true);
      return commandTools(core, world);
    }),
  }),
  compat: async (world) => {
    const { compatTools, instructions } = await import("./compat/index.ts");
    return { instructions, toolsAsync: lazy(async () => compatTools(world)) };
  },
};

/** Throws INVALID_INPUT where two of the sets have a tool of one name. */
export async function offerAsync(world: StudioWorld, names: readonly ToolSetName[]): Promise<Offer> {
  const offers = await Promise.all(names.map(async (name) => ({ name, ...(await sets[name](world)) })));
  const [only, second] = offers;
  if (only !== undefined && second === undefined) return only;
  // A clash has to be told before a client connects, so that several sets are made at once.
  const toolsByName = new Map<string, { readonly set: ToolSetName; readonly tool: Tool }>();
  for (const { name: set, toolsAsync } of offers) {
    for (const tool of await toolsAsync()) {
      const other = toolsByName.get(tool.name)?.set;
      if (other !== undefined) throw clash(tool.name, other, set);
      toolsByName.set(tool.name, { set, tool });
    }
  }
  const tools = [...toolsByName.values()].map(({ tool }) => tool);
  const prompts = offers.find((offer) => offer.prompts !== undefined)?.prompts;
  return {
    instructions: offers.map(({ instructions }) => instructions.trim()).join("\n\n"),
    ...(prompts === undefined ? {} : { prompts }),
    toolsAsync: async () => tools,
  };
}

/** The tools of the sets that were not chosen and that no chosen set has. */
export async function otherToolsAsync(
  names: readonly ToolSetName[],
): Promise<readonly { readonly name: string; readonly set: ToolSetName }[]> {
  const { compatCommands } = await import("./compat/index.ts");
  const compat = names.includes("compat") ? [] : compatCommands();
  const studio = names.includes("default") ? [] : await commands.allAsync();
  const isChosen = ({ isCoreTool = false }: Command) => isCoreTool && names.includes("core");
  return [
    ...compat.map(({ name }) => ({ name, set: "compat" as const })),
    ...studio
      .filter((command) => command.surfaces.includes("mcp") && !isChosen(command))
      .map((command) => ({ name: studioToolName(command), set: "default" as const })),
    ...(names.includes("default") ? [] : [{ name: RESULT_TOOL, set: "default" as const }]),
  ];
}

function clash(tool: string, first: ToolSetName, second: ToolSetName) {
  return first === second
    ? invalidInput(`--tools names the set ${first} twice.`, "Name it once.")
    : invalidInput(
        `The sets ${first} and ${second} both have a tool ${tool}.`,
        `Leave one of them out of --tools.`,
      );
}
