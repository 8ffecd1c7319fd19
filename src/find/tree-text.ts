/** The answer to a query for people: Instances as a tree, and each value on one line. */
import { inOrder } from "../protocol/values.ts";
import type { SerializedValue } from "../protocol/values.ts";
import type { Style } from "../util/style.ts";
import { cells, fit, pad } from "../util/text-width.ts";
import { visibleOnOneLine } from "../util/visible-controls.ts";
import { valueText } from "../output/value-text.ts";

interface Node {
  readonly name: string;
  readonly className: string;
  readonly path: string;
  readonly childCount?: number;
  readonly properties?: Values | undefined;
  readonly attributes?: Values | undefined;
  readonly children?: readonly Node[] | undefined;
}
type Values = { readonly [name: string]: SerializedValue };

/** Told by every line of the tree, or of no use to people. */
const TOLD = ["Name", "ClassName", "Parent"];

/** An Instance with what is below it, or a list of Instances. */
export function treeText(answer: Node | { readonly children: readonly Node[] }, style: Style): string {
  const fitted = (lines: readonly string[]) => lines.map((line) => fittedLine(line, style.columns));
  if (!("path" in answer))
    return fitted(branches(answer.children, "", style)).join("\n") || style.dim("(none)");
  const isAlone = (answer.children ?? []).length === 0;
  const head = isAlone ? titleOf(answer, answer.path, style) : lineOf(answer, answer.path, style);
  return fitted([
    head,
    ...(isAlone ? valueLines(answer, style) : []),
    ...branches(answer.children ?? [], "", style),
  ]).join("\n");
}

/** A line that is cut loses its colours, because a cut could fall into one. */
function fittedLine(line: string, columns: number): string {
  return cells(line) <= columns ? line : fit(Bun.stripANSI(line), columns);
}

function branches(nodes: readonly Node[], indent: string, style: Style): string[] {
  return nodes.flatMap((node, index) => {
    const isLast = index === nodes.length - 1;
    return [
      `${indent}${isLast ? "└─" : "├─"} ${lineOf(node, node.name, style)}`,
      ...branches(node.children ?? [], `${indent}${isLast ? "   " : "│  "}`, style),
    ];
  });
}

function titleOf({ className, childCount = 0, children = [] }: Node, title: string, style: Style): string {
  const hidden = childCount - children.length;
  const more = hidden <= 0 ? "" : style.dim(`  ${hidden} ${hidden === 1 ? "child" : "children"}`);
  return `${style.bold(visibleOnOneLine(title))} (${visibleOnOneLine(className)})${more}`;
}

/** With the values behind it, but for those that the line tells already. */
function lineOf(node: Node, title: string, style: Style): string {
  const values = valuesOf(node).filter(([name]) => !TOLD.includes(name));
  const text = values.map(([name, value]) => `${name} = ${value}`).join(", ");
  return `${titleOf(node, title, style)}${text === "" ? "" : `  ${text}`}`;
}

function valueLines(node: Node, style: Style): string[] {
  const values = valuesOf(node);
  const width = Math.max(0, ...values.map(([name]) => cells(name)));
  return values.map(([name, value]) => `  ${style.cyan(pad(name, width))}  ${value}`);
}

/** Attributes have an @ before their names. */
function valuesOf({ properties = {}, attributes = {} }: Node): [name: string, value: string][] {
  const named = (values: Values, mark: string) =>
    Object.entries(values).map(([name, value]): [string, string] => [
      `${mark}${visibleOnOneLine(name)}`,
      oneLine(value),
    ]);
  return [...named(properties, ""), ...named(attributes, "@")];
}

function oneLine(value: SerializedValue): string {
  const text = typeof value === "string" ? JSON.stringify(value) : valueText(inOrder(value));
  return visibleOnOneLine(text.replace(/\s*\n\s*/g, " "));
}
