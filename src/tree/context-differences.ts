/** What always differs between two contexts of a place, and so is no difference: what play makes, and what does not replicate. */
import type { SessionContext } from "../protocol/fields/contexts.ts";
import type { InstanceNode } from "./instance-tree.ts";
import { nothingIgnored } from "./compare-trees.ts";
import type { Ignored } from "./compare-trees.ts";
import type { Item } from "./read-tree.ts";
import type { TreeSide } from "./tree-side.ts";

/** Only the server has what is in them. */
const SERVER_CONTAINERS: ReadonlySet<string> = new Set(["ServerScriptService", "ServerStorage"]);
/** Below a player: each client fills its own. */
const CLIENT_CONTAINERS: ReadonlySet<string> = new Set(["PlayerGui", "PlayerScripts"]);
/**
 * What Roblox puts into a place when play begins, by the class of its parent.
 * UNVERIFIED: Roblox puts Instances with these names into a playing place (docs: TextChatService, StarterPlayerScripts).
 */
const MADE_BY_PLAY: { readonly [parent: string]: readonly string[] } = {
  TextChatService: ["TextChannels", "TextChatCommands"],
  StarterPlayerScripts: ["PlayerModule", "PlayerScriptsLoader", "RbxCharacterSounds"],
  StarterCharacterScripts: ["Health"],
};
/** They run on. */
const MOVING_PROPERTIES: ReadonlySet<string> = new Set(["TimePosition"]);

export function contextDifferences(a: TreeSide, b: TreeSide): Ignored {
  const contexts = new Set<SessionContext>([a.context, b.context]);
  if (contexts.size === 1 && contexts.has("edit")) return nothingIgnored;
  const hasClient = contexts.has("client");
  const hasEdit = contexts.has("edit");
  const characters = hasEdit ? [...charactersIn(a), ...charactersIn(b)] : [];
  const left = new Set(characters);
  return {
    subtree: (node) =>
      left.has(node) ||
      (hasClient && node.parent === undefined && SERVER_CONTAINERS.has(node.className)) ||
      (hasClient && CLIENT_CONTAINERS.has(node.className) && node.parent?.className === "Player") ||
      (hasEdit && (node.className === "Player" || isMadeByPlay(node))),
    property: (name, pair) => MOVING_PROPERTIES.has(name) || (name === "CFrame" && pair.some(isSimulated)),
    // A client gets the bytecode of scripts, not their sources.
    sources: hasClient,
  };
}

const isMadeByPlay = ({ name, parent }: InstanceNode): boolean =>
  MADE_BY_PLAY[parent?.className ?? ""]?.includes(name) ?? false;

/** Parts that physics moves are at another place in each context, because each simulates at a time of its own. */
function isSimulated({ properties }: Item): boolean {
  return properties?.["Anchored"] !== true;
}

function charactersIn({ tree }: TreeSide): readonly InstanceNode[] {
  const childrenOf = (className: string) =>
    tree.roots.find((root) => root.className === className)?.children ?? [];
  const players = childrenOf("Players").filter(({ className }) => className === "Player");
  const names = new Set(players.map(({ name }) => name));
  return childrenOf("Workspace").filter(
    ({ className, name, children }) =>
      className === "Model" && names.has(name) && children.some((child) => child.className === "Humanoid"),
  );
}
