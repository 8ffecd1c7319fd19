/** `--on cloud:UNIVERSE/PLACE`: what it means in a project, and who may run tests there. */
import type { FileCaller } from "../file-roots.ts";
import type { SuiteSettings } from "../test-settings.ts";
import { StudioBridgeError } from "../../protocol/errors.ts";
import { type OwnCloud, parseTarget, type Target } from "../../testing/target.ts";

/** The universe and places of `--on cloud` without numbers; undefined if the settings name none. */
export function ownCloud({ cloud }: SuiteSettings): OwnCloud | undefined {
  const [first, ...others] = cloud?.places ?? [];
  return cloud === undefined || first === undefined
    ? undefined
    : { universe: cloud.universe, places: [first, ...others] };
}

/** A person, or an agent with `fileRoots`. */
export interface TestCaller extends FileCaller {
  /** True where an agent may run tests in the cloud of Roblox; a person always may. */
  readonly allowsCloud?: boolean;
}

/**
 * Reads the target that `source` names. Throws INVALID_INPUT for one that is none, and for the cloud if the caller may not use
 * it: an agent may only if its server was started with --allow-cloud, and only in the universe of the project's settings. What
 * only the user can change is said first.
 */
export function allowedTarget(
  word: string,
  source: string,
  settings: SuiteSettings,
  caller: TestCaller,
): Target {
  const isAgent = caller.fileRoots !== undefined;
  if (isAgent && word.split(":")[0] === "cloud") checkAgentsCloud(settings, caller);
  const target = parseTarget(word, source, ownCloud(settings));
  if (isAgent && target.kind === "cloud" && settings.cloud?.universe !== target.universe)
    throw refusedToAgent(
      `An agent runs tests only in the universe that sb.config.json names under test.cloud, not in ${target.universe}.`,
      "Leave out `on`, or use the universe of the project.",
    );
  return target;
}

function checkAgentsCloud({ cloud }: SuiteSettings, { allowsCloud }: TestCaller): void {
  const named = "name the universe and its places under test.cloud in sb.config.json";
  if (allowsCloud !== true)
    throw refusedToAgent(
      "This server does not run tests in the cloud.",
      `Leave out \`on\`, or have the user start it with \`sb mcp --allow-cloud\`${cloud === undefined ? ` and ${named}` : ""}.`,
    );
  if (cloud === undefined)
    throw refusedToAgent(
      "An agent runs tests only in the universe that sb.config.json names under test.cloud, and it names none.",
      `Leave out \`on\`, or have the user ${named}.`,
    );
}

const refusedToAgent = (message: string, agentHint: string): StudioBridgeError =>
  new StudioBridgeError("INVALID_INPUT", message, { agentHint });
