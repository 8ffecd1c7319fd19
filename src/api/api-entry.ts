/** Looks up a name of the Roblox API together with what headless Studio simulates, or suggests the nearest names. */
import type { ApiClass, ApiMember, ClassApi, CoveredMember } from "../headless/index.ts";
import { invalidInput } from "../protocol/messages.ts";
import type { StudioBridgeError } from "../protocol/errors.ts";
import { nearest } from "../util/nearest.ts";
import { visibleOnOneLine } from "../util/visible-controls.ts";
import type { ApiMemberOutput, ApiOutput } from "./api-output.ts";

/** What headless Studio tells of the members that a class declares. */
export type CoverageOf = (className: string) => Promise<readonly CoveredMember[]>;

const MAX_OWNERS = 5;

/** Throws INVALID_INPUT for a name that the class data does not have. */
export async function apiEntryAsync(text: string, api: ClassApi, coverageOf: CoverageOf): Promise<ApiOutput> {
  const [first = "", ...rest] = text.trim().split(/[.:]/);
  if (first === "Enum" && rest.length > 0) return enumEntry(text, rest, api);
  const [memberName, ...beyond] = rest;
  const found = api.class(first);
  if (found === undefined) {
    if (api.enum(first) !== undefined) return enumEntry(text, [first, ...rest], api);
    throw unknownClass(first, api);
  }
  if (beyond.length > 0) throw notAName(text);
  if (memberName === undefined) return classEntryAsync(found, api, coverageOf);
  const member = api.member(first, memberName);
  if (member === undefined) throw unknownMember(found, memberName, api);
  return withCoverage(member, await coverageOf(member.owner));
}

async function classEntryAsync(found: ApiClass, api: ClassApi, coverageOf: CoverageOf): Promise<ApiOutput> {
  const covered = await coverageOf(found.name);
  const names = (base: string) => (api.class(base)?.members ?? []).map(({ name }) => name);
  return {
    kind: "class",
    name: found.name,
    bases: [...found.bases],
    tags: [...found.tags],
    members: found.members.map((member) => withCoverage(member, covered)),
    inherited: Object.fromEntries(found.bases.map((base) => [base, names(base)])),
  };
}

function withCoverage(member: ApiMember, covered: readonly CoveredMember[]): ApiMemberOutput {
  const isCounted = member.kind !== "callback";
  const simulated = covered.some(({ name, simulated: isSimulated }) => name === member.name && isSimulated);
  return { ...member, tags: [...member.tags], ...(isCounted ? { simulated } : {}) };
}

/** `name`, then the item, if one is named. */
function enumEntry(
  text: string,
  [name = "", itemName, ...beyond]: readonly string[],
  api: ClassApi,
): ApiOutput {
  const found = api.enum(name);
  if (found === undefined) throw unknown(`No enum is named ${name}.`, name, api.enumNames(), "Enum.");
  if (beyond.length > 0) throw notAName(text);
  if (itemName === undefined) return { kind: "enum", name: `Enum.${name}`, items: [...found.items] };
  const item = found.items.find((each) => each.name === itemName);
  if (item === undefined) {
    const names = found.items.map((each) => each.name);
    throw unknown(`Enum.${name} has no item ${itemName}.`, itemName, names, `Enum.${name}.`);
  }
  return { kind: "enumItem", name: `Enum.${name}.${itemName}`, value: item.value };
}

function unknownClass(name: string, api: ClassApi): StudioBridgeError {
  const owners = api.ownersOf(name);
  const shown = visibleOnOneLine(name);
  if (owners.length === 0)
    return unknown(`No class or enum is named ${name}.`, name, [...api.classNames(), ...api.enumNames()], "");
  const more = owners.length > MAX_OWNERS ? `, and ${owners.length - MAX_OWNERS} more` : "";
  const list = owners
    .slice(0, MAX_OWNERS)
    .map((owner) => `${owner}.${shown}`)
    .join(", ");
  return invalidInput(`No class or enum is named ${shown}.`, `It is a member: ${list}${more}.`);
}

function unknownMember({ name, bases }: ApiClass, memberName: string, api: ClassApi): StudioBridgeError {
  const names = [name, ...bases].flatMap((each) => (api.class(each)?.members ?? []).map((one) => one.name));
  return unknown(`${name} has no member ${memberName}.`, memberName, names, `${name}.`);
}

/** `prefix` stands before the near name in the next call. */
function unknown(message: string, word: string, names: readonly string[], prefix: string): StudioBridgeError {
  const lowered = word.toLowerCase();
  const same = names.find((name) => name.toLowerCase() === lowered);
  const shown = visibleOnOneLine(message);
  if (same !== undefined) return invalidInput(shown, `Did you mean ${prefix}${same}?`);
  const guess = nearest(word, names);
  const beside = prefix === "" ? " Datatypes such as Vector3 and libraries such as task are not listed." : "";
  if (guess !== undefined) return invalidInput(shown, `Did you mean ${prefix}${guess}?${beside}`);
  const owner = prefix.replace(/\.$/, "");
  return invalidInput(
    shown,
    owner === "" || owner === "Enum"
      ? `Names are those of the Roblox API, such as Part, Part.Anchored or Enum.Material.${beside}`
      : `\`sb api ${owner}\` lists all of them.`,
  );
}

function notAName(text: string): StudioBridgeError {
  return invalidInput(
    `Not a name of the Roblox API: ${visibleOnOneLine(text)}`,
    "Name a class, a member, an enum or its item: Part, Part.Anchored, Enum.Material, Enum.Material.Neon.",
  );
}
