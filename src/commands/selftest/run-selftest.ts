/** Runs the areas of a self-test one after the other, and makes the report. */
import { editSessionAsync, studioModeAsync } from "../../command/sessions/play-test.ts";
import { StudioBridgeError } from "../../protocol/errors.ts";
import { buildId, version } from "../../version.ts";
import assumptions from "./assumptions.json" with { type: "json" };
import { assumptionFindings, probeAsync, probeSources, type Probed } from "./assumption-probes.ts";
import { runChecksAsync } from "./bridge-check.ts";
import { bridgeChecks } from "./bridge-checks.ts";
import { CheckedStudio, type StudioOptions } from "./checked-studio.ts";
import { readSpecs, runSpecsAsync } from "./engine-specs.ts";
import type { Area, Finding } from "./findings.ts";
import { checkPlayAsync } from "./play-checks.ts";
import { type Redact, redactionBy } from "./redaction.ts";
import { areaOf, type Report } from "./report.ts";
import { sentValues } from "./sent-values.ts";

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
  const findings = await findAsync({ ...options, session });
  const reported = options.areas.map((area) => areaOf(area, findings.get(area) ?? []));
  const { origin, pluginVersion, pluginUpdateAvailable, studioVersion } = session;
  return {
    ok: reported.every(({ differs }) => differs === 0),
    sb: { version, build: buildId },
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

async function findAsync(options: SelftestOptions): Promise<ReadonlyMap<Area, readonly Finding[]>> {
  const { areas, play } = options;
  const found = new Map<Area, readonly Finding[]>();
  const probed: Probed[] = [];
  const specs = readSpecs();
  const redact = redactionBy(ownTexts(specs));
  await using studio = await CheckedStudio.openAsync(options);
  if (areas.includes("bridge")) found.set("bridge", await runChecksAsync(studio, bridgeChecks));
  if (areas.includes("assumptions")) probed.push(await probeAsync(studio, "edit"));
  if (areas.includes("engine")) found.set("engine", await runSpecsAsync(studio, specs));
  if (play) {
    const played = await checkPlayAsync(studio);
    found.set("bridge", [...(found.get("bridge") ?? []), ...played.findings]);
    probed.push(...played.probed);
  }
  if (areas.includes("assumptions")) found.set("assumptions", assumptionFindings(...probed));
  return new Map([...found].map(([area, findings]) => [area, findings.map(redacted(redact))]));
}

const redacted =
  (redact: Redact) =>
  (finding: Finding): Finding =>
    finding.seen === undefined ? finding : { ...finding, seen: redact(finding.seen) };

/** Every word that the self-test itself may say. */
function ownTexts(specs: Readonly<Record<string, string>>): readonly string[] {
  return [
    ...Object.values(specs),
    ...probeSources,
    ...assumptions.map(({ text }) => text),
    ...bridgeChecks.map(({ name }) => name),
    JSON.stringify(sentValues),
    "expected got true false null undefined client server edit play test",
  ];
}
