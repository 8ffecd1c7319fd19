/**
 * Makes a program of a spec of headless Studio and of the functions that specs use. These functions are on the spec's
 * first line, so that its line numbers stay.
 */
import recordingProgram from "./spec-recording.luau" with { type: "text" };
import wordsProgram from "./spec-words.luau" with { type: "text" };

/** A spec that names this service makes recordings of its own. */
const HISTORY = "ChangeHistoryService";

const oneLine = (source: string): string =>
  source
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => !line.startsWith("--"))
    .join(" ");

/** The spec for a harness that has `describe` and `it`. */
export const withWords = (spec: string): string => `${oneLine(wordsProgram)} ${spec}`;

/** The spec for the harness of `sb test`. At its end, a recording takes its changes back, if Studio allows recordings. */
export function testFileOf(spec: string): string {
  const recording = spec.includes(HISTORY) ? "" : oneLine(recordingProgram);
  return `return function() ${recording} ${withWords(spec)}\nend`;
}
