/**
 * Which published places a project lets commands change: `placeIds` and `blockedPlaceIds` of its `sb.config.json`, and of its
 * Rojo project `servePlaceIds` and `blockedPlaceIds`, which Rojo's own server obeys. The rules guard against a mistake,
 * such as an edit of the live game; a person who can edit the files can change them.
 */
import { dirname, join, resolve } from "node:path";
import { invalidInput } from "../protocol/messages.ts";
import { StudioBridgeError } from "../protocol/errors.ts";
import type { SessionInfo } from "../protocol/network.ts";
import { parseJsonc, valueOf } from "../util/jsonc.ts";
import { systemCodeOf } from "../util/system-error.ts";
import { visibleOnOneLine } from "../util/visible-controls.ts";
import { findProjectFileAsync } from "./find-project-file.ts";
import { settingsIn } from "./project-settings.ts";

interface PlaceRule {
  readonly key: "placeIds" | "servePlaceIds" | "blockedPlaceIds";
  readonly placeIds: readonly number[];
  readonly file: string;
}

const ROJO_PROJECT = /\.project\.jsonc?$/i;
const DEFAULT_ROJO_PROJECT = "default.project.json";

/**
 * Throws PLACE_NOT_ALLOWED for a place that a rule keeps from changes, and INVALID_INPUT for a rule that cannot be read.
 * An unpublished place has no id and passes, as most places of headless Studio do.
 */
export async function checkPlaceAsync(session: SessionInfo, folder = process.cwd()): Promise<void> {
  if (session.placeId === 0) return;
  refuseBroken(await placeRulesAsync(folder), session);
}

/**
 * As `checkPlaceAsync`, before the files of a project are brought to a place: for Rojo, the id of an unpublished place is 0,
 * and a list without it keeps that place out.
 */
export async function checkServedPlaceAsync(session: SessionInfo, folder: string): Promise<void> {
  const { placeId, origin } = session;
  if (origin === "headless" && placeId === 0) return;
  const rules = await placeRulesAsync(folder);
  refuseBroken(placeId === 0 ? rules.filter(({ key }) => key !== "placeIds") : rules, session);
}

/** As `checkPlaceAsync`, before a place of Roblox is replaced from here. */
export async function checkUploadedPlaceAsync(placeId: number, folder: string): Promise<void> {
  refuseBroken(await placeRulesAsync(folder), { placeId, placeName: "" });
}

type NamedPlace = Pick<SessionInfo, "placeId" | "placeName">;

function refuseBroken(rules: readonly PlaceRule[], { placeId, placeName }: NamedPlace): void {
  const broken = rules.find((rule) => !allows(rule, placeId));
  if (broken === undefined) return;
  const { key, file, placeIds } = broken;
  const reason = key === "blockedPlaceIds" ? "names it" : `has only ${placeIds.join(", ") || "no place"}`;
  const place = placeName === "" ? String(placeId) : `${visibleOnOneLine(placeName)} (${placeId})`;
  throw new StudioBridgeError(
    "PLACE_NOT_ALLOWED",
    `sb may not change the place ${place}: ${key} in ${visibleOnOneLine(file)} ${reason}.`,
    { data: { placeId, rule: key, file }, outcome: "not_started" },
  );
}

function allows({ key, placeIds }: PlaceRule, placeId: number): boolean {
  return placeIds.includes(placeId) === (key !== "blockedPlaceIds");
}

async function placeRulesAsync(folder: string): Promise<readonly PlaceRule[]> {
  const found = await findProjectFileAsync(folder);
  const settings = found === undefined ? {} : settingsIn(found);
  const { place = "" } = settings;
  const own = found === undefined ? [] : rulesIn(settings, ["placeIds", "blockedPlaceIds"], found.file);
  const named = ROJO_PROJECT.test(place) ? place : undefined;
  const project =
    named ?? join(found === undefined ? resolve(folder) : dirname(found.file), DEFAULT_ROJO_PROJECT);
  return [...own, ...(await rojoRulesAsync(project))];
}

/** None where there is no project. */
async function rojoRulesAsync(file: string): Promise<readonly PlaceRule[]> {
  try {
    const root = parseJsonc(await Bun.file(file).text());
    const settings: unknown = root === undefined ? undefined : valueOf(root);
    return rulesIn(Object(settings), ["servePlaceIds", "blockedPlaceIds"], file);
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(systemCodeOf(error) ?? "")) return [];
    if (error instanceof StudioBridgeError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw unreadable(file, reason);
  }
}

function rulesIn(
  settings: { readonly [key: string]: unknown },
  keys: readonly PlaceRule["key"][],
  file: string,
): readonly PlaceRule[] {
  return keys.flatMap((key) => {
    const placeIds = settings[key];
    // Rojo writes null for a rule that does not hold.
    if (placeIds === undefined || placeIds === null) return [];
    if (!Array.isArray(placeIds) || !placeIds.every((id) => typeof id === "number"))
      throw unreadable(file, `${key}: expected a list of place ids`);
    return [{ key, placeIds, file }];
  });
}

function unreadable(file: string, reason: string) {
  return invalidInput(
    `${visibleOnOneLine(file)}: ${reason}`,
    "Fix the file; it says which places commands may change.",
  );
}
