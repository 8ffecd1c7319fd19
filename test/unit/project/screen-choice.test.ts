import { describe, expect, test } from "bun:test";
import {
  insetsSchema,
  screenChoice,
  screenFlagIn,
  screenFlags,
  viewportSchema,
} from "../../../src/project/screen-choice.ts";

const isViewport = (word: string): boolean => viewportSchema.read(word) !== undefined;
const areInsets = (word: string): boolean => insetsSchema.read(word) !== undefined;

describe("the flags of a screen", () => {
  test("a viewport is a width and a height, with or without a scale", () => {
    expect(["1280x720", "844x390@3", "2065.33x1152@1.5", "1x1"].filter((word) => !isViewport(word))).toEqual(
      [],
    );
    const bad = [
      "1280",
      "1280X720",
      "0x720",
      "1280x0",
      "x",
      "-1x2",
      "99999x1",
      "10x10@0",
      "10x10@9",
      "1280x720 ",
    ];
    expect(bad.filter(isViewport)).toEqual([]);
  });

  test("insets are four numbers", () => {
    expect(["0,0,0,0", "59,0,59.5,21"].filter((word) => !areInsets(word))).toEqual([]);
    expect(["1,2,3", "1,2,3,4,5", "1,2,3,-4", "1, 2,3,4", ""].filter(areInsets)).toEqual([]);
  });

  test("they make a choice that says only what they say", () => {
    expect(screenChoice({})).toBeUndefined();
    expect(screenChoice({ viewport: "844x390@3", device: "phone" })).toEqual({
      viewport: { width: 844, height: 390, scale: 3 },
      device: "phone",
    });
    expect(screenChoice({ viewport: "10x20" })?.viewport?.scale).toBe(1);
    expect(screenChoice({ insets: "1,2,3,4" })).toEqual({ insets: { left: 1, top: 2, right: 3, bottom: 4 } });
  });

  test("they can be written again for another process", () => {
    expect(screenFlags({ viewport: "10x20", device: "gamepad" })).toEqual([
      "--viewport=10x20",
      "--device=gamepad",
    ]);
    expect(screenFlagIn({ insets: "1,2,3,4", device: "phone" })).toBe("insets");
    expect(screenFlagIn({})).toBeUndefined();
  });
});
