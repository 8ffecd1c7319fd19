/** The word of `--on`, which names the target. */
import { describe, expect, test } from "bun:test";
import { StudioBridgeError } from "../../../src/protocol/errors.ts";
import { parseTarget, type Target, targetText } from "../../../src/testing/target.ts";

const targets: readonly (readonly [string, Target])[] = [
  ["headless", { kind: "headless" }],
  ["studio", { kind: "studio" }],
  ["studio:7f3a", { kind: "studio", session: "7f3a" }],
  ["cloud:12/34", { kind: "cloud", universe: 12, places: [34] }],
  ["cloud:12/34,35@6", { kind: "cloud", universe: 12, places: [34, 35], version: 6 }],
];

describe("a target", () => {
  test.each(targets)("%s is read, and written in the same way", (text, target) => {
    expect(parseTarget(text)).toEqual(target);
    expect(targetText(target)).toBe(text);
  });

  test.each([
    [
      "cluod:1/2",
      /there is no target "cluod"\.$/,
      /^Did you mean cloud\? Write headless, studio, studio:SESSION/,
    ],
    ["", /there is no target ""/, /headless, studio/],
    ["headless:2", /headless takes nothing after it/, /headless alone/],
    ["studio:", /names no session/, /sb sessions/],
    ["cloud", /needs a universe and a place/, /cloud:UNIVERSE\/PLACE\[,PLACE…\]\[@VERSION\]/],
    ["cloud:12", /needs a universe and a place/, /cloud:UNIVERSE/],
    ["cloud:12/", /needs a universe and a place/, /cloud:UNIVERSE/],
    ["cloud:12/34,", /"" is not the id of a place/, /cloud:UNIVERSE/],
    ["cloud:x/34", /"x" is not the id of a universe/, /cloud:UNIVERSE/],
    ["cloud:0/34", /"0" is not the id of a universe/, /cloud:UNIVERSE/],
    ["cloud:12/34@", /"" is not the version of a place/, /cloud:UNIVERSE/],
    ["cloud:12/34@1@2", /more parts/, /cloud:UNIVERSE/],
    ["cloud:12/34/56", /more parts/, /cloud:UNIVERSE/],
    ["cloud:12/34,34", /the place 34 twice/, /cloud:UNIVERSE/],
  ])("%p is refused, with the right form", (text, fault, form) => {
    const error = thrownBy(() => parseTarget(text, "test.on"));
    expect(error.code).toBe("INVALID_INPUT");
    expect(error.message).toMatch(fault);
    expect(error.message).toStartWith("test.on ");
    expect(error.hint ?? "").toMatch(form);
  });
});

function thrownBy(act: () => unknown): StudioBridgeError {
  try {
    act();
  } catch (error) {
    if (error instanceof StudioBridgeError) return error;
  }
  throw new Error("no StudioBridgeError was thrown");
}
