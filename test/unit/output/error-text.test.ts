/** Errors and remarks as people read them. */
import { expect, test } from "bun:test";
import { errorText } from "../../../src/output/error-text.ts";
import { remark } from "../../../src/output/remark.ts";
import { StudioBridgeError } from "../../../src/protocol/errors.ts";
import { createStyle, plainStyle } from "../../../src/util/style.ts";

const narrow = createStyle({ columns: 30, color: false, isScreen: true, prettyJson: false });

test("errors and remarks break at spaces on a narrow screen, and stay on their lines elsewhere", () => {
  const error = new StudioBridgeError("INVALID_INPUT", "A sentence that is longer than the screen.", {
    hint: "Another sentence that is too long.",
  });
  expect(errorText(error, narrow, false)).toBe(
    "error: A sentence that is\nlonger than the screen.\nhint: Another sentence that is\ntoo long.",
  );
  expect(errorText(error, plainStyle, false).split("\n")).toHaveLength(2);
  const text = "A remark that is longer than the screen.";
  expect(remark(text).text?.(narrow)).toBe("A remark that is longer than\nthe screen.");
  expect(remark(text).text?.(plainStyle)).toBe(text);
});
