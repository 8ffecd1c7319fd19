/** The flag `--fixtures`, for all commands that start a headless Studio for scripts. */

/** The help text of the flag. */
export const FIXTURES_TEXT =
  "answer in place of Roblox what FILE (JSON) says of purchases, badges, groups, assets, configuration and secrets";
