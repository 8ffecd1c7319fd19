/** The sets of tools that `--tools` chooses from, and how several sets are combined. */
import { toolGroups } from "../command-kit/facts.ts";
import type { ToolGroup } from "../command-kit/facts.ts";
import type { ToolSetName } from "../command-kit/surfaces/mcp-options.ts";
import type { Command } from "../command-kit/definition.ts";
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

/** How an agent reads the rest of an answer that was cut. */
const restByTool = "A longer one is cut and has `more`, the id for studio_result.";
const restByResource = "A longer one is cut and links the whole as a resource.";
const studioWords = (rest: string): string => `${studioInstructions.trim()} ${rest}`;

/** The tools of the groups: a tool of several groups once, in the order of the commands. */
function groupOffer(world: StudioWorld, groups: readonly ToolGroup[]): Offer {
  return {
    instructions: studioWords(restByResource),
    prompts: studioPrompts,
    toolsAsync: lazy(async () => {
      const all = await commands.allAsync();
      return commandTools(
        all.filter((command) => isInGroups(command, groups)),
        world,
      );
    }),
  };
}

const isInGroups = ({ toolGroups: own = [] }: Command, groups: readonly ToolGroup[]): boolean =>
  own.some((group) => groups.includes(group));

const defaultOffer = (world: StudioWorld): Offer => ({
  instructions: studioWords(restByTool),
  prompts: studioPrompts,
  toolsAsync: lazy(async () => {
    const all = await commands.allAsync();
    return [...commandTools(all, world), resultTool(world.kept)];
  }),
});

async function compatOfferAsync(world: StudioWorld): Promise<Offer> {
  const { compatTools, instructions } = await import("./compat/index.ts");
  return { instructions, toolsAsync: lazy(async () => compatTools(world)) };
}

const firstSetOf = ({ toolGroups: [first] = [] }: Command): ToolSetName => first ?? "default";

const isGroup = (name: ToolSetName): name is ToolGroup => toolGroups.some((group) => group === name);

/** Throws INVALID_INPUT for a set that is named twice, and where two of them have a tool of one name. */
export async function offerAsync(world: StudioWorld, names: readonly ToolSetName[]): Promise<Offer> {
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw invalidInput(`--tools names the set ${twice} twice.`, "Name it once.");
  const groups = names.filter(isGroup);
  const offers = [
    ...(names.includes("default") ? [{ name: "default", ...defaultOffer(world) }] : []),
    ...(groups.length > 0 ? [{ name: groups.join(","), ...groupOffer(world, groups) }] : []),
    ...(names.includes("compat") ? [{ name: "compat", ...(await compatOfferAsync(world)) }] : []),
  ];
  const [only, second] = offers;
  if (only !== undefined && second === undefined) return only;
  // A clash has to be told before a client connects, so that several sets are made at once.
  const toolsByName = new Map<string, { readonly set: string; readonly tool: Tool }>();
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
  const groups = names.filter(isGroup);
  return [
    ...compat.map(({ name }) => ({ name, set: "compat" as const })),
    ...studio
      .filter((command) => command.surfaces.includes("mcp") && !isInGroups(command, groups))
      .map((command) => ({ name: studioToolName(command), set: firstSetOf(command) })),
    ...(names.includes("default") ? [] : [{ name: RESULT_TOOL, set: "default" as const }]),
  ];
}

function clash(tool: string, first: string, second: string) {
  return invalidInput(
    `The sets ${first} and ${second} both have a tool ${tool}.`,
    `Leave one of them out of --tools.`,
  );
}
