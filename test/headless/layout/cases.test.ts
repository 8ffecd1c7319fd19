/**
 * The layout against places that were measured in Roblox Studio. The variable SB_LAYOUT_CASES names a folder of such cases
 * (`ui_*.json` in the form layout-case/1, `text-widths.json`), which are not part of the repository.
 */
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { type GuiNode, type Measured, measureAsync, runAsync } from "./measure.ts";

interface Cases {
  readonly viewport: readonly [number, number];
  readonly tree: GuiNode;
  readonly measured: Readonly<Record<string, Measured>>;
}

const folder = process.env["SB_LAYOUT_CASES"];
const files = folder === undefined ? [] : [...new Bun.Glob("ui_*.json").scanSync(folder)].sort();

/** The size that a text gives its label may differ by as much as the text. */
const TEXT_PX = 1;
const PX = 0.01;

function drivenByText(tree: GuiNode, path: string, driven: Set<string>): void {
  const { AutomaticSize: automatic = "None" } = tree.properties ?? {};
  if (/^Text/.test(tree.class) && automatic !== "None") driven.add(path);
  for (const child of tree.children ?? []) drivenByText(child, `${path}/${child.name}`, driven);
}

const distance = (a: readonly number[], b: readonly number[]): number =>
  Math.max(...a.map((value, index) => Math.abs(value - (b[index] ?? NaN))));

if (folder === undefined)
  test.skip("places measured in Studio: SB_LAYOUT_CASES names no folder of them", () => {});

for (const file of files) {
  const { viewport, tree, measured }: Cases = await Bun.file(join(folder ?? "", file)).json();
  const [width, height] = viewport;
  const found = await measureAsync(tree, { viewport: { width, height, scale: 1 } }, true);
  const driven = new Set<string>();
  drivenByText(tree, `StarterGui/${tree.name}`, driven);
  describe(file, () => {
    const inStudio = Object.entries(measured).filter(
      ([, { AbsolutePosition }]) => AbsolutePosition !== undefined,
    );
    test(`has the ${inStudio.length} rectangles of Studio`, () => {
      const wrong = inStudio.flatMap(([path, studio]) => {
        const own = found.get(path);
        const limit = driven.has(path) ? TEXT_PX : PX;
        const off =
          own === undefined
            ? NaN
            : Math.max(
                distance(studio.AbsolutePosition, own.AbsolutePosition),
                distance(studio.AbsoluteSize, own.AbsoluteSize),
              );
        return off <= limit ? [] : [{ path, studio, own }];
      });
      expect(wrong).toEqual([]);
    });

    const texts = Object.entries(measured).flatMap(([path, { TextBounds }]) =>
      TextBounds === undefined ? [] : [{ path, TextBounds }],
    );
    test.skipIf(texts.length === 0)(`has the ${texts.length} sizes of texts of Studio`, () => {
      const wrong = texts.flatMap(({ path, TextBounds: [w, h] }) => {
        const [ownW = NaN, ownH = NaN] = found.get(path)?.TextBounds ?? [];
        return Math.abs(ownW - w) <= TEXT_PX && ownH === h
          ? []
          : [{ path, studio: [w, h], own: [ownW, ownH] }];
      });
      expect(wrong).toEqual([]);
    });
  });
}

interface Widths {
  readonly advances: readonly {
    readonly family: string;
    readonly size: number;
    readonly first: number;
    readonly px: readonly number[];
  }[];
  readonly strings: readonly {
    readonly family: string;
    readonly size: number;
    readonly dpi: number;
    readonly text: string;
    readonly width: number;
  }[];
  readonly truncated: readonly {
    readonly family: string;
    readonly size: number;
    readonly text: string;
    readonly box: number;
    readonly truncate: string;
    readonly width: number;
  }[];
}

const MAKE_LABEL = `
local function width(family, size, text, box, truncate)
	local label = Instance.new("TextLabel")
	label.FontFace = Font.fromName(family)
	label.TextSize = size
	label.Text = text
	label.Size = UDim2.fromOffset(box or 0, 80)
	label.TextTruncate = truncate or "None"
	print(label.TextBounds.X)
end
`;

/** The widths that these calls print, on a screen of that many pixels for a unit. */
async function widthsAsync(calls: readonly string[], scale: number): Promise<readonly number[]> {
  const viewport = { width: 1000, height: 600, scale };
  return (await runAsync(MAKE_LABEL + calls.join("\n"), { viewport })).map(Number);
}

if (folder !== undefined) {
  const widths: Widths = await Bun.file(join(folder, "text-widths.json")).json();
  const call = (...values: readonly unknown[]): string =>
    `width(${values.map((each) => JSON.stringify(each)).join()})`;

  describe("text-widths.json", () => {
    test("has the advances of Studio", async () => {
      const wrong: string[] = [];
      for (const { family, size, first, px } of widths.advances) {
        const texts = px.map((_, index) => String.fromCharCode(first + index));
        const own = await widthsAsync(
          texts.map((text) => call(family, size, text)),
          1,
        );
        wrong.push(
          ...texts.filter((_, index) => own[index] !== px[index]).map((text) => `${text} at ${size}`),
        );
      }
      expect(wrong).toEqual([]);
    });

    test("has the widths of lines in Studio, most of them exactly", async () => {
      const off: string[] = [];
      for (const { family, size, dpi, text, width } of widths.strings) {
        const [own = NaN] = await widthsAsync([call(family, size, text)], dpi);
        if (own !== width) off.push(`${family} ${size} ${text}: ${own - width}`);
        expect(Math.abs(own - width)).toBeLessThanOrEqual(TEXT_PX);
      }
      expect(off).toEqual(["FredokaOne 20 Top left: 1"]);
    });

    test("has the widths of truncated texts in Studio", async () => {
      const off: string[] = [];
      for (const { family, size, text, box, truncate, width } of widths.truncated) {
        const [own = NaN] = await widthsAsync([call(family, size, text, box, truncate)], 1);
        if (!(Math.abs(own - width) <= TEXT_PX))
          off.push(`${family} ${truncate}: ${own} in place of ${width}`);
      }
      expect(off).toEqual([]);
    });
  });
}
