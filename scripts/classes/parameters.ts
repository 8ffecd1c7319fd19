// Reads what a declared method takes: how many arguments, and of which kind each is. Knows no class by name.
import { splitOutside } from "../luau-types/declared-interfaces.ts";

/**
 * One letter for each parameter, a capital one where it may be left out:
 *   s string, n number, b boolean, t table, f function, i Instance, e EnumItem (or its name or number),
 *   d a value of another type, v any value; `*` stands for any number of further arguments.
 */
export type Parameters = string;

const PARAMETER = /^(\.\.\.)?\w+(\?)?(?:: (.*))?$/;
const TABLE = /^(?:object$|\{|(?:Array|ReadonlyArray|Map|ReadonlyMap|Set|Record|Partial)<)/;
const KINDS: Readonly<Record<string, string>> = {
  string: "s",
  ContentId: "s",
  BinaryString: "s",
  number: "n",
  boolean: "b",
  Callback: "f",
  Instance: "i",
};

/** Several types make one kind only where all are of that kind. */
function kindOf(type: string, isClass: (name: string) => boolean): string {
  const kinds = new Set(
    splitOutside(type, "|")
      .filter((part) => part !== "undefined")
      .map((part) => kindOfOne(part, isClass)),
  );
  const [only = "v", ...others] = kinds;
  if (others.length === 0) return only;
  return kinds.has("v") ? "v" : "d";
}

function kindOfOne(type: string, isClass: (name: string) => boolean): string {
  if (type.includes("=>")) return "f";
  if (type.startsWith("CastsToEnum<")) return "e";
  if (TABLE.test(type)) return "t";
  if (/^"/.test(type)) return "s";
  if (/^(?:unknown|[A-Z])$/.test(type) || type.includes("<") || type.includes("[")) return "v";
  return KINDS[type] ?? (isClass(type) ? "i" : "d");
}

/** `text` is what stands between the parentheses of the declaration. */
export function parametersIn(text: string, isClass: (name: string) => boolean): Parameters {
  const letters = splitOutside(text, ",").flatMap((parameter) => {
    if (parameter.startsWith("this:")) return [];
    const [, rest, mark, type = "unknown"] = PARAMETER.exec(parameter) ?? [];
    if (rest !== undefined) return ["*"];
    const kind = kindOf(type, isClass);
    if (mark !== undefined) return [kind.toUpperCase()];
    // It must be given, if only as nil; so may any Instance.
    const takesNil = /(?:^|\| )undefined\b/.test(type);
    return [takesNil && kind !== "i" ? "v" : kind];
  });
  return letters.join("");
}

const isOptional = (letter: string | undefined): boolean =>
  letter === undefined || letter === letter.toUpperCase();

/** What all of several declarations of one method allow. */
export function joined(one: Parameters, other: Parameters): Parameters {
  if (one === other) return one;
  const length = Math.max(one.length, other.length);
  let letters = "";
  for (let at = 0; at < length; at += 1) {
    const [left, right] = [one[at], other[at]];
    if (left === "*" || right === "*") return `${letters}*`;
    const kind =
      left?.toLowerCase() === right?.toLowerCase()
        ? left
        : left === undefined || right === undefined
          ? (left ?? right)
          : "v";
    letters += isOptional(left) || isOptional(right) ? kind?.toUpperCase() : kind;
  }
  return letters;
}

/**
 * Methods that take any number of values where the package declares one. Found by comparing with Roblox's documentation,
 * which names the type Tuple for each.
 */
const TUPLES: Readonly<Record<string, Parameters>> = {
  "Chat:InvokeChatCallback": "e*",
  "ContextActionService:BindActionToInputTypes": "sfb*",
  "ContextActionService:BindActivate": "e*",
  "GuiService:AddSelectionTuple": "s*",
  "HapticService:SetMotor": "ee*",
  "RemoteCommandService:SendUpdate": "*",
};

/** Methods whose last argument may be left out, by the documentation's types or its examples. */
const OPTIONAL: Readonly<Record<string, Parameters>> = {
  "EditableImage:DrawImageTransformed": "ddndT",
  "Translator:FormatByKey": "sV",
};

export function corrected(className: string, method: string, declared: Parameters): Parameters {
  const name = `${className}:${method}`;
  return TUPLES[name] ?? OPTIONAL[name] ?? declared;
}
