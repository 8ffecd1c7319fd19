/** Reads the interfaces of a declaration file of @rbxts/types: their members, as TypeScript wrote them. */

export interface DeclaredInterface {
  readonly name: string;
  /** `Name(parameters): Result`, `name: Type`, `new (parameters): Result`, without the semicolon. */
  readonly members: readonly string[];
}

const INTERFACE = /^interface (\w+)[^{]*\{([^]*?)^\}/gm;
/** The short form of an interface that has nothing but a constructor. */
const CONSTRUCTOR = /^type (\w+Constructor) = new \(([^]*?)\) => (\w+);/gm;
const COMMENT = /\/\*[^]*?\*\/|\/\/.*/g;
const OPENING = "([{<";
const CLOSING = ")]}>";

/** Splits at `separator` where no bracket is open. */
export function splitOutside(text: string, separator: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at);
    const isArrow = char === ">" && text.charAt(at - 1) === "=";
    if (OPENING.includes(char)) depth += 1;
    else if (CLOSING.includes(char) && !isArrow) depth -= 1;
    else if (char === separator && depth === 0) {
      parts.push(text.slice(start, at));
      start = at + 1;
    }
  }
  parts.push(text.slice(start));
  return parts.map((part) => part.replaceAll(/\s+/g, " ").trim()).filter((part) => part !== "");
}

/** An interface that the file declares in several pieces comes several times. */
export function declaredInterfaces(text: string): DeclaredInterface[] {
  const plain = text.replaceAll(COMMENT, "");
  const interfaces = [...plain.matchAll(INTERFACE)].map(([, name = "", body = ""]) => ({
    name: name === "RBXObject" ? "Object" : name,
    members: splitOutside(body, ";"),
  }));
  const constructors = [...plain.matchAll(CONSTRUCTOR)].map(
    ([, name = "", parameters = "", result = ""]) => ({
      name,
      members: splitOutside(`new (${parameters}): ${result}`, ";"),
    }),
  );
  return [...interfaces, ...constructors];
}
