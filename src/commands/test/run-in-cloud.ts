/** `sb test --on cloud:UNIVERSE/PLACE`: checks whether the caller may run tests there, and runs them. */
import { connectToCloud } from "../../cloud/connect.ts";
import type { CommandContext } from "../../command/context.ts";
import type { SuiteSettings } from "../../command/project/test-settings.ts";
import { readPlaceContentAsync } from "../../headless/index.ts";
import { invalidInput } from "../../protocol/messages.ts";
import { coveredScripts } from "../../testing/coverage/collector.ts";
import { runCloudTestsAsync } from "../../testing/cloud/run-cloud-tests.ts";
import type { CloudTarget, OwnCloud, Target } from "../../testing/target.ts";
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

type CloudSettings = SuiteSettings["cloud"];
type Ended = Awaited<ReturnType<typeof runCloudTestsAsync>>;

/**
 * Throws INVALID_INPUT if the target is the cloud and the caller may not use it. An agent may use it only if its server was
 * started with --allow-cloud, and only in the universe of the project's settings.
 */
export function checkCloudUse(
  target: Target,
  settings: CloudSettings,
  { allowsCloud, fileRoots }: Pick<CommandContext, "allowsCloud" | "fileRoots">,
): void {
  if (target.kind !== "cloud" || fileRoots === undefined) return;
  if (allowsCloud !== true)
    throw invalidInput(
      "This server does not run tests in the cloud.",
      "Leave out `on`, or have the user start it with `sb mcp --allow-cloud`.",
    );
  if (settings?.universe !== target.universe)
    throw invalidInput(
      `An agent runs tests only in the universe that sb.config.json names under test.cloud, not in ${target.universe}.`,
      "Leave out `on`, or use the universe of the project.",
    );
}

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
  const tell = (text: string): void => context.emit({ stream: "stderr", text: () => text });
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
