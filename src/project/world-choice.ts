/** The flag `--strict-geometry`, for all commands that start a headless Studio for scripts. */

/** The help text of the flag. */
export const STRICT_GEOMETRY_TEXT =
  "make it an error that a ray, cast or overlap takes the box of a mesh for its shape";
