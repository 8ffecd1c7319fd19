/** Values from Luau as people read them. */
import { describe, expect, test } from "bun:test";
import { literalText, valueText } from "../../../src/output/value-text.ts";
import { createStyle, plainStyle } from "../../../src/util/style.ts";
import type { SerializedValue } from "../../../src/protocol/values.ts";

describe("a value", () => {
  const values: readonly (readonly [SerializedValue, string])[] = [
    ["plain", "plain"],
    [1.5, "1.5"],
    [true, "true"],
    // As a property stores it, with seven digits; a sum of Luau has more.
    [0.30000001192092896, "0.3"],
    [0.1 + 0.2, "0.30000000000000004"],
    [{ type: "Vector3", value: [4, 1.2000000476837158, 16_777_216] }, "Vector3(4, 1.2, 16777216)"],
    [{ type: "nil" }, "nil"],
    [{ type: "number", value: "inf" }, "inf"],
    [[1, "two", null], '{1, "two", nil}'],
    [{ a: 1, "b c": [true] }, '{a = 1, ["b c"] = {true}}'],
    [{}, "{}"],
    [{ type: "Vector3", value: [1, 2.5, "inf"] }, "Vector3(1, 2.5, inf)"],
    [{ type: "EnumItem", enum: "Material", name: "Plastic", value: 256 }, "Enum.Material.Plastic"],
    [{ type: "BrickColor", name: "Bright red", value: 21 }, 'BrickColor("Bright red")'],
    [{ type: "Instance", className: "Part", path: "game.Workspace.Part" }, "game.Workspace.Part (Part)"],
    [{ type: "Instance", className: "Part", name: "Loose" }, "Loose (Part)"],
    [
      { type: "Font", family: "f", weight: "Bold", style: "Normal" },
      "Font(family = f, weight = Bold, style = Normal)",
    ],
    [{ type: "bytes", base64: "AAEC" }, "bytes (3 bytes)"],
    [
      {
        type: "table",
        entries: [
          [1, "a"],
          [{ type: "nil" }, 2],
        ],
      },
      '{[1] = "a", [nil] = 2}',
    ],
    [{ type: "Unsupported", typeName: "thread", toString: "thread: 0x1" }, "thread: 0x1"],
    [{ type: "FromTheFuture", size: 3 }, "FromTheFuture(3)"],
  ];
  test.each(values)("%j", (value, text) => {
    expect(valueText(value)).toBe(text);
  });

  test("that is long takes a line for each item", () => {
    const names = ["Workspace", "ReplicatedStorage", "ServerScriptService", "StarterPlayer", "Lighting"];
    expect(valueText([...names, { inner: ["x"] }])).toBe(
      ["{", ...names.map((name) => `  "${name}",`), '  {inner = {"x"}},', "}"].join("\n"),
    );
  });
});

describe("a value of a REPL", () => {
  const screen = createStyle({ columns: 80, color: true, isScreen: true, prettyJson: true });

  test("that is a string is quoted, so that it differs from a number", () => {
    expect(literalText("5", plainStyle)).toBe('"5"');
    expect(literalText(5, plainStyle)).toBe("5");
  });

  test("stays on its line and moves no cursor, whatever its strings and names hold", () => {
    expect(literalText("a\n\tb\x1b[2J", plainStyle)).toBe('"a\\n\\tb\\x1b[2J"');
    const instance = { type: "Instance", className: "Part", path: "game.Workspace.a\nb" };
    expect(literalText(instance, plainStyle)).toBe("game.Workspace.a\\nb (Part)");
  });

  test("has a colour for its kind, which takes no place", () => {
    expect(literalText("text", screen)).toBe('\x1b[32m"text"\x1b[39m');
    expect(literalText(5, screen)).toBe("\x1b[33m5\x1b[39m");
    const numbers = Array.from({ length: 20 }, (_, index) => index);
    expect(Bun.stripANSI(literalText(numbers, screen))).toBe(literalText(numbers, plainStyle));
    expect(literalText(numbers, screen)).not.toContain("\n");
  });

  test("that is wider than the screen takes a line for each item", () => {
    const narrow = createStyle({ columns: 20, color: false, isScreen: true, prettyJson: true });
    expect(literalText(["ten letters", "and more"], narrow)).toBe('{\n  "ten letters",\n  "and more",\n}');
  });
});
