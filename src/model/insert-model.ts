/** Inserts a model into a session, for `sb insert` and for insert_model of `sb mcp --tools compat`. */
import type { ActionRequest, ActionResult } from "../protocol/actions.ts";
import { StudioBridgeError } from "../protocol/errors.ts";
import { tellingNearPaths } from "../session/near-paths.ts";
import { untilTestEnds } from "../session/session-messages.ts";
import type { SessionLink } from "../session/session-link.ts";
import { shownPath } from "../tree/instance-path.ts";

export async function insertModelAsync(
  request: ActionRequest<"insertModel">,
  link: SessionLink,
): Promise<ActionResult<"insertModel"> & ReturnType<typeof untilTestEnds>> {
  link.status("Inserting");
  const { inserted, scripts, modules, sandboxed, undo } = await link
    .callAsync("insertModel", { ...request, caller: link.caller })
    .catch((error: unknown) => Promise.reject(request.model === undefined ? assetFailure(error) : error))
    .catch(tellingNearPaths(link));
  return {
    inserted: inserted.map((each) => ({ ...each, path: shownPath(each.path) })),
    scripts: scripts.map(shownPath),
    ...(modules === undefined ? {} : { modules: modules.map(shownPath) }),
    ...(sandboxed === undefined ? {} : { sandboxed }),
    undo,
    ...untilTestEnds(link.session),
  };
}

/** The engine names the method that it refuses, which the caller has not called. */
function assetFailure(error: unknown): unknown {
  if (!(error instanceof StudioBridgeError) || error.code !== "NOT_SIMULATED") return error;
  return new StudioBridgeError("NOT_SIMULATED", "Headless Studio has no access to assets of Roblox.", {
    hint: "Save the asset as a file in Roblox Studio, and insert the file.",
    cause: error,
  });
}
