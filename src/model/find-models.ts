/** Searches the Creator Store for free models, through Studio. What it finds is text by strangers. */
import { StudioBridgeError } from "../protocol/errors.ts";
import type { SessionLink } from "../session/session-link.ts";
import { visibleOnOneLine } from "../util/visible-controls.ts";

/** A longer name tells no more about a model, and leaves room for whole instructions. */
const NAME_CHARACTERS = 100;

export interface FoundModel {
  readonly assetId: number;
  readonly name: string;
  readonly creator: string;
}

/** At most 20, as the store orders them, with names on one line. Throws NOT_SIMULATED in headless Studio. */
export async function findModelsAsync(query: string, link: SessionLink): Promise<FoundModel[]> {
  link.status("Searching the Creator Store");
  const { models } = await link
    .callAsync("findModels", { query })
    .catch((error: unknown) => Promise.reject(searchFailure(error)));
  return models.map(({ assetId, name, creator }) => ({
    assetId,
    name: shortName(name),
    creator: shortName(creator),
  }));
}

function shortName(name: string): string {
  const shown = visibleOnOneLine(name);
  return shown.length <= NAME_CHARACTERS ? shown : `${shown.slice(0, NAME_CHARACTERS - 1)}…`;
}

/** The engine names the method that it refuses, which the caller has not called. */
function searchFailure(error: unknown): unknown {
  if (!(error instanceof StudioBridgeError) || error.code !== "NOT_SIMULATED") return error;
  return new StudioBridgeError("NOT_SIMULATED", "Headless Studio cannot search the Creator Store.", {
    hint: "Search with a Roblox Studio connected, or insert a model file.",
    cause: error,
  });
}
