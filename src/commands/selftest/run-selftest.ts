/** Runs the areas of a self-test one after the other, and makes the report. */
import { editSessionAsync, studioModeAsync } from "../../command/sessions/play-test.ts";
import { StudioBridgeError } from "../../protocol/errors.ts";
import { buildId, version } from "../../version.ts";
import assumptions from "./assumptions.json" with { type: "json" };
import { assumptionFindings, probeAsync, probeSources } from "./assumption-probes.ts";
import { runChecksAsync } from "./bridge-check.ts";
import { bridgeChecks } from "./bridge-checks.ts";
import { CheckedStudio, type StudioOptions } from "./checked-studio.ts";
import { readSpecs, runSpecsAsync } from "./engine-specs.ts";
import type { Area, Finding } from "./findings.ts";
import { checkPlayAsync } from "./play-checks.ts";
import { type Redact, redactionBy } from "./redaction.ts";
import { areaOf, type Report } from "./report.ts";
import { sentValues } from "./sent-values.ts";
import { UNPROBED } from "./unprobed.ts";

export interface SelftestOptions extends Omit<StudioOptions, "session"> {
  /** Any session of the Studio. */
  readonly session: StudioOptions["session"];
  readonly areas: readonly Area[];
  readonly play: boolean;
  /** Of a headless Studio. */
  readonly variants: readonly string[];
}

/** Throws BUSY where Studio plays. */
export async function runSelftestAsync(options: SelftestOptions): Promise<Report> {
  const session = await editSessionAsync(options);
  if ((await studioModeAsync({ ...options, session })) !== "edit")
    throw new StudioBridgeError("BUSY", "Studio plays, and the self-test needs the place as it is edited.", {
      hint: "Stop the play test, then try again.",
    });
  const findings = await findAsync({ ...options, session }).catch((error: unknown) => {
    // The check that an interruption ends may not have started, but the self-test has.
    throw options.signal.aborted ? options.signal.reason : error;
  });
  const reported = [...findings].map(([area, ofArea]) => areaOf(area, ofArea));
  const { origin, pluginVersion, pluginUpdateAvailable, studioVersion } = session;
  return {
    ok: reported.every(({ differs }) => differs === 0),
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
    areas: reported,
  };
}

/** In the order of areas. What a play test shows of the bridge is told also where only assumptions are asked for. */
async function findAsync(options: SelftestOptions): Promise<ReadonlyMap<Area, readonly Finding[]>> {
  const { areas, play } = options;
  const specs = readSpecs();
  await using studio = await CheckedStudio.openAsync(options);
  const checked = areas.includes("bridge") ? await runChecksAsync(studio, bridgeChecks) : [];
  const probed = areas.includes("assumptions") ? await probeAsync(studio, "edit") : undefined;
  const engine = areas.includes("engine") ? await runSpecsAsync(studio, specs) : undefined;
  const played = play ? await checkPlayAsync(studio) : { findings: [], probed: [] };
  const bridge = [...checked, ...played.findings];
  const found = new Map<Area, readonly Finding[]>([
    ...(bridge.length === 0 ? [] : [["bridge", bridge] as const]),
    ...(probed === undefined ? [] : [["assumptions", assumptionFindings(probed, ...played.probed)] as const]),
    ...(engine === undefined ? [] : [["engine", engine] as const]),
  ]);
  const redact = redactionBy(ownTexts(specs));
  return new Map([...found].map(([area, findings]) => [area, findings.map(redacted(redact))]));
}

const redacted =
  (redact: Redact) =>
  (finding: Finding): Finding =>
    finding.seen === undefined ? finding : { ...finding, seen: redact(finding.seen) };

/** Words of what the self-test says, and of errors that Studio and the plugin raise for everyone. */
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
    ...bridgeChecks.map(({ name }) => name),
    JSON.stringify(sentValues),
    OWN_WORDS,
  ];
}
