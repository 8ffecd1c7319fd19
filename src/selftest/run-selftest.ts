/** Runs the areas of a self-test one after the other, and makes the report. */
import { editSessionAsync, studioModeAsync } from "../play/play-test.ts";
import { StudioBridgeError } from "../protocol/errors.ts";
import { buildId, version } from "../version.ts";
import assumptions from "./assumptions.json" with { type: "json" };
import { assumptionFindings, type Probed, probeAsync, probeSources } from "./assumption-probes.ts";
import { isStudioGone, runChecksAsync } from "./bridge-check.ts";
import { bridgeChecks } from "./bridge-checks.ts";
import { CheckedStudio, type StudioOptions } from "./checked-studio.ts";
import { readSpecs, runSpecsAsync } from "./engine-specs.ts";
import type { Area, Finding } from "./findings.ts";
import { checkPlayAsync } from "./play-checks.ts";
import { askPersonAsync, personTexts, type PersonSurface } from "./person-check.ts";
import { type Redact, redactionBy } from "./redaction.ts";
import { areaOf, type Report } from "./report.ts";
import { sentValues } from "./sent-values.ts";
import { UNPROBED } from "./unprobed.ts";

export interface SelftestOptions extends Omit<StudioOptions, "session"> {
  /** Any session of the Studio. */
  readonly session: StudioOptions["session"];
  readonly areas: readonly Area[];
  readonly play: boolean;
  /** Where a person is to be asked what no script can see. */
  readonly person?: PersonSurface | undefined;
  /** The variants of a headless Studio. */
  readonly variants: readonly string[];
}

/** Runs the self-test. Throws BUSY if a play test runs in the Studio. */
export async function runSelftestAsync(options: SelftestOptions): Promise<Report> {
  const session = await editSessionAsync(options);
  if (!isServerInCloud(options.variants) && (await studioModeAsync({ ...options, session })) !== "edit")
    throw new StudioBridgeError(
      "BUSY",
      "A play test runs in this Studio, and the self-test needs the edited place.",
      {
        hint: "Stop the play test, then try again.",
      },
    );
  const found: Found = { bridge: [], probed: [], engine: [] };
  const specs = readSpecs();
  const isWhole = await findAsync({ ...options, session }, specs, found);
  const reported = areasOf(options, found, redactionBy(ownTexts(specs)));
  const { origin, pluginVersion, pluginUpdateAvailable, studioVersion } = session;
  return {
    ok: isWhole && reported.every(({ differs }) => differs === 0),
    isWhole,
    sb: { version, build: buildId, platform: `${process.platform} ${process.arch}` },
    studio: {
      kind: origin === "headless" ? "headless" : "studio",
      version: studioVersion ?? "unknown",
      ...(origin === "headless" && options.variants.length > 0 ? { variants: [...options.variants] } : {}),
    },
    plugin: {
      version: pluginVersion,
      build: pluginUpdateAvailable === true ? "another build" : buildId,
    },
    play: options.play,
    person: options.person !== undefined,
    areas: reported,
  };
}

/** True for a headless Studio that is like a server of Luau Execution. It says that it is a server, and nothing plays there. */
const isServerInCloud = (variants: readonly string[]): boolean =>
  variants.some((variant) => /^luau-execution(?:=|$)/.test(variant));

/** The findings so far. */
interface Found {
  readonly bridge: Finding[];
  readonly probed: Probed[];
  readonly engine: Finding[];
}

/** Fills `found`. Returns false if the Studio was closed before the end; throws if there were no findings by then. */
async function findAsync(
  options: SelftestOptions,
  specs: Readonly<Record<string, string>>,
  found: Found,
): Promise<boolean> {
  const { areas, play, person, signal } = options;
  try {
    await using studio = await CheckedStudio.openAsync(options);
    if (areas.includes("bridge")) await runChecksAsync(studio, bridgeChecks, found.bridge);
    if (areas.includes("assumptions")) found.probed.push(await probeAsync(studio, "edit"));
    if (areas.includes("engine")) await runSpecsAsync(studio, specs, found.engine);
    if (play) await checkPlayAsync(studio, found.bridge, found.probed);
    if (person !== undefined) found.probed.push(await askPersonAsync(studio, person));
    return true;
  } catch (error) {
    // After an interruption, the reason of the signal is thrown, because the error may be another one that followed from it.
    if (signal.aborted) throw signal.reason;
    const hasFound = Object.values(found).some((ofArea) => ofArea.length > 0);
    if (isStudioGone(error) && hasFound) return false;
    throw error;
  }
}

/** The areas of the report, in order. The bridge is reported too if only assumptions were chosen and a play test has run. */
function areasOf(
  { areas }: SelftestOptions,
  { bridge, probed, engine }: Found,
  redact: Redact,
): Report["areas"] {
  const found: readonly (readonly [Area, readonly Finding[]])[] = [
    ...(bridge.length === 0 ? [] : [["bridge", bridge] as const]),
    ...(areas.includes("assumptions") && probed.length > 0
      ? [["assumptions", assumptionFindings(...probed)] as const]
      : []),
    ...(areas.includes("engine") ? [["engine", engine] as const] : []),
  ];
  return found.map(([area, findings]) => areaOf(area, findings.map(redacted(redact))));
}

const redacted =
  (redact: Redact) =>
  (finding: Finding): Finding =>
    finding.seen === undefined ? finding : { ...finding, seen: redact(finding.seen) };

/** Words of the self-test's own texts, and of common errors of Studio and the plugin. */
const OWN_WORDS = `
  expected got true false null undefined client server edit play test headless Studio does not simulate it only a shows
  no script can find out variant of is without and the probe probes broke off failed did end in seconds still connected
  capture captures screenshot viewport available minimized draws nothing refused to cannot be created allowed call lacking
  capability access read write member valid timed after could loaded loading experience error requiring attempt index with
  argument missing or nil unable assign property cast supported permission plugin plugins thread current BUSY records dry run
`;

/** Every word that the self-test itself may say. */
function ownTexts(specs: Readonly<Record<string, string>>): readonly string[] {
  return [
    ...Object.values(specs),
    ...probeSources,
    ...assumptions.map(({ text }) => text),
    ...Object.values(UNPROBED),
    ...personTexts,
    ...bridgeChecks.map(({ name }) => name),
    JSON.stringify(sentValues),
    OWN_WORDS,
  ];
}
