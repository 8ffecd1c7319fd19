/** The permission of a headless Studio. No person watches it, so an environment variable says what tests of tools need. */
import { StudioBridgeError } from "../protocol/errors.ts";
import { words } from "../protocol/words.ts";

export const PERMISSION_VARIABLE = "SB_HEADLESS_PERMISSION";
const choices = ["everything", "look", "paused"] as const;

/** The settings by which the plugin of a headless Studio learns it. Throws INVALID_INPUT for a word that it does not know. */
export function permissionSettings(
  text = process.env[PERMISSION_VARIABLE] ?? "",
): Readonly<Record<string, string>> {
  if (text === "") return {};
  const choice = choices.find((each) => each === text);
  if (choice !== undefined) return { [words.permissionSetting]: JSON.stringify(choice) };
  throw new StudioBridgeError("INVALID_INPUT", `${PERMISSION_VARIABLE}: there is no permission "${text}".`, {
    hint: `Permissions: ${choices.join(", ")}.`,
  });
}
