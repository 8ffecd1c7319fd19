/** What a user interface shows as lines of text: one for each object that can be seen, from the lowest to the highest. */
import { visibleInJson, visibleOnOneLine } from "../util/visible-controls.ts";
import { coverOf, isOffScreen, isSeen } from "./boxes.ts";
import type { Interface, InterfaceObject } from "./boxes.ts";

/** A longer text is cut, because the line says which object it is, and not what it says. */
const TEXT_CHARACTERS = 40;

export interface SeenObject {
  readonly id: string;
  readonly path: string;
  readonly className: string;
  readonly text?: string | undefined;
  /** Left, top, width and height. */
  readonly box: readonly number[];
  readonly pressable?: boolean | undefined;
  /** Why a press would not reach it. */
  readonly why?: string | undefined;
}

/** `interactiveOnly`: only buttons and boxes that take text. */
export function seenObjects(read: Interface, interactiveOnly: boolean): readonly SeenObject[] {
  return read.objects
    .filter((object) => isSeen(object) && (object.isPressable || !interactiveOnly))
    .map((object) => {
      const { id, path, className, text, box } = object;
      const why = object.isPressable ? whyNotPressable(object, read) : undefined;
      return {
        id,
        path,
        className,
        ...(text === undefined || text === "" ? {} : { text }),
        box: box.map((each) => Math.round(each)),
        ...(object.isPressable ? { pressable: why === undefined } : {}),
        ...(why === undefined ? {} : { why }),
      };
    });
}

function whyNotPressable(object: InterfaceObject, read: Interface): string | undefined {
  if (isBarred(object, read.objects)) return "not interactable";
  if (isOffScreen(object, read)) return "off screen";
  const cover = coverOf(object, read.objects);
  return cover === undefined ? undefined : `covered by ${cover.id}`;
}

/** An object whose ancestor is not interactable is none either. */
function isBarred(object: InterfaceObject, objects: readonly InterfaceObject[]): boolean {
  for (let at: InterfaceObject | undefined = object; at !== undefined;) {
    if (!at.isInteractable) return true;
    at = at.parent === undefined ? undefined : objects[at.parent];
  }
  return false;
}

/** Cut between characters, of which some have two halves. */
function shortened(text: string): string {
  if (text.length <= TEXT_CHARACTERS) return text;
  return `${text.slice(0, TEXT_CHARACTERS - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}

/** As `@17 TextButton "Play" 10,20,200,50 pressable`. */
export function objectLine({ id, path, className, text, box, pressable, why }: SeenObject): string {
  const named =
    text === undefined
      ? visibleOnOneLine(shortened(path.slice(path.lastIndexOf(".") + 1)))
      : visibleInJson(JSON.stringify(shortened(text)));
  const press = pressable === undefined ? "" : ` ${why ?? "pressable"}`;
  return `${id} ${className} ${named} ${box.join(",")}${press}`;
}
