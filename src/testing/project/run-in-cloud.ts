/** Runs the tests of `sb test --on cloud:UNIVERSE/PLACE`. */
import { connectToCloud } from "../../cloud/connect.ts";
import type { TestSurface } from "./test-surface.ts";
import { remark } from "../../output/remark.ts";
import { readPlaceContentAsync } from "../../headless/index.ts";
import { coveredScripts } from "../coverage/collector.ts";
import { runCloudTestsAsync } from "../cloud/run-cloud-tests.ts";
import type { CloudTarget } from "../target.ts";
import type { RunOptions } from "../run/run-tests.ts";
import type { OpenedProject } from "./open-project.ts";
import type { TestWishes } from "./test-wishes.ts";

type Ended = Awaited<ReturnType<typeof runCloudTestsAsync>>;

const USE = { what: "Tests in the cloud need", scope: "universe.place.luau-execution-session:write" };

/** Throws INVALID_INPUT if there is no usable key. Sends nothing. */
export function checkCloudKey(): void {
  connectToCloud(new AbortController().signal, USE);
}

type CloudWishes = Pick<TestWishes, "placeFile" | "upload"> & Pick<OpenedProject, "covered" | "setup">;

export async function runInCloudAsync(
  options: Omit<RunOptions, "newRunner" | "workers">,
  target: CloudTarget,
  { placeFile, setup, upload, covered }: CloudWishes,
  surface: TestSurface,
): Promise<Ended> {
  surface.status("Running in the cloud");
  const tell = (text: string): void => surface.emit(remark(text));
  const onWait = (milliseconds: number, reason: string): void =>
    tell(`Waiting ${Math.ceil(milliseconds / 1000)} s for Open Cloud, which ${reason}.`);
  return runCloudTestsAsync({
    ...options,
    connect: (signal) => connectToCloud(signal, { ...USE, onWait }),
    site: {
      universe: String(target.universe),
      places: target.places.map(String),
      version: target.version,
      // Agents never change a place of Roblox.
      upload: surface.isAgent ? "never" : (upload ?? "never"),
    },
    place: placeFile === undefined ? undefined : await readPlaceContentAsync(placeFile),
    setup,
    covered: covered === undefined ? undefined : coveredScripts(covered, true),
    tell,
  });
}
