/**
 * Reads the C++ exceptions with which the compiler gives up on a chunk: syntax errors beyond the hundredth, code that
 * is nested too deep, functions with too many registers.
 */
import { CompilerError } from "./errors.ts";
import { decodeUtf8, type LuauMemory } from "./memory.ts";

/** `Luau::ParseError` and `Luau::CompileError` in the build of Luau that scripts/build-luau.ts accepts. */
const TYPE_NAME_AT = 4;
const LINE_AT = 4;
const COLUMN_AT = 8;
const MESSAGE_AT = 20;
const KNOWN_TYPES = new Set(["N4Luau10ParseErrorE", "N4Luau12CompileErrorE"]);
const TOO_MANY_ERRORS = "Reached error limit";

export function readCompilerError(memory: LuauMemory, exception: number, type: number): CompilerError {
  if (!KNOWN_TYPES.has(memory.readCString(memory.readU32(type + TYPE_NAME_AT))))
    return new CompilerError("the chunk exceeds a limit of the compiler", 0, 0);
  const message = readString(memory, exception + MESSAGE_AT);
  return new CompilerError(
    message,
    memory.readU32(exception + LINE_AT),
    memory.readU32(exception + COLUMN_AT),
  );
}

/** A `std::string`: long ones are a pointer, a length and a capacity with its highest bit set. */
function readString(memory: LuauMemory, at: number): string {
  const isLong = memory.readU32(at + 8) >= 0x8000_0000;
  const [from, length] = isLong ? [memory.readU32(at), memory.readU32(at + 4)] : [at, memory.bytes[at + 11]];
  return decodeUtf8(memory.bytes.slice(from, from + (length ?? 0)));
}

/**
 * The start of a source with too many errors, so short that the compiler reports the first of its errors. Undefined if the compiler
 * gave up for another reason.
 */
export function beforeTooManyErrors(source: Uint8Array, error: CompilerError): Uint8Array | undefined {
  if (!error.message.startsWith(TOO_MANY_ERRORS)) return undefined;
  let lineStart = 0;
  for (let line = 0; line < error.line; line++) lineStart = source.indexOf(LINE_FEED, lineStart) + 1;
  // The end of the text may be an error too, so the new end must be before the place of the last one.
  const end = Math.min(lineStart + error.column, source.length - 1);
  return source.subarray(0, Math.max(end, 0));
}

const LINE_FEED = 10;
