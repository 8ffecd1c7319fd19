/** The class data and the datatypes, as the check of engine members needs them. */
import { declarationsAsync, nameOf } from "../luau-types/definitions.ts";
import type { ClassLine } from "../luau-types/definitions.ts";
import type { EngineData, EngineMember } from "./engine-members.ts";

/** What signals, connections and enums have, which are neither classes nor datatypes. */
const OTHER_MEMBERS =
  "Connect ConnectParallel Once Wait Disconnect Connected GetEnumItems GetEnums FromName FromValue Name Value EnumType IsA";

function memberOf(className: string, entry: string, isMethod: boolean): EngineMember {
  const [name = "", second = "", third = ""] = entry.split(":");
  const flags = isMethod ? second : third;
  return {
    className,
    name,
    isMethod,
    isLocked: !isMethod && flags.includes("x"),
    isDeprecated: flags.includes("d"),
    yields: isMethod && flags.includes("y"),
    arity: isMethod ? arityOf(third) : undefined,
  };
}

/** As scripts/classes/parameters.ts writes them. */
function arityOf(letters: string): readonly [number, number] {
  const fixed = letters.replace("*", "");
  const least = [...fixed].findLastIndex((letter) => letter === letter.toLowerCase()) + 1;
  return [least, letters.includes("*") ? Infinity : fixed.length];
}

function ownMembers(each: ClassLine): EngineMember[] {
  return [
    ...each.properties.map((entry) => memberOf(each.name, entry, false)),
    ...each.methods.map((entry) => memberOf(each.name, entry, true)),
    ...[...each.events, ...each.callbacks].map((entry) => ({
      ...memberOf(each.name, `${nameOf(entry)}::`, false),
      isDeprecated: (entry.split(":")[1] ?? "").includes("d"),
    })),
  ];
}

export async function engineDataAsync(): Promise<EngineData> {
  const { classes, datatypes } = await declarationsAsync();
  // A class comes after the one that it extends.
  const byClass = new Map<string, ReadonlyMap<string, EngineMember>>();
  for (const each of classes) {
    const inherited = byClass.get(each.superclass) ?? new Map<string, EngineMember>();
    byClass.set(
      each.name,
      new Map([...inherited, ...ownMembers(each).map((member) => [member.name, member] as const)]),
    );
  }
  const byName = Map.groupBy(classes.flatMap(ownMembers), ({ name }) => name);
  const ofDatatypes = datatypes.flatMap(({ values, library }) =>
    [...values, ...library].map((member) => /^(?:readonly )?(\w+)/.exec(member)?.[1] ?? ""),
  );
  return {
    membersOf: (className) => byClass.get(className),
    withName: (name) => byName.get(name) ?? [],
    datatypeMembers: new Set([...OTHER_MEMBERS.split(" "), ...ofDatatypes]),
  };
}
