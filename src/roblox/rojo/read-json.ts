/** Reads the JSON of Rojo projects, in which Rojo allows comments and trailing commas. A fault names its line and column. */

/** Throws an Error. */
export async function parseJsonAsync(source: string): Promise<unknown> {
  try {
    return Bun.JSONC.parse(source);
  } catch (error) {
    throw (await faultAsync(source)) ?? error;
  }
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
