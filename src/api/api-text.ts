/** What `sb api` prints for people, within the width of their terminal. */
import type { Style } from "../util/style.ts";
import type { ApiMemberOutput, ApiOutput } from "./api-output.ts";

const KINDS = [
  ["property", "PROPERTIES"],
  ["method", "METHODS"],
  ["event", "EVENTS"],
  ["callback", "CALLBACKS"],
] as const;

export function apiText(entry: ApiOutput, style: Style): string {
  if (entry.kind === "class") return classText(entry, style);
  if (entry.kind === "enum") return enumText(entry, style);
  if (entry.kind === "enumItem") return `${style.bold(entry.name)} = ${entry.value}`;
  return memberText(entry, style);
}

function classText(
  { name, bases = [], tags = [], members = [], inherited = {} }: ApiOutput,
  style: Style,
): string {
  const notes = tags.length === 0 ? "" : ` (${tags.join(", ")})`;
  const lists = KINDS.flatMap(([kind, title]) => {
    const listed = members.filter((member) => member.kind === kind);
    return listed.length === 0
      ? []
      : ["", style.bold(title), ...listed.map((each) => `  ${lineOf(each, style)}`)];
  });
  const bequeathing = bases.filter((base) => (inherited[base] ?? []).length > 0);
  const inheritedLines = bequeathing.map(
    (base) => `  ${base}: ${counted(inherited[base] ?? [])}; sb api ${base}`,
  );
  return [
    `${style.bold(name)}${notes}`,
    ...(bases.length === 0 ? [] : [`Inherits from ${bases.join(", ")}.`]),
    ...(members.length === 0 ? ["It has no members of its own."] : lists),
    ...(inheritedLines.length === 0 ? [] : ["", style.bold("INHERITED"), ...inheritedLines]),
    ...(members.some(({ simulated }) => simulated === false)
      ? ["", style.dim("* headless Studio does not simulate it")]
      : []),
  ].join("\n");
}

const counted = (names: readonly string[]): string =>
  names.length === 1 ? "1 member" : `${names.length} members`;

function lineOf(member: ApiMemberOutput, style: Style): string {
  const notes = [
    ...(member.security === undefined || member.security === "None" ? [] : [member.security]),
    ...(member.tags ?? []).filter((tag) => tag !== "NotSaved"),
  ];
  const mark = member.simulated === false ? " *" : "";
  const aside = notes.length === 0 ? "" : style.dim(` (${notes.join(", ")})`);
  return `${declarationOf(member)}${aside}${mark}`;
}

const declarationOf = ({ name, kind, type = "" }: ApiMemberOutput): string =>
  kind === "property" || kind === "callback" ? `${name}: ${type}` : `${name}${type}`;

function memberText(member: ApiOutput, style: Style): string {
  const { name, owner, kind, type, security, writeSecurity, tags = [], simulated } = member;
  const rows: [string, string | undefined][] = [
    [kind === "property" ? "Type" : "Signature", type],
    ["Default", member.default],
    ["Security", security],
    ["Writing", writeSecurity === security ? undefined : writeSecurity],
    ["Tags", tags.length === 0 ? undefined : tags.join(", ")],
    ["Headless", simulated === undefined ? undefined : simulated ? "simulated" : "not simulated"],
  ];
  return [
    `${style.bold(`${owner}.${name}`)} (${kind})`,
    ...rows.flatMap(([label, value]) => (value === undefined ? [] : [`${`${label}:`.padEnd(11)}${value}`])),
  ].join("\n");
}

function enumText({ name, items = [] }: ApiOutput, style: Style): string {
  return [style.bold(name), ...items.map((item) => `  ${item.name} = ${item.value}`)].join("\n");
}
