/**
 * What `sb.config.json` says about every command in its folder: which place a headless Studio opens, which context
 * commands work in, which port the bridge host has. Its tools are for the MCP server to read.
 */
import { realpathSync } from "node:fs";
import { dirname, isAbsolute, relative, resolve } from "node:path";
import { contextSchema } from "../../protocol/actions.ts";
import { StudioBridgeError } from "../../protocol/errors.ts";
import { defineSchema } from "../../protocol/schema.ts";
import type { OutputOf, Zod } from "../../protocol/schema.ts";
import { membersOf, nodeAt, parseJsonc, valueOf } from "../../util/jsonc.ts";
import { decodeStrictly } from "../../util/strict-utf8.ts";
import { systemReason } from "../../util/system-error.ts";
import { placeOf, TextFault } from "../../util/text-fault.ts";
import { visibleOnOneLine } from "../../util/visible-controls.ts";
import { nearest } from "../../util/nearest.ts";
import { checkedBy } from "../input.ts";
import { dataSchema } from "../words/data.ts";
import { portSchema } from "../words/port.ts";
import type { FoundProjectFile } from "./find-project-file.ts";

const placeIdsSchema = (z: Zod) => z.array(z.int("expected a whole number").min(0, "expected a place id"));

export const projectSettingsSchema = defineSchema((z) =>
  z.strictObject({
    place: z
      .string()
      .min(1, "expected a file")
      .optional()
      .describe(
        "Place, model or Rojo project that --headless opens unless --place is given; relative to this file, and not outside its folder",
      ),
    context: contextSchema(z)
      .optional()
      .describe("Context that commands work in unless --context is given: edit, server or client"),
    data: dataSchema(z)
      .optional()
      .describe(
        'Where data stores of a headless Studio keep what scripts save unless --data is given: "memory", or a folder, relative to this file and not outside its folder',
      ),
    placeIds: placeIdsSchema(z)
      .optional()
      .describe(
        "Ids of the published places that commands may change or run code in; all others are refused",
      ),
    blockedPlaceIds: placeIdsSchema(z)
      .optional()
      .describe("Ids of published places that no command may change or run code in"),
    port: portSchema(z).optional().describe("Port of the bridge host unless --port or SB_PORT is given"),
  }),
);
export type ProjectSettings = OutputOf<typeof projectSettingsSchema>;

/** Keys of the file that other parts read. */
const OTHER_KEYS = ["$schema", "tools", "test"];

/** `place` and the folder of `data` become whole paths. Throws INVALID_INPUT with the place of the fault. */
export function settingsIn(found: FoundProjectFile): ProjectSettings {
  const { file } = found;
  const { root, faultAt } = openProjectFile(found);
  if (root === undefined) return {};
  const known = projectSettingsSchema.keys();
  const stray = membersOf(root).find(({ key }) => ![...known, ...OTHER_KEYS].includes(key));
  if (stray !== undefined) throw faultAt(stray.keyStart, unknownKey(stray.key, known));
  const values = Object.entries(Object(valueOf(root))).filter(([key]) => known.includes(key));
  const settings = checkedBy(projectSettingsSchema, Object.fromEntries(values), ([issue]) =>
    faultAt(nodeAt(root, [issue?.key ?? ""]).offset, `${issue?.key}: ${issue?.message}`),
  );
  const wholePath = (key: "place" | "data"): Pick<ProjectSettings, typeof key> => {
    const value = settings[key];
    if (value === undefined || (key === "data" && value === "memory")) return {};
    const path = pathBelow(file, value);
    if (path === undefined)
      throw faultAt(nodeAt(root, [key]).offset, `${key}: expected a path below the folder of this file`);
    return { [key]: path };
  };
  return { ...settings, ...wholePath("place"), ...wholePath("data") };
}

/** The object in the file; undefined for an empty file. `faultAt` makes an error that names a place in the file. */
export function openProjectFile(found: FoundProjectFile) {
  const { file } = found;
  if ("error" in found) throw faultIn(file, `cannot be read: ${systemReason(found.error)}`);
  const text = decodeStrictly(found.bytes);
  if (typeof text !== "string") throw faultIn(`${file}:${text.line}:${text.column}`, "not valid UTF-8");
  const faultAt = (offset: number, message: string) => {
    const { line, column } = placeOf(text, offset);
    return faultIn(`${file}:${line}:${column}`, message);
  };
  const root = parsed(text, faultAt);
  if (root !== undefined && root.type !== "object") throw faultAt(root.offset, "expected an object");
  return { root, faultAt };
}

/** A path below the folder of the file, as a whole path. */
export function pathBelow(file: string, path: string): string | undefined {
  const whole = resolve(dirname(file), path);
  return isAbsolute(path) || !isWithin(dirname(file), whole) ? undefined : whole;
}

function parsed(text: string, faultAt: (offset: number, message: string) => Error) {
  try {
    return parseJsonc(text);
  } catch (error) {
    throw error instanceof TextFault ? faultAt(error.offset, error.message) : error;
  }
}

function unknownKey(key: string, known: readonly string[]): string {
  const guess = nearest(key, [...known, ...OTHER_KEYS]);
  return `unknown key ${JSON.stringify(key)}${guess === undefined ? "" : `; did you mean "${guess}"?`}`;
}

function faultIn(place: string, message: string) {
  const hint = "Mend the file; it is for every command in its folder.";
  return new StudioBridgeError("INVALID_INPUT", `${visibleOnOneLine(place)}: ${message}`, {
    hint,
    agentHint: hint,
  });
}

/** Also of links; a file that is not there is told by its reader. */
function isWithin(folder: string, path: string): boolean {
  const lies = (from: string, to: string) => {
    const way = relative(from, to);
    return !isAbsolute(way) && way.split(/[\\/]/)[0] !== "..";
  };
  if (!lies(folder, path)) return false;
  try {
    return lies(realpathSync(folder), realpathSync(path));
  } catch {
    return true;
  }
}
