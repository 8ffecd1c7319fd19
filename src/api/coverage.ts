/** `sb headless --coverage`: lists what headless Studio simulates. The engine itself supplies the list. */
import type { CoveredClass, CoveredMember } from "../headless/index.ts";
import { invalidInput } from "../protocol/messages.ts";
import type { StudioBridgeError } from "../protocol/errors.ts";
import { nearest } from "../util/nearest.ts";
import type { Style } from "../util/style.ts";
import { textTable } from "../util/text-table.ts";
import type { Column } from "../util/text-table.ts";
import type { Emission } from "../output/emission.ts";

/** Throws INVALID_INPUT for a class that does not exist. */
export async function coverageAsync(className: string | undefined): Promise<Emission> {
  const { readCoverageAsync } = await import("../headless/index.ts");
  const classes = await readCoverageAsync(className);
  if (classes === undefined) throw await unknownClassAsync(String(className));
  const [only] = classes;
  return {
    stream: "stdout",
    text: (style) =>
      className === undefined || only === undefined ? overview(classes, style) : details(only, style),
    json: { classes },
    isResult: true,
  };
}

async function unknownClassAsync(className: string): Promise<StudioBridgeError> {
  const { readCoverageAsync } = await import("../headless/index.ts");
  const all = (await readCoverageAsync()) ?? [];
  const guess = nearest(
    className,
    all.map(({ name }) => name),
  );
  return invalidInput(
    `No class is named ${className}.`,
    guess === undefined
      ? "`sb headless --coverage` lists the classes."
      : `Did you mean \`sb headless --coverage ${guess}\`?`,
  );
}

const ofKind = (classes: readonly CoveredClass[], kind: CoveredMember["kind"]): readonly CoveredMember[] =>
  classes.flatMap(({ members }) => members.filter((member) => member.kind === kind));

const simulatedOf = (members: readonly CoveredMember[]): readonly CoveredMember[] =>
  members.filter(({ simulated }) => simulated);

const ratio = (members: readonly CoveredMember[]): string =>
  `${simulatedOf(members).length} of ${members.length}`;

function needsText({ needsData, members }: CoveredClass): string {
  if (needsData) return ", with --data";
  const count = ofKind([{ name: "", needsData, members }], "method").filter(answersFixtures).length;
  return count === 0 ? "" : `, ${count} with --fixtures`;
}

const answersFixtures = ({ simulated, needsFixtures }: CoveredMember): boolean =>
  simulated && needsFixtures === true;

const COLUMNS: readonly Column<CoveredClass>[] = [
  { title: "CLASS", value: ({ name }) => name },
  {
    title: "METHODS SIMULATED",
    value: (one) => `${ratio(ofKind([one], "method"))}${needsText(one)}`,
  },
];

/** Classes with methods, because properties are nearly always kept. */
function overview(classes: readonly CoveredClass[], style: Style): string {
  const withMethods = classes.filter((one) => ofKind([one], "method").some(({ simulated }) => simulated));
  const dataMethods = ofKind(
    classes.filter(({ needsData }) => needsData),
    "method",
  );
  const [head = "", ...rows] = textTable(COLUMNS, withMethods, style.columns, "  ");
  return [
    `Headless Studio knows ${classes.length} classes. It simulates ${ratio(ofKind(classes, "method"))} methods, ${ratio(ofKind(classes, "property"))} properties and ${ratio(ofKind(classes, "event"))} events.`,
    `${simulatedOf(dataMethods).length} of the methods are those of data stores, which are simulated only with --data.`,
    `${ofKind(classes, "method").filter(answersFixtures).length} answer only what a file of --fixtures names.`,
    `${classes.flatMap(({ members }) => members.filter(({ needsWalk }) => needsWalk)).length} members of characters and parts are an emulation, with --walk only.`,
    "Other methods and properties are refused. Other events can be connected, but never fire.",
    "",
    style.dim(head),
    ...rows,
    "",
    "sb headless --coverage CLASS lists the members of one class.",
  ].join("\n");
}

/** It needs no flag. */
const isUsual = ({ simulated, needsFixtures, needsWalk }: CoveredMember): boolean =>
  simulated && needsFixtures !== true && needsWalk !== true;

function details({ name, superclass, needsData, members }: CoveredClass, style: Style): string {
  const list = (title: string, listed: readonly CoveredMember[]): readonly string[] => {
    const names = listed.map((member) =>
      member.kind === "method" ? `  ${name}:${member.name}()` : `  ${name}.${member.name}`,
    );
    return names.length === 0 ? [] : ["", style.bold(title), ...names];
  };
  const calls = members.filter(({ kind }) => kind !== "event");
  const events = ofKind([{ name, needsData, members }], "event");
  const origin = superclass === undefined ? "" : ` It inherits from ${superclass}.`;
  return [
    `${name}: ${ratio(calls)} methods and properties and ${ratio(events)} events of its own.${origin}`,
    ...list(needsData ? "SIMULATED WITH --data, OTHERWISE REFUSED" : "SIMULATED", calls.filter(isUsual)),
    ...list(
      "EMULATED WITH --walk, OTHERWISE REFUSED",
      calls.filter(({ needsWalk }) => needsWalk),
    ),
    ...list("SIMULATED FOR WHAT --fixtures NAMES, OTHERWISE REFUSED", calls.filter(answersFixtures)),
    ...list(
      "REFUSED",
      calls.filter(({ simulated }) => !simulated),
    ),
    ...list("EVENTS THAT FIRE", events.filter(isUsual)),
    ...list(
      "EVENTS THAT FIRE WITH --walk",
      events.filter(({ needsWalk }) => needsWalk),
    ),
    ...list("EVENTS THAT FIRE WITH --fixtures", events.filter(answersFixtures)),
    ...list(
      "EVENTS THAT NEVER FIRE",
      events.filter(({ simulated }) => !simulated),
    ),
  ].join("\n");
}
