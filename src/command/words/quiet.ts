/** The flag `--quiet` of commands that run scripts: without the dimmed lines beside their output. */

export const quietSpelling = { alias: "q", kind: "boolean" } as const;

export const QUIET_TEXT =
  "Leave out the remarks about the Studio: which context it is, and which events never fire in headless Studio";
