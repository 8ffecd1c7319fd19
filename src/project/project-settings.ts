/**
 * What `sb.config.json` says about every command in its folder: which place a headless Studio opens, which context
 * commands work in, which port the bridge host has. Its tools are for the MCP server to read.
 */
import { dirname, isAbsolute, resolve } from "node:path";
import { contextSchema } from "../protocol/fields/contexts.ts";
import { StudioBridgeError } from "../protocol/errors.ts";
import { defineSchema } from "../protocol/schema.ts";
import type { OutputOf, Zod } from "../protocol/schema.ts";
import { memberOf, membersOf, nodeAt, parseJsonc, valueOf } from "../util/jsonc.ts";
import { decodeStrictly } from "../util/strict-utf8.ts";
import { systemReason } from "../util/system-error.ts";
import { placeOf, TextFault } from "../util/text-fault.ts";
import { visibleOnOneLine } from "../util/visible-controls.ts";
import { isReallyWithin } from "../util/real-path-inside.ts";
import { nearest } from "../util/nearest.ts";
import { checkedBy } from "../protocol/input.ts";
import { dataSchema } from "./data-choice.ts";
import { portSchema } from "../protocol/port.ts";
import {
  DEVICE_TEXT,
  deviceSchema,
  INSETS_TEXT,
  insetsSchema,
  VIEWPORT_TEXT,
  viewportSchema,
} from "./screen-choice.ts";
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
    fixtures: z
      .string()
      .min(1, "expected a file")
      .optional()
      .describe(
        "File of what a headless Studio answers in place of Roblox unless --fixtures is given; relative to this file, and not outside its folder",
      ),
    walk: z
      .boolean("expected true or false")
      .optional()
      .describe(
        "In a headless Studio, characters walk, jump, fall and touch things unless --no-walk is given",
      ),
    placeIds: placeIdsSchema(z)
      .optional()
      .describe(
        "Ids of the published places that commands may change or run code in; all others are refused",
      ),
    blockedPlaceIds: placeIdsSchema(z)
      .optional()
      .describe("Ids of published places that no command may change or run code in"),
    sync: z
      .strictObject({
        skip: z
          .array(z.string().min(1, "the path is empty"))
          .optional()
          .describe(
            "What `sb sync` leaves as it is on both sides, named as --override names it: Instances, files, folders with all that is below them, and globs",
          ),
        into: z
          .string()
          .min(1, "the path is empty")
          .optional()
          .describe(
            "Path of the Instance that the Rojo project, a library, becomes in an open Studio, such as ReplicatedStorage.MyLibrary",
          ),
        oneWay: z
          .array(z.string().min(1, "the path is empty"))
          .optional()
          .describe(
            "Folders and globs of files that `sb sync` only brings to Studio, from the folder of the Rojo project; package folders always are (default: outDir of tsconfig.json)",
          ),
      })
      .optional()
      .describe("Settings of `sb sync`"),
    upload: z
      .strictObject({
        universe: z.int("expected a whole number").min(1, "expected an id"),
        place: z.int("expected a whole number").min(1, "expected an id"),
      })
      .optional()
      .describe("The place of Roblox that `sb upload` replaces unless --universe and --place are given"),
    viewport: viewportSchema(z)
      .optional()
      .describe(`The screen of a headless Studio unless --viewport is given: ${VIEWPORT_TEXT}`),
    insets: insetsSchema(z).optional().describe(`Its insets unless --insets is given: ${INSETS_TEXT}`),
    device: deviceSchema(z).optional().describe(`Its device unless --device is given: ${DEVICE_TEXT}`),
    port: portSchema(z).optional().describe("Port of the bridge host unless --port or SB_PORT is given"),
  }),
);
/** Each is read when it is asked for, so that a wrong value concerns only the commands that use it. */
export type ProjectSettings = OutputOf<typeof projectSettingsSchema>;

/** Keys of the file that other parts read. */
const OTHER_KEYS = ["$schema", "tools", "test"];

/** `place` and the folder of `data` become whole paths. Asking for a wrong value throws INVALID_INPUT with its position. */
export function settingsIn(found: FoundProjectFile): ProjectSettings {
  const text = openProjectFile(found);
  const valueAt = <Key extends keyof ProjectSettings>(key: Key) => settingAt(text, key);
  return {
    get place() {
      return wholePathAt(text, found.file, "place");
    },
    get context() {
      return valueAt("context");
    },
    get data() {
      return valueAt("data") === "memory" ? "memory" : wholePathAt(text, found.file, "data");
    },
    get fixtures() {
      return wholePathAt(text, found.file, "fixtures");
    },
    get walk() {
      return valueAt("walk");
    },
    get placeIds() {
      return valueAt("placeIds");
    },
    get blockedPlaceIds() {
      return valueAt("blockedPlaceIds");
    },
    get sync() {
      return valueAt("sync");
    },
    get upload() {
      return valueAt("upload");
    },
    get viewport() {
      return valueAt("viewport");
    },
    get insets() {
      return valueAt("insets");
    },
    get device() {
      return valueAt("device");
    },
    get port() {
      return valueAt("port");
    },
  };
}

/** One sentence with its position for each key at the top of the file that says nothing to any part. */
export function unknownKeysIn(found: FoundProjectFile): readonly string[] {
  const { root, at } = openProjectFile(found);
  const known = [...projectSettingsSchema.keys(), ...OTHER_KEYS];
  return (root === undefined ? [] : membersOf(root))
    .filter(({ key }) => !known.includes(key))
    .map(({ key, keyStart }) => `${at(keyStart)}: ${unknownKeyText(key, known)}`);
}

export function unknownKeyText(key: string, known: readonly string[]): string {
  const guess = nearest(key, known);
  return `unknown key ${JSON.stringify(key)}${guess === undefined ? "" : `; did you mean "${guess}"?`}`;
}

function settingAt<Key extends keyof ProjectSettings>(
  { root, faultAt }: ProjectText,
  key: Key,
): ProjectSettings[Key] {
  const value = root === undefined ? undefined : memberOf(root, key)?.value;
  if (root === undefined || value === undefined) return undefined;
  return checkedBy(projectSettingsSchema, { [key]: valueOf(value) }, ([issue]) =>
    faultAt(nodeAt(root, [key, ...(issue?.path ?? [])]).offset, `${key}: ${issue?.message}`),
  )[key];
}

function wholePathAt(
  text: ProjectText,
  file: string,
  key: "place" | "data" | "fixtures",
): string | undefined {
  const value = settingAt(text, key);
  const path = value === undefined ? undefined : pathBelow(file, value);
  if (path === undefined && value !== undefined && text.root !== undefined)
    throw text.faultAt(
      nodeAt(text.root, [key]).offset,
      `${key}: expected a path below the folder of this file`,
    );
  return path;
}

export type ProjectText = ReturnType<typeof openProjectFile>;

/** The object in the file; undefined for an empty file. `at` names a place in the file, `faultAt` makes an error of it. */
export function openProjectFile(found: FoundProjectFile) {
  const { file } = found;
  if ("error" in found) throw faultIn(file, `cannot be read: ${systemReason(found.error)}`);
  const text = decodeStrictly(found.bytes);
  if (typeof text !== "string") throw faultIn(`${file}:${text.line}:${text.column}`, "not valid UTF-8");
  const at = (offset: number): string => {
    const { line, column } = placeOf(text, offset);
    return `${file}:${line}:${column}`;
  };
  const faultAt = (offset: number, message: string) => faultIn(at(offset), message);
  const root = parsed(text, faultAt);
  if (root !== undefined && root.type !== "object") throw faultAt(root.offset, "expected an object");
  return { root, at, faultAt };
}

/** A path below the folder of the file, as a whole path. */
export function pathBelow(file: string, path: string): string | undefined {
  const whole = resolve(dirname(file), path);
  return isAbsolute(path) || !isReallyWithin(dirname(file), whole) ? undefined : whole;
}

function parsed(text: string, faultAt: (offset: number, message: string) => Error) {
  try {
    return parseJsonc(text);
  } catch (error) {
    throw error instanceof TextFault ? faultAt(error.offset, error.message) : error;
  }
}

function faultIn(place: string, message: string) {
  const hint = "Fix the file; it is for every command in its folder.";
  return new StudioBridgeError("INVALID_INPUT", `${visibleOnOneLine(place)}: ${message}`, {
    hint,
    agentHint: hint,
  });
}
