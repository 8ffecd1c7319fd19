/** The report of a self-test: its schema, and its texts for the screen and for Markdown. */
import { defineSchema, type OutputOf } from "../protocol/schema.ts";
import type { Style } from "../util/style.ts";
import { wrap } from "../util/text-width.ts";
import { type Area, areas, type Finding, ONLY_IN_PLAY, results } from "./findings.ts";

export const reportSchema = defineSchema((z) =>
  z.object({
    /** False if something differs, or if findings are missing. */
    ok: z.boolean(),
    /** False if the Studio was closed before the end, so that findings are missing. */
    isWhole: z.boolean(),
    sb: z.object({
      version: z.string(),
      build: z.string(),
      /** The operating system and the kind of processor, such as `win32 x64`. */
      platform: z.string(),
    }),
    studio: z.object({
      kind: z.enum(["studio", "headless"]),
      version: z.string(),
      /** The variants of a headless Studio in which assumptions do not hold. */
      variants: z.array(z.string()).optional(),
    }),
    plugin: z.object({ version: z.string(), build: z.string() }),
    /** True if the self-test included a play test. */
    play: z.boolean(),
    /** True if a person was asked what no script can see. */
    person: z.boolean(),
    areas: z.array(
      z.object({
        area: z.enum(areas),
        holds: z.int(),
        differs: z.int(),
        unknown: z.int(),
        /** All findings; for the engine, only those that do not hold. */
        findings: z.array(
          z.object({
            subject: z.string(),
            name: z.string(),
            result: z.enum(results),
            seen: z.string().optional(),
          }),
        ),
      }),
    ),
  }),
);
export type Report = OutputOf<typeof reportSchema>;
type ReportArea = Report["areas"][number];

const TITLES: Readonly<Record<Area, string>> = {
  bridge: "Bridge",
  assumptions: "Assumptions",
  engine: "Engine",
};

/** Counts the findings of an area. For the engine, which has very many, only findings that do not hold are kept. */
export function areaOf(area: Area, findings: readonly Finding[]): ReportArea {
  const count = (wanted: Finding["result"]) => findings.filter(({ result }) => result === wanted).length;
  return {
    area,
    holds: count("holds"),
    differs: count("differs"),
    unknown: count("unknown"),
    findings: findings.filter(({ result }) => area !== "engine" || result !== "holds"),
  };
}

/** `41 hold, 1 differs, 2 cannot be told`. */
function countsText({ holds, differs, unknown }: ReportArea): string {
  const parts = [
    `${holds} ${holds === 1 ? "holds" : "hold"}`,
    ...(differs === 0 ? [] : [`${differs} ${differs === 1 ? "differs" : "differ"}`]),
    ...(unknown === 0 ? [] : [`${unknown} cannot be told`]),
  ];
  return parts.join(", ");
}

function studioText({ studio, plugin, sb }: Report): string {
  const variants = studio.variants === undefined ? "" : ` (${studio.variants.join(", ")})`;
  const name = studio.kind === "headless" ? `Headless Studio${variants}` : "Roblox Studio";
  return `${name} ${studio.version}, plugin ${plugin.version} (${plugin.build}), sb ${sb.version} (${sb.build}) on ${sb.platform}`;
}

const CUT = "The Studio was closed during the self-test. These are the findings until then.";

const findingsOf = (report: Report, result: Finding["result"]) =>
  report.areas.flatMap(({ area, findings }) =>
    findings.filter((finding) => finding.result === result).map((finding) => ({ area, ...finding })),
  );

export function screenText(report: Report, style: Style): string {
  const width = Number.isFinite(style.columns) ? Math.max(30, style.columns) : Infinity;
  const indented = (text: string, indent: string) =>
    wrap(text, width - indent.length).map((line) => indent + line);
  const differing = findingsOf(report, "differs").flatMap(({ area, subject, name, seen = "" }) => [
    ...indented(`${TITLES[area]}: ${subject}`, "  ").map(style.red),
    ...indented(name, "    ").map(style.dim),
    ...indented(style.body(seen), "    "),
  ]);
  const untold = Map.groupBy(findingsOf(report, "unknown"), ({ seen }) =>
    seen === ONLY_IN_PLAY ? "With --play" : "Cannot be told (--report says why)",
  );
  const untoldLines = [...untold].flatMap(([heading, ofGroup]) => [
    "",
    style.bold(heading),
    ...indented([...new Set(ofGroup.map(({ subject }) => subject))].join(", "), "  "),
  ]);
  const title = Math.max(...report.areas.map(({ area }) => TITLES[area].length)) + 2;
  return [
    ...wrap(studioText(report), width),
    ...(report.isWhole ? [] : ["", ...wrap(CUT, width).map(style.red)]),
    "",
    ...report.areas.map((area) => `${TITLES[area.area].padEnd(title)}${countsText(area)}`),
    ...(differing.length === 0 ? [] : ["", style.bold("Differs"), ...differing]),
    ...untoldLines,
  ].join("\n");
}

export function markdownText(report: Report): string {
  const rows = report.areas.map(
    ({ area, holds, differs, unknown }) => `| ${TITLES[area]} | ${holds} | ${differs} | ${unknown} |`,
  );
  const list = (result: Finding["result"]) =>
    findingsOf(report, result).map(({ area, subject, name, seen }) => {
      const what = `- **${TITLES[area]}, ${subject}**: ${escaped(name)}`;
      return seen === undefined ? what : `${what}\n  - ${escaped(seen)}`;
    });
  const section = (title: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : [`## ${title}`, lines.join("\n")];
  return [
    "# Self-test of studio-bridge",
    `${studioText(report)}, ${report.play ? "with" : "without"} a play test, ${report.person ? "with" : "without"} the answers of a person.`,
    ...(report.isWhole ? [] : [`**${CUT}**`]),
    ["| area | holds | differs | cannot be told |", "| --- | ---: | ---: | ---: |", ...rows].join("\n"),
    ...(list("differs").length === 0 ? ["Nothing differs."] : section("Differs", list("differs"))),
    ...section("Cannot be told", list("unknown")),
    "",
  ].join("\n\n");
}

/** The text on one line, with the special characters of Markdown escaped. */
const escaped = (text: string): string =>
  text.replaceAll(/\s+/g, " ").replaceAll(/[\\`*_{}[\]<>#|]/g, (character) => `\\${character}`);
