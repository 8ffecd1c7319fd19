/** Flags in words that are still being typed. */
import { expect, test } from "bun:test";
import { typedFlag } from "../../../../src/command-kit/words/typed-flag.ts";

const cases: readonly (readonly [line: string, name: string, value: string | undefined])[] = [
  ["--session abc query", "session", "abc"],
  ["query -s abc", "session", "abc"],
  ["query --session=abc", "session", "abc"],
  ["query --session = abc", "session", "abc"],
  ["-s abc query --session def", "session", "def"],
  ["query --session", "session", undefined],
  ["query --sessions abc", "session", undefined],
  ["--port 4000 state", "port", "4000"],
  ["--port = 4000 state", "port", "4000"],
  ["state", "port", undefined],
];

test.each(cases)("%s: --%s", (line, name, value) => {
  expect(typedFlag(line.split(" "), name)).toBe(value);
});
