/**
 * Writes the page of all assumptions about Roblox Studio that have not been checked there, from the `UNVERIFIED:`
 * comments.
 */
import { type AssumptionMark, readAssumptionMarks } from "./assumption-marks.ts";
import { probedIds, variantsOf } from "./assumptions.ts";
import { UNPROBED } from "../../src/commands/selftest/unprobed.ts";

const SECTIONS = [
  { title: "The plugin", folder: "plugin/src/", about: "Each of them has an id." },
  {
    title: "Headless Studio",
    folder: "src/headless/",
    about:
      "They need no probes of their own: the area `engine` of `sb selftest` runs the specs that headless Studio is held to in the\nStudio at hand, and lists each case in which that behaves otherwise.",
  },
  {
    title: "Everything else",
    folder: "src/",
    about:
      "Those without an id are about files, programs, operating systems and servers of Roblox, of which a script in Studio learns\nnothing, or about moments that a test of the user's place must not bring about.",
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
      "refute is marked in the code; this is the list. Where a mark says little by itself, the code that it is about follows.",
      "`cls/NAME`, `docs/cls/NAME` and their like are pages of Roblox's documentation.",
    ].join("\n"),
    [
      "An assumption with an id is one that [`sb selftest`](selftest.md) reports on. A *probe* finds out in the Studio at hand",
      "whether it holds; where there is none, the reason follows. A *variant* is a headless Studio in which it does not hold",
      "([headless.md](headless.md#variants)).",
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
