/** Widths read out of the tables of a font, beside those that HarfBuzz gives. */
import { describe, expect, test } from "bun:test";
import { ShapedFont } from "../../../../scripts/fonts/metrics.ts";
import { metricsLine } from "../../../../src/headless/fonts/metrics-line.ts";
import { OpenTypeFont } from "../../../../src/headless/fonts/open-type.ts";
import { freeFont } from "../../../fixtures/free-font.ts";

const codesOf = (text: string): number[] => [...text].map((char) => char.codePointAt(0) ?? 0);

describe("a font", () => {
  test.each(["source-sans-pro", "fredoka-one", "oswald"])(
    "%s has the advances, kerning and ligatures that HarfBuzz finds",
    (name) => {
      const file = freeFont(name);
      const line = metricsLine("Any", 400, "Normal", new OpenTypeFont(file));
      expect(line).toBe(metricsLine("Any", 400, "Normal", new ShapedFont(file)));
    },
    60_000,
  );

  test("without GPOS has the kerning of its older table", () => {
    const font = new OpenTypeFont(freeFont("permanent-marker"));
    const [apart = 0, together = 0] = [font.advances(...codesOf("T")), font.advances(...codesOf("To"))].map(
      ([first]) => first,
    );
    expect(together).toBeLessThan(apart);
  });

  test("has no width for a soft hyphen, and no glyph for what it does not know", () => {
    const font = new OpenTypeFont(freeFont("source-sans-pro"));
    expect(font.advances(0xad)).toEqual([0]);
    expect([font.has(0x41), font.has(0x4e00)]).toEqual([true, false]);
  });

  test("that is none, or is cut short, is refused", () => {
    const file = freeFont("source-sans-pro");
    expect(() => new OpenTypeFont(new TextEncoder().encode("no font at all"))).toThrow("it is no font");
    expect(() => metricsLine("Any", 400, "Normal", new OpenTypeFont(file.slice(0, 2_000)))).toThrow();
  });
});
