/** The words that open a place in a Studio, for each way in which Studio runs here (Roblox's page on Studio's command line). Starts nothing. */
import { dirname } from "node:path";
import type { Environment } from "../util/state-folder.ts";
import type { StudioInstall } from "./locate-studio.ts";
import type { Machine } from "./machine.ts";

interface StudioCommand {
  readonly command: readonly string[];
  readonly env: Environment;
}

const TRANSLATE_TIMEOUT_MS = 5_000;

/**
 * UNVERIFIED: Vinegar and Wine take these words, as users report. A program that SB_STUDIO_PATH names gets
 * `--task EditFile --localPlaceFile PLACE`, and can start Studio in any other way.
 */
export async function studioCommandAsync(
  { kind, executable }: StudioInstall,
  place: string,
  machine: Machine,
): Promise<StudioCommand> {
  switch (kind) {
    case "native":
      return { command: [executable, ...openWords(place)], env: {} };
    case "wsl": {
      const windowsPlace = await machine.runAsync(["wslpath", "-w", place], TRANSLATE_TIMEOUT_MS);
      return { command: [executable, ...openWords(windowsPlace.trim())], env: {} };
    }
    case "wine": {
      const [prefix, ...inside] = executable.split("/drive_c/");
      const env = inside.length === 0 || prefix === undefined ? {} : { WINEPREFIX: prefix };
      return { command: ["wine", executable, ...openWords(winePath(place))], env };
    }
    case "vinegar":
      return { command: ["vinegar", "run", ...openWords(winePath(place))], env: {} };
    case "vinegar-flatpak": {
      const flatpak = ["flatpak", "run", `--filesystem=${dirname(place)}`, "--command=vinegar"];
      return {
        command: [...flatpak, "org.vinegarhq.Vinegar", "run", ...openWords(winePath(place))],
        env: {},
      };
    }
  }
}

const openWords = (place: string) => ["--task", "EditFile", "--localPlaceFile", place];

/** Wine shows the whole file system as drive Z. */
const winePath = (place: string) => `Z:${place.replaceAll("/", "\\")}`;
