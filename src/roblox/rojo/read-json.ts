/** Reads the JSON of Rojo projects, in which Rojo allows comments and trailing commas. A fault names its line and column. */

/** So many digits may be a whole number that a double cannot hold. */
const LONG_NUMBER = /\d{16}/;

/** Whole numbers that a double cannot hold are bigints. Throws an Error. */
export async function parseJsonAsync(source: string): Promise<unknown> {
  try {
    const value: unknown = Bun.JSONC.parse(source);
    return LONG_NUMBER.test(source) ? await exactAsync(source) : value;
  } catch (error) {
    throw (await faultAsync(source)) ?? error;
  }
}

async function exactAsync(source: string): Promise<unknown> {
  const { exactValueOf, parseJsonc } = await import("../../util/jsonc.ts");
  const root = parseJsonc(source);
  return root === undefined ? undefined : exactValueOf(source, root);
}

/** Bun's parser is fast and does not say where a fault is, so another one looks for it. Undefined if that finds none. */
async function faultAsync(source: string): Promise<Error | undefined> {
  const { parseJsonc } = await import("../../util/jsonc.ts");
  const { placeOf, TextFault } = await import("../../util/text-fault.ts");
  try {
    parseJsonc(source);
    return undefined;
  } catch (error) {
    if (!(error instanceof TextFault)) return undefined;
    const { line, column } = placeOf(source, error.offset);
    return new Error(`line ${line}, column ${column}: ${error.message}`, { cause: error });
  }
}
