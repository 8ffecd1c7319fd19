/** The flags `--strict-geometry` and `--walk`, for all commands that start a headless Studio for scripts. */

/** The help texts of the flags. */
export const WALK_TEXT = "let characters walk, jump, fall and touch things, which is an emulation";
export const STRICT_GEOMETRY_TEXT =
  "make it an error that a ray, cast or overlap takes the box of a mesh for its shape";
