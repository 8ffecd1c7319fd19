/** The Luau that reads, makes and writes the datatypes made of numbers, written out line by line from their table. */
import {
  type Datatype,
  DATATYPES,
  fileStrideOf,
  LUAU_DATATYPES,
  type LuauDatatype,
  TUPLE_TYPES,
  type TupleType,
} from "../../src/values/datatypes.ts";

const WIDTH = 120;
const TAB = 4;

const header = (what: string): string =>
  `--!strict\n-- Generated from src/values/datatypes.ts by \`npm run gen\`. Never edited by hand.\n-- ${what}\n\n`;

const rowOf = (name: LuauDatatype | TupleType): Datatype => DATATYPES[name];

/** As StyLua writes a call: on one line if that has room. */
function call(indent: number, before: string, parts: readonly string[], after: string): string {
  const tabs = "\t".repeat(indent);
  const line = `${before}(${parts.join(", ")})${after}`;
  if (indent * TAB + line.length <= WIDTH) return `${tabs}${line}\n`;
  const inner = parts.map((part) => `${tabs}\t${part}`).join(",\n");
  return `${tabs}${before}(\n${inner}\n${tabs})${after}\n`;
}

const fieldsOf = (row: Datatype, value: string): string[] => row.fields.map((field) => `${value}.${field}`);

const isSequence = (name: string): name is "NumberSequence" | "ColorSequence" =>
  name === "NumberSequence" || name === "ColorSequence";

// The plugin ----------------------------------------------------------------------------------------------------------

export function numberWriters(): string {
  const writers = LUAU_DATATYPES.filter((name) => rowOf(name).isComputed === undefined).map((name) => {
    const row = rowOf(name);
    const body =
      row.isSequence === undefined
        ? valuesLine(row)
        : "\t\tlocal numbers: { any } = {}\n\t\tfor _, point in value.Keypoints do\n" +
          pointLine(row) +
          "\t\tend\n\t\treturn { value = numbers }\n";
    return `\t${name} = function(value)\n${body}\tend,\n`;
  });
  return [
    header("The numbers of each datatype as its fields in the protocol, by typeof."),
    "local Components = require(script.Parent.Components)\n\n",
    "local components = Components.list\n\n",
    "local WRITERS: { [string]: (value: any) -> any } = {\n",
    ...writers,
    "}\n\nreturn WRITERS\n",
  ].join("");
}

function valuesLine(row: Datatype): string {
  const line = `return { value = components(${fieldsOf(row, "value").join(", ")}) }`;
  if (2 * TAB + line.length <= WIDTH) return `\t\t${line}\n`;
  return `\t\treturn {\n${call(3, "value = components", fieldsOf(row, "value"), ",")}\t\t}\n`;
}

const pointLine = (row: Datatype): string =>
  call(
    3,
    "table.move",
    [
      `components(${fieldsOf(row, "point").join(", ")})`,
      "1",
      String(row.fields.length),
      "#numbers + 1",
      "numbers",
    ],
    "",
  );

/** Of the datatypes whose numbers can be read field by field and are always as many. */
export function numberColumns(): string {
  const names = LUAU_DATATYPES.filter((name) => {
    const { isComputed, isSequence: isList, example } = rowOf(name);
    return example !== undefined && isComputed === undefined && isList === undefined;
  });
  const appenders = names.map((name) => {
    const row = rowOf(name);
    const sets = row.fields.map((field, index) => `\t\tlist[at + ${index + 1}] = value.${field}\n`);
    return `\t${name} = function(list, at, value)\n${sets.join("")}\t\treturn at + ${row.fields.length}\n\tend,\n`;
  });
  return [
    header(
      "Puts the numbers of a value behind `at` into a list, by typeof; gives the position of the last one.",
    ),
    "local APPENDERS: { [string]: (list: { number }, at: number, value: any) -> number } = {\n",
    ...appenders,
    "}\n\nreturn APPENDERS\n",
  ].join("");
}

/** The lines that add a keypoint to `points`, in a loop that is `indent` deep. */
function addPoint(
  indent: number,
  name: string,
  library: string,
  [time = "", ...rest]: readonly string[],
): string {
  const keypoint = `${library}${name}Keypoint.new`;
  if (name !== "ColorSequence")
    return (
      call(indent, `local point = ${keypoint}`, [time, ...rest], "") +
      call(indent, "table.insert", ["points", "point"], "")
    );
  return (
    call(indent, `local color = ${library}Color3.new`, rest, "") +
    call(indent, "table.insert", ["points", `${keypoint}(${time}, color)`], "")
  );
}

export function numberMakers(): string {
  const makers = LUAU_DATATYPES.filter((name) => rowOf(name).example !== undefined).map((name) => {
    const row = rowOf(name);
    const size = row.fields.length;
    const counts = [...Object.keys(row.shorter ?? {}), ...(row.isSequence === undefined ? [size] : [])];
    const isConstant = name === "NumberSequence";
    const lines = [
      `counts = {${isConstant ? " 1 " : counts.length === 0 ? "" : ` ${counts.join(", ")} `}}`,
      ...(row.isSequence === undefined ? [] : [`stride = ${size}`]),
    ];
    if (row.isSequence === undefined && row.madeOf === undefined)
      return `\t${name} = { ${lines.join(", ")}, make = ${name}.new :: any },\n`;
    return `\t${name} = {\n${lines.map((line) => `\t\t${line},\n`).join("")}${makeOf(name, row)}\t},\n`;
  });
  return [
    header("For each typeof: how many numbers make one, and the function that makes it."),
    "export type Maker = { counts: { number }, stride: number?, make: (...number) -> any }\n\n",
    "local MAKERS: { [string]: Maker } = {\n",
    ...makers,
    "}\n\nreturn MAKERS\n",
  ].join("");
}

function makeOf(name: LuauDatatype, { fields, madeOf, isSequence: isList }: Datatype): string {
  if (isList === undefined) {
    const letters = fields.map((_, index) => String.fromCharCode(97 + index));
    const thirds = [letters.slice(0, 3), letters.slice(3)].map(
      (three) => `${madeOf}.new(${three.join(", ")})`,
    );
    return `\t\tmake = function(${letters.join(", ")})\n\t\t\treturn ${name}.new(${thirds.join(", ")})\n\t\tend,\n`;
  }
  const numbers = fields.map((_, index) => (index === 0 ? "numbers[first]" : `numbers[first + ${index}]`));
  const constant =
    name === "NumberSequence"
      ? `\t\t\tif #numbers == 1 then\n\t\t\t\treturn ${name}.new(numbers[1])\n\t\t\tend\n`
      : "";
  return [
    "\t\tmake = function(...)\n",
    "\t\t\tlocal numbers, points: { any } = { ... }, {}\n",
    constant,
    `\t\t\tfor first = 1, #numbers, ${fields.length} do\n`,
    addPoint(4, name, "", numbers),
    "\t\t\tend\n",
    `\t\t\treturn ${name}.new(points)\n`,
    "\t\tend,\n",
  ].join("");
}

// The engine ----------------------------------------------------------------------------------------------------------

const FILE_TYPES = [...TUPLE_TYPES, "PhysicalProperties"] as const;

/** CFrame is read by hand, because places have one for nearly every part. */
const OWN_READER = "CFrame";

export function numberCodecs(): string {
  const readers = FILE_TYPES.filter((name) => name !== OWN_READER).map(engineReader);
  const writers = FILE_TYPES.filter((name) => name !== OWN_READER && name !== "Color3uint8").map(
    engineWriter,
  );
  return [
    header(
      "Reads and writes the numbers of property values, in the form of src/headless/bytes/engine-bytes.ts.",
    ),
    'local Cursor = require("./Cursor")\nlocal Datatypes = require("../Datatypes/init")\n',
    'local HostConstants = require("../Kernel/HostConstants")\n\n',
    "local Kinds = HostConstants.VALUE_KINDS\nlocal f64, u32, pack = buffer.readf64, buffer.readu32, string.pack\n\n",
    "-- Makes a value; nil if its constructor refuses the arguments.\n",
    "local function attempt(new: (...any) -> any, ...: any): any\n",
    "\tlocal ok, value = pcall(new, ...)\n\treturn if ok then value else nil\nend\n\n",
    "local readers: { [number]: (cursor: Cursor.Cursor) -> any } = {\n",
    ...readers,
    "}\n\nlocal writers: { [string]: (value: any) -> string? } = {\n",
    ...writers,
    "}\n\nreturn { readers = readers, writers = writers }\n",
  ].join("");
}

const constructorOf = (name: string): string =>
  name === "Color3uint8" ? "Datatypes.Color3.fromRGB" : `Datatypes.${name}.new`;

function engineReader(name: (typeof FILE_TYPES)[number]): string {
  const row = rowOf(name);
  const numbers = row.fields.map((_, index) => `f64(bytes, at${index === 0 ? "" : ` + ${index * 8}`})`);
  const start = "\t\tlocal bytes, at = cursor.bytes, cursor.at + 4\n";
  const body = isSequence(name)
    ? sequenceReader(name, row, numbers)
    : `\t\tcursor.at = at + ${row.fields.length * 8}\n` +
      (name === "Vector3"
        ? call(2, "return vector.create", numbers, "")
        : row.madeOf !== undefined
          ? call(
              2,
              "return attempt",
              [
                constructorOf(name),
                ...[numbers.slice(0, 3), numbers.slice(3)].map(
                  (three) => `vector.create(${three.join(", ")})`,
                ),
              ],
              "",
            )
          : call(2, "return attempt", [constructorOf(name), ...numbers], ""));
  return `\t[Kinds.${name}] = function(cursor)\n${start}${body}\tend,\n`;
}

function sequenceReader(
  name: "NumberSequence" | "ColorSequence",
  row: Datatype,
  numbers: readonly string[],
): string {
  const size = fileStrideOf(name);
  return [
    "\t\tlocal points = {}\n",
    `\t\tfor _ = 1, u32(bytes, cursor.at) / ${size} do\n`,
    addPoint(3, name, "Datatypes.", numbers.slice(0, row.fields.length)),
    `\t\t\tat += ${size * 8}\n`,
    "\t\tend\n",
    "\t\tcursor.at = at\n",
    `\t\treturn attempt(Datatypes.${name}.new, points)\n`,
  ].join("");
}

function engineWriter(name: (typeof FILE_TYPES)[number]): string {
  const row = rowOf(name);
  if (!isSequence(name)) {
    const size = row.fields.length;
    const parts = [`"<BI4${"d".repeat(size)}"`, `Kinds.${name}`, String(size), ...fieldsOf(row, "value")];
    return `\t${name} = function(value)\n${call(2, "return pack", parts, "")}\tend,\n`;
  }
  const size = fileStrideOf(name);
  const envelope = size > row.fields.length ? ["0"] : [];
  return [
    `\t${name} = function(value)\n`,
    `\t\tlocal parts = { pack("<BI4", Kinds.${name}, #value.Keypoints * ${size}) }\n`,
    "\t\tfor _, point in value.Keypoints do\n",
    call(3, "local text = pack", [`"<${"d".repeat(size)}"`, ...fieldsOf(row, "point"), ...envelope], ""),
    "\t\t\ttable.insert(parts, text)\n",
    "\t\tend\n",
    "\t\treturn table.concat(parts)\n",
    "\tend,\n",
  ].join("");
}
