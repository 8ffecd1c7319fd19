/**
 * A second layout of interface objects, which shares nothing with the engine's: no caches, no marks, each call computes all.
 * It knows only the rules that Roblox documents or that were measured in Studio, and judges the engine with random trees.
 */
import type { GuiNode } from "./measure.ts";
import {
  type Rect,
  type Size,
  type Axis,
  ofKind,
  layoutOf,
  objectsOf,
  isVisible,
  word,
  number,
  udim,
  udim2,
  xy,
  at,
  scaleOf,
  other,
  share,
  along,
} from "./gui-values.ts";

function fitted({ w, h }: Size, ratio: number): Size {
  const byWidth = { w, h: w / ratio };
  return byWidth.h <= h ? byWidth : { w: h * ratio, h };
}

/** How far padding moves the content from each side of a box. */
function paddingOf(node: GuiNode, { w, h }: Size, k: number) {
  const padding = ofKind(node, "UIPadding");
  return {
    left: at(udim(padding, "PaddingLeft"), w, k),
    right: at(udim(padding, "PaddingRight"), w, k),
    top: at(udim(padding, "PaddingTop"), h, k),
    bottom: at(udim(padding, "PaddingBottom"), h, k),
  };
}

function roomIn(node: GuiNode, size: Size, k: number): Size {
  const { left, right, top, bottom } = paddingOf(node, size, k);
  return { w: Math.max(0, size.w - left - right), h: Math.max(0, size.h - top - bottom) };
}

/** A size after the constraints of the object, before its UIScale. */
function constrained(node: GuiNode, size: Size, room: Size, k: number): Size {
  const bounds = ofKind(node, "UISizeConstraint");
  const [minW, minH] = xy(bounds, "MinSize", [0, 0]);
  const [maxW, maxH] = xy(bounds, "MaxSize", [Infinity, Infinity]);
  const clamped =
    bounds === undefined
      ? size
      : {
          w: Math.max(minW * k, Math.min(size.w, maxW * k)),
          h: Math.max(minH * k, Math.min(size.h, maxH * k)),
        };
  const ratio = ofKind(node, "UIAspectRatioConstraint");
  if (ratio === undefined) return clamped;
  const box = word(ratio, "AspectType", "FitWithinMaxSize") === "FitWithinMaxSize" ? clamped : room;
  return fitted(box, Math.fround(number(ratio, "AspectRatio", 1)));
}

const times = ({ w, h }: Size, factor: number): Size => ({ w: w * factor, h: h * factor });

function sizeOf(node: GuiNode, room: Size, k: number): Size {
  const scale = scaleOf(node);
  if (scale === 0) return { w: 0, h: 0 };
  const [x, y] = udim2(node, "Size");
  const relative = word(node, "SizeConstraint", "RelativeXY");
  let size = {
    w: at(x, relative === "RelativeYY" ? room.h : room.w, k),
    h: at(y, relative === "RelativeXX" ? room.w : room.h, k),
  };
  const automatic = word(node, "AutomaticSize", "None");
  if (automatic !== "None") {
    // Only objects are measured here whose content has no scale, so that the room makes no difference.
    const { left, right, top, bottom } = paddingOf(node, { w: 0, h: 0 }, k * scale);
    const content = contentOf(node, roomIn(node, times(size, scale), k * scale), k * scale);
    size = {
      w: automatic === "Y" ? size.w : Math.max(size.w, (content.w + left + right) / scale),
      h: automatic === "X" ? size.h : Math.max(size.h, (content.h + top + bottom) / scale),
    };
  }
  return times(constrained(node, size, room, k), scale);
}

/** The size of an object that a layout has given a size, in which its own constraints still count. */
function sizeGiven(node: GuiNode, given: Size, room: Size, k: number): Size {
  const scale = scaleOf(node);
  return times(constrained(node, given, room, k), scale);
}

/** Objects by what they are, with their places in the room. */
type Arranged = ReadonlyMap<GuiNode, Rect>;

function sorted(layout: GuiNode, objects: readonly GuiNode[]): readonly GuiNode[] {
  const visible = objects.filter(isVisible);
  if (word(layout, "SortOrder", "Name") === "LayoutOrder")
    return visible.toSorted((a, b) => number(a, "LayoutOrder", 0) - number(b, "LayoutOrder", 0));
  return visible.toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

function arrange(node: GuiNode, layout: GuiNode, room: Size, k: number): Arranged {
  const objects = sorted(layout, objectsOf(node));
  if (layout.class === "UIListLayout") return asList(layout, objects, room, k);
  if (layout.class === "UIGridLayout") return asGrid(layout, objects, room, k);
  if (layout.class === "UIPageLayout") return asPages(layout, objects, room, k);
  return asTable(layout, objects, room, k);
}

/** How far the content reaches from the corner of the room. */
function contentOf(node: GuiNode, room: Size, k: number): Size {
  const layout = layoutOf(node);
  const visible = objectsOf(node).filter(isVisible);
  const rects =
    layout === undefined
      ? visible.map((each) => placed(each, sizeOf(each, room, k), room, k))
      : [...arrange(node, layout, layout.class === "UIGridLayout" ? { w: 0, h: 0 } : room, k).values()];
  const [lefts, tops] =
    layout === undefined ? [[0], [0]] : [rects.map(({ x }) => x), rects.map(({ y }) => y)];
  if (rects.length === 0) return { w: 0, h: 0 };
  return {
    w: Math.max(0, ...rects.map(({ x, w }) => x + w)) - Math.min(...lefts),
    h: Math.max(0, ...rects.map(({ y, h }) => y + h)) - Math.min(...tops),
  };
}

function asList(layout: GuiNode, objects: readonly GuiNode[], room: Size, k: number): Arranged {
  const main = along(layout, "Vertical");
  const cross = other(main);
  const gap = at(udim(layout, "Padding"), room[main], k);
  const sizes = new Map(objects.map((each) => [each, sizeOf(each, room, k)]));
  const get = (each: GuiNode): Size => sizes.get(each) ?? { w: 0, h: 0 };
  const lines: GuiNode[][] = [[]];
  for (const each of objects) {
    const line = lines.at(-1) ?? [];
    const used = line.reduce((sum, one) => sum + get(one)[main] + gap, 0);
    const isFull = line.length > 0 && used + get(each)[main] > room[main] + 1e-6;
    if (layout.properties?.["Wraps"] === true && room[main] > 0 && isFull) lines.push([each]);
    else line.push(each);
  }
  const flex = word(layout, main === "w" ? "HorizontalFlex" : "VerticalFlex", "None");
  const freeOf = (line: readonly GuiNode[]): number =>
    room[main] - gap * (line.length - 1) - line.reduce((sum, each) => sum + get(each)[main], 0);
  for (const line of lines) growLine(line, freeOf(line), flex, main, sizes, room, k);
  const thick = lines.map((line) => Math.max(0, ...line.map((each) => get(each)[cross])));
  const wraps = layout.properties?.["Wraps"] === true;
  const block = thick.reduce((sum, each) => sum + each, 0) + gap * (lines.length - 1);
  let down = wraps ? (room[cross] - block) * share(layout, cross) : 0;
  const result = new Map<GuiNode, Rect>();
  for (const [index, line] of lines.entries()) {
    const free = freeOf(line);
    const between = flex === "SpaceBetween" && free > 0 && line.length > 1 ? free / (line.length - 1) : 0;
    const around = flex === "SpaceAround" && free > 0 ? free / line.length : 0;
    const even = flex === "SpaceEvenly" && free > 0 ? free / (line.length + 1) : 0;
    let next = between + around + even > 0 ? around / 2 + even : free * share(layout, main);
    for (const each of line) {
      const size = get(each);
      const lineRoom = wraps ? (thick[index] ?? 0) : room[cross];
      const away = down + (lineRoom - size[cross]) * share(layout, cross);
      result.set(each, { ...size, x: main === "w" ? next : away, y: main === "w" ? away : next });
      next += size[main] + gap + between + around + even;
    }
    down += (thick[index] ?? 0) + gap;
  }
  return result;
}

function growLine(
  line: readonly GuiNode[],
  free: number,
  flex: string,
  main: Axis,
  sizes: Map<GuiNode, Size>,
  room: Size,
  k: number,
): void {
  const grows = free > 0;
  const ratio = (each: GuiNode): number => {
    const item = ofKind(each, "UIFlexItem");
    const mode = item === undefined ? "None" : word(item, "FlexMode", "None");
    if (item === undefined || mode === "None") return flex === "Fill" ? 1 : 0;
    if (mode === "Custom") return Math.fround(number(item, grows ? "GrowRatio" : "ShrinkRatio", 0));
    return mode === "Fill" || mode === (grows ? "Grow" : "Shrink") ? 1 : 0;
  };
  // What shrinks does so in proportion to its size.
  const weights = new Map(
    line.map((each) => [each, ratio(each) * (grows ? 1 : (sizes.get(each)?.[main] ?? 0))]),
  );
  const weight = (each: GuiNode): number => weights.get(each) ?? 0;
  const sum = line.reduce((total, each) => total + weight(each), 0);
  if (free === 0 || sum <= 0) return;
  for (const each of line) {
    const size = sizes.get(each) ?? { w: 0, h: 0 };
    const scale = scaleOf(each);
    if (weight(each) === 0 || scale === 0) continue;
    const longer = Math.max(0, size[main] + (free * weight(each)) / sum) / scale / k;
    // As an object whose Size says so: along the line it has that length, across it its own size.
    const [x, y] = udim2(each, "Size");
    const automatic = word(each, "AutomaticSize", "None").replace(main === "w" ? "X" : "Y", "");
    const properties = {
      ...each.properties,
      Size: main === "w" ? [[0, longer], y] : [x, [0, longer]],
      AutomaticSize: automatic === "" ? "None" : automatic,
    };
    sizes.set(each, sizeOf({ ...each, properties }, room, k));
  }
}

function asGrid(layout: GuiNode, objects: readonly GuiNode[], room: Size, k: number): Arranged {
  const [cellX, cellY] = udim2(layout, "CellSize", [
    [0, 100],
    [0, 100],
  ]);
  const [gapX, gapY] = udim2(layout, "CellPadding", [
    [0, 5],
    [0, 5],
  ]);
  const cell = { w: at(cellX, room.w, k), h: at(cellY, room.h, k) };
  const gap = { w: at(gapX, room.w, k), h: at(gapY, room.h, k) };
  const main = along(layout, "Horizontal");
  const most = number(layout, "FillDirectionMaxCells", 0) || Infinity;
  const fitting = Math.max(1, Math.floor((room[main] + gap[main]) / (cell[main] + gap[main])));
  const inLine = Math.min(fitting, most, objects.length);
  const lines = Math.ceil(objects.length / inLine);
  const counts = main === "w" ? { w: inLine, h: lines } : { w: lines, h: inLine };
  const corner = word(layout, "StartCorner", "TopLeft");
  const place = (axis: Axis, index: number): number => {
    const block = counts[axis] * (cell[axis] + gap[axis]) - gap[axis];
    const isMirrored = corner.includes(axis === "w" ? "Right" : "Bottom");
    const position = isMirrored ? counts[axis] - 1 - index : index;
    return (room[axis] - block) * share(layout, axis) + position * (cell[axis] + gap[axis]);
  };
  return new Map(
    objects.map((each, index) => {
      const [inOwn, line] = [index % inLine, Math.floor(index / inLine)];
      const size = sizeGiven(each, cell, cell, k);
      const [column, row] = main === "w" ? [inOwn, line] : [line, inOwn];
      const x = place("w", column) + (cell.w - size.w) / 2;
      const y = place("h", row) + (cell.h - size.h) / 2;
      return [each, { ...size, x, y }];
    }),
  );
}

function asPages(layout: GuiNode, objects: readonly GuiNode[], room: Size, k: number): Arranged {
  const main = along(layout, "Horizontal");
  const stride = room[main] + at(udim(layout, "Padding"), room[main], k);
  return new Map(
    objects.map((each, index) => {
      const size = sizeOf(each, room, k);
      const x = (room.w - size.w) * share(layout, "w") + (main === "w" ? index * stride : 0);
      const y = (room.h - size.h) * share(layout, "h") + (main === "h" ? index * stride : 0);
      return [each, { ...size, x, y }];
    }),
  );
}

function asTable(layout: GuiNode, rows: readonly GuiNode[], room: Size, k: number): Arranged {
  const [padX, padY] = udim2(layout, "Padding");
  const gap = { w: at(padX, room.w, k), h: at(padY, room.h, k) };
  const cells = rows.map((row) => sorted(layout, objectsOf(row)));
  const columns = Math.max(0, ...cells.map((row) => row.length));
  const natural = (cell: GuiNode | undefined): Size =>
    cell === undefined ? { w: 0, h: 0 } : sizeOf(cell, room, k);
  let widths = Array.from({ length: columns }, (_, index) =>
    Math.max(0, ...cells.map((row) => natural(row[index]).w)),
  );
  let heights = cells.map((row) => Math.max(0, ...row.map((cell) => natural(cell).h)));
  const total = (tracks: readonly number[], space: number): number =>
    tracks.reduce((sum, each) => sum + each, 0) + space * Math.max(0, tracks.length - 1);
  const fill = (tracks: readonly number[], space: number, whole: number): number[] => {
    const bare = total(tracks, 0);
    const free = whole - space * (tracks.length - 1);
    return tracks.map((each) => (each * free) / bare);
  };
  if (layout.properties?.["FillEmptySpaceColumns"] === true) widths = fill(widths, gap.w, room.w);
  if (layout.properties?.["FillEmptySpaceRows"] === true) heights = fill(heights, gap.h, room.h);
  const size = { w: total(widths, gap.w), h: total(heights, gap.h) };
  const result = new Map<GuiNode, Rect>();
  for (const [line, row] of rows.entries()) {
    const before = total(heights.slice(0, line), gap.h) + (line > 0 ? gap.h : 0);
    const x = (room.w - size.w) * share(layout, "w");
    const y = (room.h - size.h) * share(layout, "h") + before;
    const height = heights[line] ?? 0;
    result.set(row, { x, y, w: size.w, h: height });
    for (const [index, cell] of (cells[line] ?? []).entries()) {
      const left = total(widths.slice(0, index), gap.w) + (index > 0 ? gap.w : 0);
      const given = { w: widths[index] ?? 0, h: height };
      result.set(cell, { ...sizeGiven(cell, given, given, k), x: x + left, y });
    }
  }
  return result;
}

function placed(node: GuiNode, size: Size, room: Size, k: number): Rect {
  const [x, y] = udim2(node, "Position");
  const [anchorX, anchorY] = xy(node, "AnchorPoint", [0, 0]);
  return { ...size, x: at(x, room.w, k) - anchorX * size.w, y: at(y, room.h, k) - anchorY * size.h };
}

/** The corner of the content from that of the box, and its room. */
function insideOf(node: GuiNode, size: Size, k: number): Rect {
  const { left, top } = paddingOf(node, size, k);
  const room = roomIn(node, size, k);
  if (node.class !== "ScrollingFrame") return { x: left, y: top, ...room };
  // Only canvases without a scale are judged.
  const [x, y] = udim2(node, "CanvasSize");
  const [moveX, moveY] = xy(node, "CanvasPosition", [0, 0]);
  const scrolled = (move: number, canvas: number, window: number): number =>
    Math.max(0, Math.min(move, Math.max(canvas, window) - window));
  return {
    x: left - scrolled(moveX, x[1] * k, size.w),
    y: top - scrolled(moveY, y[1] * k, size.h),
    ...room,
  };
}

function walk(
  node: GuiNode,
  path: string,
  rect: Rect,
  k: number,
  into: Map<string, Rect>,
  table?: Arranged,
): void {
  const inner = k * (node.class === "ScreenGui" ? 1 : scaleOf(node));
  const layout = layoutOf(node);
  const inside = table === undefined ? insideOf(node, rect, inner) : { x: 0, y: 0, w: rect.w, h: rect.h };
  const room = { w: inside.w, h: inside.h };
  const corner = { x: rect.x + inside.x, y: rect.y + inside.y };
  const arranged =
    table ?? (layout === undefined ? new Map<GuiNode, Rect>() : arrange(node, layout, room, inner));
  for (const child of objectsOf(node)) {
    const childPath = `${path}/${child.name}`;
    const given = arranged.get(child);
    const own = given ?? placed(child, sizeOf(child, room, inner), room, inner);
    // What is in the line of a table counts from the table.
    const from = table !== undefined && given !== undefined ? (tableCorner.get(table) ?? corner) : corner;
    const whole = { ...own, x: from.x + own.x, y: from.y + own.y };
    into.set(childPath, whole);
    if (layout?.class === "UITableLayout" && given !== undefined) tableCorner.set(arranged, corner);
    walk(
      child,
      childPath,
      whole,
      inner,
      into,
      layout?.class === "UITableLayout" && given ? arranged : undefined,
    );
  }
}

const tableCorner = new WeakMap<Arranged, { readonly x: number; readonly y: number }>();

/** The places of all objects in a ScreenGui that fills a screen of that size, by their paths. */
export function secondLayout(tree: GuiNode, screen: Size): ReadonlyMap<string, Rect> {
  const into = new Map<string, Rect>();
  walk(tree, `StarterGui/${tree.name}`, { x: 0, y: 0, ...screen }, 1, into);
  return into;
}
