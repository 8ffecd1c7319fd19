/** The sentences about the local Studio, its plugins folder and the files that it needs. */
import { StudioBridgeError } from "../protocol/errors.ts";
import { systemCodeOf, systemReason } from "../util/system-error.ts";

const list = (paths: readonly string[]) => paths.map((path) => `\n  ${path}`).join("");

/** `variable` is the one whose value led nowhere. */
export function studioNotFound(searched: readonly string[], variable?: string): StudioBridgeError {
  const hint =
    variable === undefined
      ? `Install Studio, or name its program in SB_STUDIO_PATH. Searched:${list(searched)}`
      : `${variable} names no Studio. Searched:${list(searched)}`;
  return new StudioBridgeError("STUDIO_NOT_FOUND", "Roblox Studio not found. Is it installed?", {
    hint,
    data: { searched, ...(variable === undefined ? {} : { variable }) },
  });
}

export function pluginsFolderNotFound(searched: readonly string[]): StudioBridgeError {
  const message = "Could not find Roblox Studio plugins folder. Is Studio installed?";
  return new StudioBridgeError("STUDIO_NOT_FOUND", message, {
    hint: `Name it with --dir or in SB_PLUGINS_DIR. Searched:${list(searched)}`,
    data: { searched },
  });
}

export function cannotWrite(path: string, cause: unknown): StudioBridgeError {
  const code = systemCodeOf(cause);
  const reason = code === "EACCES" || code === "EPERM" ? "Permission denied" : systemReason(cause);
  return new StudioBridgeError("FILE_ERROR", `Cannot write to ${path}: ${reason}`, { data: { path }, cause });
}
