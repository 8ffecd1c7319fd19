/** The target of a run, the place where its tests run, and the word of `--on` that names it. */
import { invalidInput } from "../protocol/messages.ts";
import { nearest } from "../util/nearest.ts";

export type Target = HeadlessTarget | StudioTarget | CloudTarget;

/** Headless Studios that the run starts for itself. */
export interface HeadlessTarget {
  readonly kind: "headless";
}

/** A Studio that is open. */
export interface StudioTarget {
  readonly kind: "studio";
  /** The id of its session; absent for the only session that is connected. */
  readonly session?: string;
}

/** Servers of Roblox, through Luau Execution of Open Cloud. */
export interface CloudTarget {
  readonly kind: "cloud";
  readonly universe: number;
  readonly places: readonly [number, ...number[]];
  /** The version of the place; absent for the newest one. */
  readonly version?: number;
}

export const targetKinds = ["headless", "studio", "cloud"] as const;
export const TARGET_FORMS = "headless, studio, studio:SESSION or cloud:UNIVERSE/PLACE";
const CLOUD_FORM = "cloud:UNIVERSE/PLACE[,PLACE…][@VERSION]";

/** The universe and the places that the settings of a project name for its tests. */
export type OwnCloud = Pick<CloudTarget, "universe" | "places">;

/**
 * Reads a target. Throws INVALID_INPUT with the right form. `source` is the flag or the key of the settings that has the
 * text; `own` is the target for `cloud` without numbers.
 */
export function parseTarget(text: string, source = "--on", own?: OwnCloud): Target {
  const at = text.indexOf(":");
  const [kind, rest] = at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
  switch (kind) {
    case "headless":
      if (rest === undefined) return { kind };
      throw wrong(source, text, "headless takes nothing after it", "Write headless alone.");
    case "studio":
      if (rest === undefined) return { kind };
      if (rest !== "") return { kind, session: rest };
      throw wrong(
        source,
        text,
        "it names no session",
        "Write studio alone, or studio:SESSION; `sb sessions` lists them.",
      );
    case "cloud":
      if (rest === undefined && own !== undefined) return { kind, ...own };
      return cloudTarget(rest ?? "", (fault) =>
        wrong(
          source,
          text,
          fault,
          `Write ${CLOUD_FORM}, with numbers, or cloud alone for those of test.cloud in sb.config.json.`,
        ),
      );
    default: {
      const guess = nearest(kind, targetKinds);
      const advice = guess === undefined ? "" : `Did you mean ${guess}? `;
      throw wrong(
        source,
        text,
        `there is no target ${JSON.stringify(kind)}`,
        `${advice}Write ${TARGET_FORMS}.`,
      );
    }
  }
}

function cloudTarget(text: string, fault: (reason: string) => Error): CloudTarget {
  const [ids = "", version, ...more] = text.split("@");
  const [universe = "", places, ...others] = ids.split("/");
  if (more.length > 0 || others.length > 0)
    throw fault("it has more parts than a universe, places and a version");
  if (universe === "" || places === undefined || places === "")
    throw fault("it needs a universe and a place");
  const idOf = (part: string, what: string): number => {
    const id = /^\d{1,16}$/.test(part) ? Number(part) : 0;
    if (id >= 1 && Number.isSafeInteger(id)) return id;
    throw fault(`${JSON.stringify(part)} is not the ${what}`);
  };
  const [first = "", ...rest] = places.split(",");
  const placeIds: [number, ...number[]] = [
    idOf(first, "id of a place"),
    ...rest.map((id) => idOf(id, "id of a place")),
  ];
  const double = placeIds.find((id, index) => placeIds.indexOf(id) !== index);
  if (double !== undefined) throw fault(`it names the place ${double} twice`);
  return {
    kind: "cloud",
    universe: idOf(universe, "id of a universe"),
    places: placeIds,
    ...(version === undefined ? {} : { version: idOf(version, "version of a place") }),
  };
}

const wrong = (source: string, text: string, fault: string, hint: string): Error =>
  invalidInput(`${source} ${text}: ${fault}.`, hint);

/** The text that parseTarget reads. */
export function targetText(target: Target): string {
  switch (target.kind) {
    case "headless":
      return "headless";
    case "studio":
      return target.session === undefined ? "studio" : `studio:${target.session}`;
    case "cloud": {
      const version = target.version === undefined ? "" : `@${target.version}`;
      return `cloud:${target.universe}/${target.places.join(",")}${version}`;
    }
  }
}
