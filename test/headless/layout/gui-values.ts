/** What the objects of a generated interface say, read for the second layout. */
import type { GuiNode, Value } from "./measure.ts";

export interface Rect {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

export interface Size {
  readonly w: number;
  readonly h: number;
}

export type Pair = readonly [scale: number, offset: number];
export type Axis = "w" | "h";

export const EMPTY_PAIR: Pair = [0, 0];
export const ofKind = (node: GuiNode, kind: string): GuiNode | undefined =>
  node.children?.find((each) => each.class === kind);
export const LAYOUTS = ["UIListLayout", "UIGridLayout", "UITableLayout", "UIPageLayout"];
export const layoutOf = (node: GuiNode): GuiNode | undefined =>
  node.children?.find((each) => LAYOUTS.includes(each.class));
export const objectsOf = (node: GuiNode): readonly GuiNode[] =>
  (node.children ?? []).filter((each) => !each.class.startsWith("UI"));
export const isVisible = (node: GuiNode): boolean => node.properties?.["Visible"] !== false;

export const word = (node: GuiNode, name: string, usual: string): string =>
  String(node.properties?.[name] ?? usual);
export const number = (node: GuiNode, name: string, usual: number): number =>
  Number(node.properties?.[name] ?? usual);
/** Numbers of 32 bits, as the engine keeps scales. */
export const f32 = (pair: readonly number[]): Pair => [Math.fround(pair[0] ?? 0), pair[1] ?? 0];
export const isList = (value: Value | undefined): value is readonly (number | readonly number[])[] =>
  Array.isArray(value);

export function udim(node: GuiNode | undefined, name: string): Pair {
  const value = node?.properties?.[name];
  return isList(value) ? f32(value.map(Number)) : EMPTY_PAIR;
}

export function udim2(
  node: GuiNode,
  name: string,
  usual: readonly [Pair, Pair] = [EMPTY_PAIR, EMPTY_PAIR],
): readonly [Pair, Pair] {
  const value = node.properties?.[name];
  if (!isList(value)) return usual;
  const [x, y] = value;
  return [Array.isArray(x) ? f32(x) : EMPTY_PAIR, Array.isArray(y) ? f32(y) : EMPTY_PAIR];
}

export function xy(
  node: GuiNode | undefined,
  name: string,
  usual: readonly [number, number],
): readonly [number, number] {
  const value = node?.properties?.[name];
  return isList(value) ? [Math.fround(Number(value[0])), Math.fround(Number(value[1]))] : usual;
}

export const at = ([scale, offset]: Pair, room: number, k: number): number => scale * room + offset * k;
export const scaleOf = (node: GuiNode): number =>
  Math.fround(Math.max(0, number(ofKind(node, "UIScale") ?? node, "Scale", 1)));
export const other = (axis: Axis): Axis => (axis === "w" ? "h" : "w");
export const SHARE: Readonly<Record<string, number>> = { Left: 0, Top: 0, Center: 0.5, Right: 1, Bottom: 1 };
export const share = (layout: GuiNode, axis: Axis): number =>
  (axis === "w"
    ? SHARE[word(layout, "HorizontalAlignment", "Left")]
    : SHARE[word(layout, "VerticalAlignment", "Top")]) ?? 0;
export const along = (layout: GuiNode, usual: string): Axis =>
  word(layout, "FillDirection", usual) === "Horizontal" ? "w" : "h";
