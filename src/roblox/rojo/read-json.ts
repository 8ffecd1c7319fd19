/** Reads the JSON of Rojo projects, in which Rojo allows comments and trailing commas. A fault names its line and column. */

/** So many digits may be a whole number that a double cannot hold. */
const LONG_NUMBER = /\d{16}/;

/** Whole numbers that a double cannot hold are bigints. Throws an Error. */
export async function parseJsonAsync(source: string): Promise<unknown> {
  if (source.trim() === "") throw new Error("the file is empty");
  try {
    const value: unknown = Bun.JSONC.parse(source);
    if (!isPlainJson(source)) await refuseRestAsync(source);
    return LONG_NUMBER.test(source) ? await exactAsync(source) : value;
  } catch (error) {
    throw await placedAsync(error, source);
  }
}

function isPlainJson(source: string): boolean {
  try {
    JSON.parse(source);
    return true;
  } catch {
    return false;
  }
}

/** Bun's parser stops after the first value. What stands behind that would be lost without a word. */
async function refuseRestAsync(source: string): Promise<void> {
  const { refuseRest } = await import("../../util/jsonc.ts");
  refuseRest(source);
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
