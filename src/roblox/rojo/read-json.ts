/** Reads the JSON of Rojo projects, in which Rojo allows comments and trailing commas. A fault names its line and column. */

/** So many digits may be a whole number that a double cannot hold, unless they are those of a fraction. */
const LONG_NUMBER = /(?<![\d.])\d{16,}(?![\d.eE])/;

/** Whole numbers that a double cannot hold are bigints. Throws an Error. */
export async function parseJsonAsync(source: string): Promise<unknown> {
  if (source.trim() === "") throw new Error("the file is empty");
  try {
    const value = await valueInAsync(source);
    return LONG_NUMBER.test(source) ? await exactAsync(source) : value;
  } catch (error) {
    throw await placedAsync(error, source);
  }
}

/** Most files are plain JSON. Of others, Bun's parser stops after the first value, and what stands behind that must not be lost. */
async function valueInAsync(source: string): Promise<unknown> {
  try {
    return JSON.parse(source);
  } catch {
    const value: unknown = Bun.JSONC.parse(source);
    const { refuseRest } = await import("../../util/jsonc.ts");
    refuseRest(source);
    return value;
  }
}

async function exactAsync(source: string): Promise<unknown> {
  const { exactValueOf, parseJsonc } = await import("../../util/jsonc.ts");
  const root = parseJsonc(source);
  return root === undefined ? undefined : exactValueOf(source, root);
}

/**
 * The same error with its line and column. Bun's parser is fast and does not say where a fault is, so another one looks for
 * it; an error in which that finds no fault stays as it is.
 */
async function placedAsync(error: unknown, source: string): Promise<unknown> {
  const { parseJsonc } = await import("../../util/jsonc.ts");
  const { placeOf, TextFault } = await import("../../util/text-fault.ts");
  const faultOf = (thrown: unknown) => (thrown instanceof TextFault ? thrown : undefined);
  const findFault = () => {
    try {
      parseJsonc(source);
      return undefined;
    } catch (thrown) {
      return faultOf(thrown);
    }
  };
  const fault = faultOf(error) ?? findFault();
  if (fault === undefined) return error;
  const { line, column } = placeOf(source, fault.offset);
  return new Error(`line ${line}, column ${column}: ${fault.message}`, { cause: fault });
}
