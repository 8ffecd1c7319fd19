/** Faults of a user interface that its rectangles show: texts that do not fit, and objects that no player can reach. */
import {
  coverOf,
  type Interface,
  type InterfaceObject,
  isIn,
  isOffScreen,
  isSeen,
  sharedArea,
} from "./boxes.ts";

export const rules = ["text-does-not-fit", "zero-size", "off-screen", "buttons-overlap", "covered"] as const;
export type Rule = (typeof rules)[number];

export interface Finding {
  readonly rule: Rule;
  readonly path: string;
  readonly id: string;
  readonly message: string;
}

/** Two buttons that share this much of the smaller one are pressed by mistake. */
const OVERLAP = 0.25;

/** In the order of the objects. An object, and what is in it, leaves out what its attribute `SbIgnore` names. */
export function findingsIn(read: Interface, ignored: readonly Rule[]): readonly Finding[] {
  const { objects } = read;
  return objects.flatMap((object, index) =>
    rules.flatMap((rule) => {
      if (ignored.includes(rule) || isIgnored(objects, index, rule)) return [];
      const message = checks[rule](object, index, read);
      return message === undefined ? [] : [{ rule, path: object.path, id: object.id, message }];
    }),
  );
}

function isIgnored(objects: readonly InterfaceObject[], index: number, rule: Rule): boolean {
  for (let at: number | undefined = index; at !== undefined; at = objects[at]?.parent) {
    const { ignores } = objects[at] ?? {};
    if (ignores === "all" || ignores === rule) return true;
  }
  return false;
}

type Check = (object: InterfaceObject, index: number, read: Interface) => string | undefined;

const checks: { readonly [Name in Rule]: Check } = {
  "text-does-not-fit": ({ text = "", textFits, box: [, , width, height] }) =>
    text !== "" && textFits === false && width > 0 && height > 0
      ? `Its text needs more room than ${sizeText(width, height)}.`
      : undefined,
  "zero-size": ({ text = "", box: [, , width, height] }, index, { objects }) => {
    const hasContent = text !== "" || objects.some(({ parent }) => parent === index);
    return hasContent && (width <= 0 || height <= 0)
      ? `Its size is ${sizeText(width, height)}, and it has ${text === "" ? "objects" : "a text"} in it.`
      : undefined;
  },
  "off-screen": (object, _, read) =>
    isSeen(object) && isOffScreen(object, read) && !isParentOff(object, read)
      ? "Nothing of it is on the screen."
      : undefined,
  "buttons-overlap": (object, index, { objects }) => {
    if (!object.isPressable || !isSeen(object)) return undefined;
    const other = objects
      .slice(0, index)
      .find((each, at) => overlaps(object, each) && !isIn(objects, index, at));
    return other === undefined ? undefined : `It overlaps ${other.path} (${other.id}).`;
  },
  covered: (object, _, read) => {
    if (!object.isPressable || !isSeen(object) || isOffScreen(object, read)) return undefined;
    const cover = coverOf(object, read.objects);
    return cover === undefined ? undefined : `A press goes to ${cover.path} (${cover.id}).`;
  },
};

/** What is in an object off the screen is off it too, which one finding says. */
function isParentOff({ parent }: InterfaceObject, read: Interface): boolean {
  const above = parent === undefined ? undefined : read.objects[parent];
  return above !== undefined && isSeen(above) && isOffScreen(above, read);
}

function overlaps(one: InterfaceObject, other: InterfaceObject): boolean {
  if (!other.isPressable || !isSeen(other)) return false;
  const area = ({ seen: [, , width, height] }: InterfaceObject) => width * height;
  return sharedArea(one.seen, other.seen) >= OVERLAP * Math.min(area(one), area(other));
}

const sizeText = (width: number, height: number): string => `${Math.round(width)} by ${Math.round(height)}`;
