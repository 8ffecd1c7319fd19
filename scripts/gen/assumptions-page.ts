/**
 * Writes the page of all assumptions about Roblox Studio that have not been checked there, from the `UNVERIFIED:`
 * comments.
 */
import { type AssumptionMark, readAssumptionMarks } from "./assumption-marks.ts";
import { probedIds, variantsOf } from "./assumptions.ts";

const SECTIONS = [
  { title: "The plugin", folder: "plugin/src/" },
  { title: "Headless Studio", folder: "src/headless/" },
  { title: "Everything else", folder: "src/" },
] as const;

export function assumptionsPage(): string {
  const marks = readAssumptionMarks();
  const probed = new Set(probedIds());
  const sectionOf = ({ path }: AssumptionMark) => SECTIONS.find(({ folder }) => path.startsWith(folder));
  const sections = SECTIONS.flatMap((section) => {
    const entries = entriesOf(
      marks.filter((mark) => sectionOf(mark) === section),
      section.folder,
      probed,
    );
    return entries.length === 0 ? [] : [`## ${section.title}\n\n${entries.join("\n")}`];
  });
  return [
    "<!-- Made by scripts/gen.ts from the comments in the code. -->",
    "# Unchecked assumptions about Roblox Studio",
    [
      "studio-bridge was built from documentation, on Linux. Each assumption that a running Studio, Windows or macOS could",
      "refute is marked in the code; this is the list. Where a mark says little by itself, the code that it is about follows.",
      "`cls/NAME`, `docs/cls/NAME` and their like are pages of Roblox's documentation.",
    ].join("\n"),
    [
      "An assumption with an id is one that [`sb selftest`](selftest.md) reports on. A *probe* finds out in the Studio at hand",
      "whether it holds. A *variant* is a headless Studio in which it does not hold ([headless.md](headless.md#variants)).",
    ].join("\n"),
    ...sections,
    "",
  ].join("\n\n");
}

function entriesOf(
  marks: readonly AssumptionMark[],
  folder: string,
  probed: ReadonlySet<string>,
): readonly string[] {
  const byPath = Map.groupBy(marks, ({ path }) => path);
  return [...byPath].flatMap(([path, ofFile]) => [
    `- [${path.slice(folder.length)}](../${path})`,
    ...ofFile.map((mark) => `  - ${entryOf(mark, probed)}`),
  ]);
}

function entryOf({ id, text }: AssumptionMark, probed: ReadonlySet<string>): string {
  if (id === undefined) return text;
  const means = [
    ...(probed.has(id) ? ["probe"] : []),
    ...variantsOf(id).map((name) => `variant \`${name}\``),
  ];
  return `**${id}** (${means.join(", ") || "neither probe nor variant"}): ${text}`;
}
