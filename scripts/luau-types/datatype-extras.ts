/**
 * What @rbxts/types does not say of datatypes in a form that Luau has: operators, because TypeScript has none for objects, older names,
 * and types whose values only the engine makes. From https://create.roblox.com/docs/reference/engine/datatypes.
 */

/** `+ - * /`, and what stands on their right side. */
const arithmetic = (name: string, factor = `${name} | number`): readonly string[] => [
  `\tfunction __add(self, other: ${name}): ${name}`,
  `\tfunction __sub(self, other: ${name}): ${name}`,
  `\tfunction __mul(self, other: ${factor}): ${name}`,
  `\tfunction __div(self, other: ${factor}): ${name}`,
  `\tfunction __unm(self): ${name}`,
];

const sums = (name: string): readonly string[] =>
  arithmetic(name).filter((line) => !/__(?:mul|div)/.test(line));

const floorDivision = (name: string): string => `\tfunction __idiv(self, other: ${name} | number): ${name}`;

/** `line` as a name that Studio still knows and tells people not to use. */
const older = (line: string): string => `\t@deprecated\n\tfunction ${line}`;

const OLDER_CFRAME = [
  "inverse(self): CFrame",
  "lerp(self, goal: CFrame, alpha: number): CFrame",
  "toWorldSpace(self, cf: CFrame): CFrame",
  "toObjectSpace(self, cf: CFrame): CFrame",
  "pointToWorldSpace(self, v3: Vector3): Vector3",
  "pointToObjectSpace(self, v3: Vector3): Vector3",
  "vectorToWorldSpace(self, v3: Vector3): Vector3",
  "vectorToObjectSpace(self, v3: Vector3): Vector3",
  `components(self): (${Array(12).fill("number").join(", ")})`,
];

/** More lines for the values of a datatype. */
export const valueExtras: Readonly<Record<string, readonly string[]>> = {
  CFrame: [
    "\tp: Vector3",
    "\tlookVector: Vector3",
    "\trightVector: Vector3",
    "\tupVector: Vector3",
    ...OLDER_CFRAME.map(older),
    "\tfunction __add(self, other: Vector3): CFrame",
    "\tfunction __sub(self, other: Vector3): CFrame",
    "\tfunction __mul(self, other: CFrame): CFrame",
    "\tfunction __mul(self, other: Vector3): Vector3",
  ],
  Vector2: [
    ...arithmetic("Vector2"),
    floorDivision("Vector2"),
    older("lerp(self, v: Vector2, alpha: number): Vector2"),
  ],
  Vector3: [
    ...arithmetic("Vector3"),
    floorDivision("Vector3"),
    older("lerp(self, goal: Vector3, alpha: number): Vector3"),
  ],
  Vector2int16: arithmetic("Vector2int16"),
  Vector3int16: arithmetic("Vector3int16"),
  UDim: sums("UDim"),
  UDim2: sums("UDim2"),
};

/** The function of a datatype's library in place of the declared one, which takes numbers where scripts write names. */
export const libraryFunctions: Readonly<Record<string, string>> = {
  "BrickColor.new":
    "((name: string) -> BrickColor) & ((val: number) -> BrickColor) & ((r: number, g: number, b: number) -> BrickColor) & ((color: Color3) -> BrickColor)",
};

/** Interfaces without a library that are datatypes all the same. */
export const withoutLibrary: ReadonlySet<string> = new Set(["RaycastResult", "Secret"]);

/** Properties that are never nil in practice: to ask for nil at each use would be noise, and luau-lsp does not either. */
export const neverNil: ReadonlySet<string> = new Set(["Workspace.CurrentCamera"]);
