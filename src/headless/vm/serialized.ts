/** The JSON texts in which the wasm's own bridge describes Luau values, and the references it uses for host functions. */

/** The value of one described Luau value, as text. */
export function parseValue(serialized: string): string {
  const parsed: { value?: unknown } = JSON.parse(serialized);
  return String(parsed.value);
}

/** The first of the described results; an error comes in the same form. */
export function parseFirstResult(serialized: string): string {
  const [first]: { value?: unknown; error?: unknown }[] = JSON.parse(serialized);
  return String(first?.error ?? first?.value ?? "");
}

/** The values of described arguments, as texts; the first entry stands for the callee. */
export function parseArguments(serialized: string): string[] {
  const args: { value?: unknown }[] = JSON.parse(serialized);
  return args.slice(1).map((argument) => String(argument.value));
}

/** References to host functions are negative numbers. */
export const hostReference = (index: number): number => -1 - index;
export const hostIndex = (reference: number): number => -1 - reference;

const MAX_CHUNK_ID = 200;

/** How Luau names a chunk in its messages. */
export function chunkId(chunkName: string): string {
  if (/^[=@]/.test(chunkName)) return chunkName.slice(1);
  const [line = ""] = chunkName.split("\n");
  const isCut = line.length < chunkName.length || line.length > MAX_CHUNK_ID;
  return `[string "${line.slice(0, MAX_CHUNK_ID)}${isCut ? "..." : ""}"]`;
}
