/** Reads a number as Luau writes it, in the same way as the plugin does for the values of properties. */

const NAMED: { readonly [text: string]: number } = {
  inf: Number.POSITIVE_INFINITY,
  "-inf": Number.NEGATIVE_INFINITY,
  nan: Number.NaN,
  "math.huge": Number.POSITIVE_INFINITY,
  "-math.huge": Number.NEGATIVE_INFINITY,
};
const DECIMAL = /^(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
const OTHER_BASE = /^0(x[\da-f]+|b[01]+)$/i;

/** Undefined for what is no number, and for one that is too large; who means an infinite number writes `inf`. */
export function luauNumber(text: string): number | undefined {
  if (Object.hasOwn(NAMED, text)) return NAMED[text];
  if (!isInDigits(text)) return undefined;
  const number = Number(text.replaceAll("_", "").replace(/^[+-]/, ""));
  if (!Number.isFinite(number)) return undefined;
  return text.startsWith("-") ? -number : number;
}

/** True for a number in digits, also where that is too large. */
export function isInDigits(text: string): boolean {
  const [, digits = ""] = /^[+-]?([\d.][\w.+-]*)$/.exec(text) ?? [];
  const plain = digits.replaceAll("_", "");
  return DECIMAL.test(plain) || OTHER_BASE.test(plain);
}
