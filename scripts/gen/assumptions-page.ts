/**
 * Writes the page of all assumptions about Roblox Studio that have not been checked there, from the `UNVERIFIED:`
 * comments.
 */
import { type AssumptionMark, readAssumptionMarks } from "./assumption-marks.ts";
import { probedIds, variantsOf } from "./assumptions.ts";
import { UNPROBED } from "../../src/selftest/unprobed.ts";

const SECTIONS = [
  { title: "The plugin", folder: "plugin/src/", about: "Each of them has an id." },
  {
    title: "Headless Studio",
    folder: "src/headless/",
    about:
      'They need no probes of their own: the area `engine` of `sb selftest` runs the specs of headless Studio in the Studio at hand,\nand lists each case in which that Studio behaves differently. "Wording" means that the words of an error or a message are not\nknown.',
  },
  {
    title: "Everything else",
    folder: "src/",
    about:
      "Assumptions without an id are about files, programs, operating systems and servers of Roblox, about which a script in Studio\nlearns nothing, or about situations that a self-test must not cause in the user's place.",
  },
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
    return entries.length === 0 ? [] : [`## ${section.title}\n\n${section.about}\n\n${entries.join("\n")}`];
  });
  return [
    "<!-- Made by scripts/gen.ts from the comments in the code. -->",
    "# Unchecked assumptions about Roblox Studio",
    [
      "studio-bridge was built from documentation, on Linux. Each assumption that a running Studio, Windows or macOS could",
      "refute is marked in the code; this is the list. If a mark is short, the code that it belongs to follows.",
      "`cls/NAME`, `docs/cls/NAME` and similar names are pages of Roblox's documentation.",
    ].join("\n"),
    [
      "[`sb selftest`](selftest.md) reports on each assumption with an id. A *probe* finds out in the Studio at hand whether the",
      "assumption holds; if there is no probe, the reason follows. A *variant* is a headless Studio in which the assumption does not",
      "hold ([headless.md](headless.md#variants)).",
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
    probed.has(id) ? "probe" : `no probe: ${UNPROBED[id] ?? ""}`,
    ...variantsOf(id).map((name) => `variant \`${name}\``),
  ];
  return `**${id}** (${means.join(", ")}): ${text}`;
}
