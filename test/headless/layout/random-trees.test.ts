/** Random trees of interface objects, laid out by the engine and by a second layout. */
import { expect, test } from "bun:test";
import { type GuiNode, measureAsync, type Value } from "./measure.ts";
import { secondLayout } from "./second-layout.ts";

const SCREEN = { w: 1000, h: 600 };
const PX = 0.01;
const TREES = 150;

/** Numbers from 0 to 1 that a seed decides. */
function randomOf(seed: number): () => number {
  let state = seed * 2_654_435_769;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

class Growing {
  readonly #random: () => number;
  #left: number;
  #names = 0;

  constructor(seed: number) {
    this.#random = randomOf(seed);
    this.#left = 5 + this.#int(30);
  }

  #int(limit: number): number {
    return Math.floor(this.#random() * limit);
  }

  #one<Choice>(choices: readonly [Choice, ...Choice[]]): Choice {
    return choices[this.#int(choices.length)] ?? choices[0];
  }

  #is(share: number): boolean {
    return this.#random() < share;
  }

  #scale(): number {
    return this.#one([0, 0, 0.1, 0.25, 0.5, 0.75, 1]);
  }

  #udim(most: number): readonly number[] {
    return [this.#is(0.3) ? this.#one([0.02, 0.05, 0.1]) : 0, this.#int(most)];
  }

  #size(isFixed: boolean): Value {
    const side = (): readonly number[] => {
      const scale = isFixed ? 0 : this.#scale();
      return [scale, scale === 0 ? this.#int(160) : this.#int(20)];
    };
    return [side(), side()];
  }

  tree(): GuiNode {
    return { class: "ScreenGui", name: "Root", children: this.#objects(false, 0) };
  }

  #objects(isFixed: boolean, depth: number, areLines = false): GuiNode[] {
    const count = depth > 5 ? 0 : 1 + this.#int(6);
    const list = Array.from({ length: count }, () => this.#object(isFixed, depth, areLines));
    return list.filter((each) => each !== undefined);
  }

  /** A line of a table has cells and nothing else, because no rule says what else in it would do. */
  #object(isFixed: boolean, depth: number, isLine: boolean): GuiNode | undefined {
    if (this.#left <= 0) return undefined;
    this.#left -= 1;
    this.#names += 1;
    const isAutomatic = !isLine && this.#is(0.15);
    const isScrolling = !isLine && !isFixed && !isAutomatic && this.#is(0.08);
    // What grows with its content has content of fixed sizes, because scales in it are no measured rule.
    const isFixedInside = isFixed || isAutomatic;
    const properties: Record<string, Value> = {
      Size: this.#size(isFixed),
      Position: [
        [isFixed ? 0 : this.#scale(), this.#int(80)],
        [isFixed ? 0 : this.#scale(), this.#int(80)],
      ],
      LayoutOrder: this.#int(4),
      ...(this.#is(0.3) ? { AnchorPoint: [this.#one([0, 0.5, 1]), this.#one([0, 0.5, 1])] } : {}),
      ...(this.#is(0.1) ? { Visible: false } : {}),
      ...(isAutomatic ? { AutomaticSize: this.#one(["X", "Y", "XY"]) } : {}),
      ...(isScrolling
        ? {
            CanvasSize: [
              [0, this.#int(400)],
              [0, this.#int(400)],
            ],
            CanvasPosition: [this.#int(100), this.#int(100)],
          }
        : {}),
      ...(!isFixed && this.#is(0.1) ? { SizeConstraint: this.#one(["RelativeXX", "RelativeYY"]) } : {}),
    };
    const name = `n${this.#names}`;
    const parts = isLine ? [] : this.#parts(isFixedInside, isAutomatic);
    const isTable = parts.some((part) => part.class === "UITableLayout");
    const children = [...parts, ...this.#objects(isFixedInside, depth + 1, isTable)];
    return { class: isScrolling ? "ScrollingFrame" : "Frame", name, properties, children };
  }

  #part(name: string, properties: Readonly<Record<string, Value>>): GuiNode {
    return { class: name, name, properties };
  }

  /** Constraints, padding and a layout. */
  #parts(isFixed: boolean, isAutomatic: boolean): GuiNode[] {
    const parts: GuiNode[] = [];
    if (this.#is(0.2)) {
      const side = (): Value => (isFixed ? [0, this.#int(12)] : this.#udim(12));
      const sides = { PaddingLeft: side(), PaddingRight: side(), PaddingTop: side(), PaddingBottom: side() };
      parts.push(this.#part("UIPadding", sides));
    }
    if (!isAutomatic && this.#is(0.1))
      parts.push(this.#part("UIScale", { Scale: this.#one([0.5, 0.75, 1.5, 2]) }));
    if (!isAutomatic && this.#is(0.1))
      parts.push(
        this.#part("UISizeConstraint", { MinSize: [this.#int(60), this.#int(60)], MaxSize: [120, 200] }),
      );
    else if (!isFixed && this.#is(0.08))
      parts.push(
        this.#part("UIAspectRatioConstraint", {
          AspectRatio: this.#one([0.5, 1, 1.5, 3]),
          AspectType: this.#one(["FitWithinMaxSize", "ScaleWithParentSize"]),
        }),
      );
    if (this.#is(0.5)) parts.push(this.#layout(isFixed, isAutomatic));
    return parts;
  }

  #layout(isFixed: boolean, isAutomatic: boolean): GuiNode {
    const common = {
      SortOrder: this.#one(["Name", "LayoutOrder"]),
      // The content of what grows begins at its corner.
      HorizontalAlignment: isAutomatic ? "Left" : this.#one(["Left", "Center", "Right"]),
      VerticalAlignment: isAutomatic ? "Top" : this.#one(["Top", "Center", "Bottom"]),
    };
    const FillDirection = this.#one(["Horizontal", "Vertical"]);
    const gap = (): readonly number[] => (isFixed ? [0, this.#int(12)] : this.#udim(12));
    const kind = isFixed
      ? "UIListLayout"
      : this.#one(["UIListLayout", "UIListLayout", "UIGridLayout", "UIPageLayout", "UITableLayout"]);
    if (kind === "UIListLayout")
      return this.#part(kind, {
        ...common,
        FillDirection,
        Padding: gap(),
        ...(isFixed ? {} : this.#flex(FillDirection)),
      });
    if (kind === "UIGridLayout")
      return this.#part(kind, {
        ...common,
        FillDirection,
        CellSize: [
          [0, 5 + this.#int(80)],
          [0, 5 + this.#int(80)],
        ],
        CellPadding: [gap(), gap()],
        StartCorner: this.#one(["TopLeft", "TopRight", "BottomLeft", "BottomRight"]),
        ...(this.#is(0.3) ? { FillDirectionMaxCells: 1 + this.#int(4) } : {}),
      });
    if (kind === "UIPageLayout") return this.#part(kind, { ...common, FillDirection, Padding: gap() });
    return this.#part(kind, { ...common, Padding: [gap(), gap()] });
  }

  #flex(direction: string): Readonly<Record<string, Value>> {
    if (this.#is(0.4)) return { Wraps: true };
    if (this.#is(0.5)) return {};
    const flex = this.#one(["Fill", "SpaceBetween", "SpaceAround", "SpaceEvenly"]);
    // Across its lines, a list's flex is no measured rule.
    return direction === "Horizontal" ? { HorizontalFlex: flex } : { VerticalFlex: flex };
  }
}

test("random trees are laid out as a second layout does", async () => {
  const wrong: unknown[] = [];
  for (let seed = 1; seed <= TREES && wrong.length === 0; seed += 1) {
    const tree = new Growing(seed).tree();
    const viewport = { width: SCREEN.w, height: SCREEN.h, scale: 1 };
    const own = await measureAsync(tree, { viewport });
    for (const [path, { x, y, w, h }] of secondLayout(tree, SCREEN)) {
      const found = own.get(path);
      const [foundX = NaN, foundY = NaN] = found?.AbsolutePosition ?? [];
      const [foundW = NaN, foundH = NaN] = found?.AbsoluteSize ?? [];
      const off = Math.max(...[foundX - x, foundY - y, foundW - w, foundH - h].map((each) => Math.abs(each)));
      if (!(off <= PX))
        wrong.push({ seed, path, second: [x, y, w, h], engine: [foundX, foundY, foundW, foundH] });
    }
  }
  expect(wrong).toEqual([]);
});
