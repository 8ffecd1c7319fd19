/** The source of a spec of headless Studio with the words that it uses, which all stand on its first line. */
import recordingProgram from "./spec-recording.luau" with { type: "text" };
import wordsProgram from "./spec-words.luau" with { type: "text" };

/** Scripts that name this service make recordings of their own. */
const HISTORY = "ChangeHistoryService";

const oneLine = (source: string): string =>
  source
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => !line.startsWith("--"))
    .join(" ");

/** For a harness that gives it `describe` and `it`. */
export const withWords = (spec: string): string => `${oneLine(wordsProgram)} ${spec}`;

/** For the harness of `sb test`. What the spec changes is taken back at its end, where Studio records it. */
export function testFileOf(spec: string): string {
  const recording = spec.includes(HISTORY) ? "" : oneLine(recordingProgram);
  return `return function() ${recording} ${withWords(spec)}\nend`;
}
