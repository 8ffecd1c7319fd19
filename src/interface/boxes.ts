/** The boxes of the objects of a user interface: which can be seen, and which would take a press that is meant for another. */
import type { ActionResult } from "../protocol/actions.ts";

export type Interface = ActionResult<"readInterface">;
export type InterfaceObject = Interface["objects"][number];
type Box = InterfaceObject["seen"];

export const isSeen = ({ seen: [, , width, height] }: InterfaceObject): boolean => width > 0 && height > 0;

/** Nothing of it is on the screen. */
export function isOffScreen({ seen }: InterfaceObject, { screen }: Interface): boolean {
  if (screen === undefined) return false;
  const [left, top, width, height] = seen;
  const [screenLeft, screenTop, screenWidth, screenHeight] = screen;
  return (
    left + width <= screenLeft ||
    top + height <= screenTop ||
    left >= screenLeft + screenWidth ||
    top >= screenTop + screenHeight
  );
}

/** The topmost object at the middle of what can be seen of it, where that is neither the object nor in it. */
export function coverOf(
  object: InterfaceObject,
  objects: readonly InterfaceObject[],
): InterfaceObject | undefined {
  const [left, top, width, height] = object.seen;
  const [x, y] = [left + width / 2, top + height / 2];
  const at = objects.indexOf(object);
  const hit = objects.findLastIndex(({ seen, sinks }) => sinks && holds(seen, x, y));
  return hit <= at || isIn(objects, hit, at) ? undefined : objects[hit];
}

const holds = ([left, top, width, height]: Box, x: number, y: number): boolean =>
  x >= left && y >= top && x < left + width && y < top + height;

/** Whether an object is below another in the tree; both by their numbers. */
export function isIn(objects: readonly InterfaceObject[], index: number, ancestor: number): boolean {
  for (let at = objects[index]?.parent; at !== undefined; at = objects[at]?.parent)
    if (at === ancestor) return true;
  return false;
}

/** The area that two boxes share. */
export function sharedArea([left, top, width, height]: Box, other: Box): number {
  const [otherLeft, otherTop, otherWidth, otherHeight] = other;
  const right = Math.min(left + width, otherLeft + otherWidth);
  const bottom = Math.min(top + height, otherTop + otherHeight);
  return Math.max(0, right - Math.max(left, otherLeft)) * Math.max(0, bottom - Math.max(top, otherTop));
}
