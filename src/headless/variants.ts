/**
 * Headless Studios in which an assumption about Roblox Studio does not hold, and one that is a server in the cloud. The
 * variable SB_HEADLESS_VARIANT names some, with commas between them; `engine/Variants.luau` makes the differences.
 */
import { StudioBridgeError } from "../protocol/errors.ts";

export interface Variant {
  readonly name: string;
  /** Id of the assumption that does not hold, as its mark has it. Absent where the variant is about none. */
  readonly assumption?: string;
  /** What is different, as a sentence. */
  readonly what: string;
}

export const VARIANT_VARIABLE = "SB_HEADLESS_VARIANT";

export const VARIANTS: readonly Variant[] = [
  {
    name: "no-plugin-connections",
    assumption: "plugin-connections",
    what: "There is no PluginConnectionService, so that the plugins of a test cannot talk to each other.",
  },
  {
    name: "no-loadstring",
    assumption: "loadstring",
    what: "Plugins have no loadstring.",
  },
  {
    name: "no-server-sockets",
    assumption: "server-web-sockets",
    what: "The server of a test makes no WebSockets.",
  },
  { name: "no-is-edit", assumption: "is-edit", what: "RunService has no IsEdit." },
  {
    name: "no-edit-mode-active",
    assumption: "edit-mode-active",
    what: "StudioTestService has no EditModeActive.",
  },
  {
    name: "no-settings",
    assumption: "plugin-settings",
    what: "Settings of plugins are nil, except for the one by which headless Studio names itself.",
  },
  { name: "closed-core-gui", assumption: "core-gui", what: "CoreGui is closed to plugins." },
  {
    name: "no-captures",
    assumption: "captures-come",
    what: "Captures of the viewport begin and never arrive; there is no StudioCaptureService.",
  },
  {
    name: "no-set-timeout",
    assumption: "set-timeout",
    what: "ScriptContext:SetTimeout has no effect.",
  },
  {
    name: "small-messages",
    assumption: "message-size",
    what: "Messages between plugins of a test have at most 8 KB.",
  },
  { name: "double-log", assumption: "log-lines-once", what: "LogService announces each line twice." },
  {
    name: "joined-positions",
    assumption: "moved-alone",
    what: "A part that gets a Position, an Orientation or a Rotation takes its assembly along.",
  },
  { name: "no-end-test", assumption: "end-test", what: "StudioTestService refuses EndTest." },
  {
    name: "no-coverage",
    assumption: "coverage",
    what: "ScriptContext counts no lines.",
  },
  {
    name: "empty-coverage",
    assumption: "coverage-hits",
    what: "ScriptContext says that it counts lines, and reports no hits.",
  },
  {
    name: "no-recordings",
    assumption: "recordings",
    what: "ChangeHistoryService refuses every recording.",
  },
  {
    name: "no-source-updates",
    assumption: "written-sources",
    what: "ScriptEditorService writes no sources.",
  },
  {
    name: "no-editor-sources",
    assumption: "editor-sources",
    what: "ScriptEditorService does not give the source of a script that is not open.",
  },
  {
    name: "no-query-descendants",
    assumption: "query-descendants",
    what: "Instances have no QueryDescendants.",
  },
  {
    name: "no-game-scripts",
    assumption: "in-game-script",
    what: "The Source of a Script cannot be assigned in a play test, so that plugins put no code into the game.",
  },
  {
    name: "no-virtual-input",
    assumption: "virtual-input",
    what: "UserInputService has no CreateVirtualInput, so that nothing can give input.",
  },
  {
    name: "late-input-objects",
    assumption: "click-order",
    what: "A button hears MouseButton1Down and MouseButton1Click before InputBegan and InputEnded.",
  },
  {
    name: "active-lets-through",
    assumption: "active-sinks",
    what: "An active object that is no button lets presses through to what is below it.",
  },
  {
    name: "no-http-permission",
    assumption: "http-permission",
    what: "The user does not let plugins send HTTP requests. `no-http-permission=unanswered`: the question is still open, so that requests wait.",
  },
  {
    name: "http-limit",
    assumption: "http-budget",
    what: "Other plugins have used up the HTTP requests of each minute.",
  },
  { name: "no-websockets", assumption: "web-sockets", what: "Studio makes no WebSockets." },
  {
    name: "luau-execution",
    what: "It answers as a server of Luau Execution does, where Open Cloud runs scripts: RunService reports a server outside of Studio, in which nothing runs by itself. `luau-execution=UNIVERSE/PLACE@VERSION` says which place it is.",
  },
];

/** The variants that headless Studios of this process are. Throws INVALID_INPUT for one that there is not. */
export const headlessVariants = (): readonly string[] => variantsIn(process.env[VARIANT_VARIABLE] ?? "");

/** Some variants are written as `NAME=VALUE`. */
const withoutValue = (name: string): string => name.replace(/=\S*$/, "");

/** The names in the text of the variable. Throws INVALID_INPUT, which lists all, for one that there is not. */
export function variantsIn(text: string): readonly string[] {
  const names = text
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
  const known = new Set<string>(VARIANTS.map(({ name }) => name));
  const unknown = names.find((name) => !known.has(withoutValue(name)));
  if (unknown === undefined) return names;
  throw new StudioBridgeError("INVALID_INPUT", `${VARIANT_VARIABLE}: there is no variant "${unknown}".`, {
    hint: `Variants: ${[...known].join(", ")}.`,
  });
}
