/** The content of files that hold one text: scripts and text files. What Studio does not know of stays as it was. */
import {
  type ByteString,
  bytesOf,
  byteStringOf,
  textOfByteString,
  utf8ByteString,
} from "../../../util/bytes.ts";

const MARK = "\xef\xbb\xbf";

/**
 * The file of a script. Lines that are as before keep their ends; new ones have the end that most lines of the file have.
 * `old` is the file before; undefined for a new one, whose lines end as in Unix.
 */
export function sourceFile(old: Uint8Array | undefined, source: ByteString): Uint8Array {
  const after = source.replaceAll("\r\n", "\n");
  const before = old === undefined ? "" : byteStringOf(old);
  if (!before.includes("\r\n")) return bytesOf(after);
  return bytesOf(withLineEnds(before.split("\n"), after.split("\n")));
}

/** Each line of `before` may end with a carriage return, which is part of its end. */
function withLineEnds(before: readonly string[], after: readonly string[]): ByteString {
  const hadReturn = before.map((line) => line.endsWith("\r"));
  const plain = before.map((line, index) => (hadReturn[index] === true ? line.slice(0, -1) : line));
  const isUsual = hadReturn.filter(Boolean).length * 2 >= before.length - 1;
  const first = sharedStart(plain, after);
  const last = sharedStart(plain.slice(first).toReversed(), after.slice(first).toReversed());
  const lastLine = after.length - 1;
  return after
    .map((line, index) => {
      if (index === lastLine) return line;
      const fromEnd = after.length - index;
      const same = index < first ? index : fromEnd <= last ? before.length - fromEnd : undefined;
      // The last line of a file has no end to keep.
      const isKept = same !== undefined && same < before.length - 1;
      return line + ((isKept ? hadReturn[same] === true : isUsual) ? "\r\n" : "\n");
    })
    .join("");
}

/** How many lines two texts have in common before the first that differs. */
function sharedStart(left: readonly string[], right: readonly string[]): number {
  const limit = Math.min(left.length, right.length);
  let count = 0;
  while (count < limit && left[count] === right[count]) count += 1;
  return count;
}

/** A `.txt` file. A byte order mark of the old file stays. Undefined for a value that is not UTF-8, which no such file has. */
export function textFile(old: Uint8Array | undefined, value: ByteString): Uint8Array | undefined {
  if (utf8ByteString(textOfByteString(value)) !== value) return undefined;
  const hasMark = old !== undefined && byteStringOf(old.subarray(0, MARK.length)) === MARK;
  // The reader takes one mark off.
  return bytesOf(hasMark || value.startsWith(MARK) ? MARK + value : value);
}
