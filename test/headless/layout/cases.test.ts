/**
 * The layout against places that were measured in Roblox Studio. The variable SB_LAYOUT_CASES names a folder of such cases
 * (`ui_*.json` in the form layout-case/1, `text-widths.json`), which are not part of the repository.
 */
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { type GuiNode, type Measured, measureAsync } from "./measure.ts";

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
  const found = await measureAsync(tree, { viewport: { width, height, scale: 1 } }, false);
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
  });
}
