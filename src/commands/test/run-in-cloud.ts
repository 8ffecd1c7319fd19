/** `sb test --on cloud:UNIVERSE/PLACE`: checks whether the caller may run tests there, and runs them. */
import { connectToCloud } from "../../cloud/connect.ts";
import type { CommandContext } from "../../command/context.ts";
import type { SuiteSettings } from "../../command/project/test-settings.ts";
import { remark } from "../../command/remark.ts";
import { readPlaceContentAsync } from "../../headless/index.ts";
import { StudioBridgeError } from "../../protocol/errors.ts";
import { coveredScripts } from "../../testing/coverage/collector.ts";
import { runCloudTestsAsync } from "../../testing/cloud/run-cloud-tests.ts";
import { type CloudTarget, type OwnCloud, parseTarget, type Target } from "../../testing/target.ts";
import type { RunOptions } from "../../testing/run/run-tests.ts";
import type { OpenedProject } from "./open-project.ts";
import type { TestWishes } from "./test-wishes.ts";

/** The universe and places of `--on cloud` without numbers; undefined if the settings name none. */
export function ownCloud({ cloud }: SuiteSettings): OwnCloud | undefined {
  const [first, ...others] = cloud?.places ?? [];
  return cloud === undefined || first === undefined
    ? undefined
    : { universe: cloud.universe, places: [first, ...others] };
}

type Ended = Awaited<ReturnType<typeof runCloudTestsAsync>>;

type Caller = Pick<CommandContext, "allowsCloud" | "fileRoots">;

/**
 * Reads the target that `source` names. Throws INVALID_INPUT for one that is none, and for the cloud if the caller may not use
 * it: an agent may only if its server was started with --allow-cloud, and only in the universe of the project's settings. What
 * only the user can change is said first.
 */
export function allowedTarget(word: string, source: string, settings: SuiteSettings, caller: Caller): Target {
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

function checkAgentsCloud({ cloud }: SuiteSettings, { allowsCloud }: Caller): void {
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

/** Throws INVALID_INPUT if there is no usable key. Sends nothing. */
export function checkCloudKey(): void {
  connectToCloud(new AbortController().signal);
}

type CloudWishes = Pick<TestWishes, "placeFile" | "upload"> & Pick<OpenedProject, "covered" | "setup">;

export async function runInCloudAsync(
  options: Omit<RunOptions, "newRunner" | "workers">,
  target: CloudTarget,
  { placeFile, setup, upload, covered }: CloudWishes,
  context: CommandContext,
): Promise<Ended> {
  context.status("Running in the cloud");
  const tell = (text: string): void => context.emit(remark(text));
  const onWait = (milliseconds: number, reason: string): void =>
    tell(`Waiting ${Math.ceil(milliseconds / 1000)} s for Open Cloud, which ${reason}.`);
  return runCloudTestsAsync({
    ...options,
    connect: (signal) => connectToCloud(signal, onWait),
    site: {
      universe: String(target.universe),
      places: target.places.map(String),
      version: target.version,
      // Agents never change a place of Roblox.
      upload: context.fileRoots === undefined ? (upload ?? "never") : "never",
    },
    place: placeFile === undefined ? undefined : await readPlaceContentAsync(placeFile),
    setup,
    covered: covered === undefined ? undefined : coveredScripts(covered, true),
    tell,
  });
}
