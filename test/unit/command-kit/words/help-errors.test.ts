/** `sb help errors` against the table that errors are made from. */
import { expect, test } from "bun:test";
import { describeErrors } from "../../../../src/command-kit/words/command-help.ts";
import { errorsText } from "../../../../src/command-kit/words/help-text.ts";
import { errorCodes } from "../../../../src/protocol/errors.ts";
import { createStyle } from "../../../../src/util/style.ts";

const narrow = createStyle({ columns: 60, color: false, isScreen: true, prettyJson: true });

test("every code has a line of its own, a meaning and a cure, within 60 columns", () => {
  const lines = errorsText(describeErrors(), narrow).split("\n");
  expect(lines.filter((line) => /^[A-Z_]+$/.test(line))).toEqual(Object.keys(errorCodes));
  expect(lines.filter((line) => line.length > 60)).toEqual([]);
  for (const { meaning } of Object.values(errorCodes))
    expect(lines.join(" ").replace(/\s+/g, " ")).toContain(meaning);
});
