/** The permission of a headless Studio. No person watches it, so an environment variable says what tests of tools need. */
import { StudioBridgeError } from "../protocol/errors.ts";
import { words } from "../protocol/words.ts";

export const PERMISSION_VARIABLE = "SB_HEADLESS_PERMISSION";
const choices = ["everything", "look", "paused"] as const;
const askingLevels = ["ask", "askFrom5"] as const;
const answers = ["once", "no", "always", "late", "none"] as const;

/** The settings by which the plugin of a headless Studio learns it. Throws INVALID_INPUT for a word that it does not know. */
export function permissionSettings(
  text = process.env[PERMISSION_VARIABLE] ?? "",
): Readonly<Record<string, string>> {
  if (text === "") return {};
  const [level = "", list = ""] = text.split(":");
  const asking = askingLevels.find((each) => each === level);
  if (asking !== undefined) return { ...setting(words.permissionSetting, asking), ...answersIn(list) };
  const choice = choices.find((each) => each === text);
  if (choice !== undefined) return setting(words.permissionSetting, choice);
  throw new StudioBridgeError("INVALID_INPUT", `${PERMISSION_VARIABLE}: there is no permission "${text}".`, {
    hint: `Permissions: ${[...choices, ...askingLevels.map((each) => `${each}:ANSWER,…`)].join(", ")}.`,
  });
}

/** Whether every change is refused, which the plugin does. */
export const refusesChanges = (text = process.env[PERMISSION_VARIABLE] ?? ""): boolean =>
  text === "look" || text === "paused";

/** The answers to the questions in their order; those that follow stay without one. */
function answersIn(list: string): Readonly<Record<string, string>> {
  const given = list.split(",").filter((answer) => answer !== "");
  const unknown = given.find((answer) => !answers.some((each) => each === answer));
  if (unknown === undefined) return setting(words.answersSetting, given.join(","));
  throw new StudioBridgeError("INVALID_INPUT", `${PERMISSION_VARIABLE}: there is no answer "${unknown}".`, {
    hint: `Answers: ${answers.join(", ")}.`,
  });
}

const setting = (name: string, value: string) => ({ [name]: JSON.stringify(value) });
