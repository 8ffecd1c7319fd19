/** Lays a tree of interface objects out in a headless Studio of the working tree, and reads where each object is. */
import type { ScreenChoice } from "../../../src/headless/window/screen.ts";
import { HeadlessStudio } from "../../../src/headless/window/studio.ts";
import { PATIENCE_MS } from "../../harness.ts";
import { assets, noNetwork } from "../run-spec.ts";

/** Values by the type of their property, as `layoutCase` files have them. */
export type Value = number | string | boolean | readonly (number | readonly number[])[] | Face;

export interface Face {
  readonly family: string;
  readonly weight: number;
  readonly style: string;
}

export interface GuiNode {
  readonly class: string;
  readonly name: string;
  readonly properties?: Readonly<Record<string, Value>>;
  readonly children?: readonly GuiNode[];
}

export interface Measured {
  readonly AbsolutePosition: readonly [number, number];
  readonly AbsoluteSize: readonly [number, number];
  readonly TextBounds?: readonly [number, number];
}

const UDIMS = new Set(["Padding", "PaddingLeft", "PaddingRight", "PaddingTop", "PaddingBottom"]);
const isPair = (value: unknown): value is readonly [number, number] =>
  Array.isArray(value) && value.length === 2 && value.every((each) => typeof each === "number");

function expression(name: string, value: Value): string {
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value === "number") return value === Infinity ? "math.huge" : String(value);
  if (typeof value === "boolean") return String(value);
  if ("family" in value)
    return `Font.new(${JSON.stringify(value.family)}, Enum.FontWeight:FromValue(${value.weight}), Enum.FontStyle.${value.style})`;
  if (isPair(value))
    return `${UDIMS.has(name) || /Radius$/.test(name) ? "UDim" : "Vector2"}.new(${value.join()})`;
  if (value.length === 3) return `Color3.new(${value.join()})`;
  return `UDim2.new(${value.flat().join()})`;
}

/** Statements that make the tree below the variable `parent`. */
function statements(node: GuiNode, parent: string, depth: number): string[] {
  const own = `n${depth}`;
  const properties = Object.entries(node.properties ?? {});
  return [
    `do local ${own} = Instance.new(${JSON.stringify(node.class)}) ${own}.Name = ${JSON.stringify(node.name)}`,
    ...properties.map(([name, value]) => `${own}.${name} = ${expression(name, value)}`),
    `${own}.Parent = ${parent}`,
    ...(node.children ?? []).flatMap((child) => statements(child, own, depth + 1)),
    "end",
  ];
}

/** Siblings of one name are all numbered, as in the files. */
const READ = `

local function read(object, path)
	if object:IsA("GuiObject") then
		local p, s = object.AbsolutePosition, object.AbsoluteSize
		local text = if WITH_TEXT and (object:IsA("TextLabel") or object:IsA("TextButton")) then object.TextBounds else nil
		print(path, p.X, p.Y, s.X, s.Y, text and text.X or "", text and text.Y or "")
	end
	local counts = {}
	for _, child in object:GetChildren() do
		counts[child.Name] = (counts[child.Name] or 0) + 1
	end
	local seen = {}
	for _, child in object:GetChildren() do
		local name = child.Name
		seen[name] = (seen[name] or 0) + 1
		read(child, path .. "/" .. (if counts[name] > 1 then name .. "[" .. seen[name] .. "]" else name))
	end
end
`;

const TAG = "done\x01";

/** Runs a chunk in a fresh Studio; returns its lines. */
export async function runAsync(source: string, screen?: ScreenChoice): Promise<readonly string[]> {
  const lines: string[] = [];
  using studio = new HeadlessStudio({
    assets,
    host: { ...noNetwork, log: (_type, text) => void lines.push(text) },
    scriptTimeoutSeconds: PATIENCE_MS / 1000,
    ...(screen === undefined ? {} : { screen }),
  });
  studio.runSource("=layout", `${source}\nprint("${TAG}")`);
  if (lines.pop() !== TAG) throw new Error(`the chunk did not end:\n${lines.join("\n")}`);
  return lines;
}

function measuredIn(line: string): readonly [string, Measured] {
  const [path = "", ...texts] = line.split(" ");
  const [x = NaN, y = NaN, w = NaN, h = NaN, textW = NaN, textH = NaN] = texts.map((text) =>
    text === "" ? NaN : Number(text),
  );
  return [
    path,
    {
      AbsolutePosition: [x, y],
      AbsoluteSize: [w, h],
      ...(Number.isNaN(textW) ? {} : { TextBounds: [textW, textH] }),
    },
  ];
}

/** The places of all objects of the tree, which is put into StarterGui, by their paths. */
export async function measureAsync(
  tree: GuiNode,
  screen: ScreenChoice,
  withText = false,
): Promise<ReadonlyMap<string, Measured>> {
  const build = statements(tree, 'game:GetService("StarterGui")', 0).join("\n");
  // A chunk may have 200 local variables in one function, so that deep trees get a function each.
  const source = `local WITH_TEXT = ${withText}${READ}${build}\nread(game:GetService("StarterGui"), "StarterGui")`;
  return new Map((await runAsync(source, screen)).map(measuredIn));
}
