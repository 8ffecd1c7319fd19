/** The first argument of a process that is a headless Studio for another `sb`. */
export const HEADLESS_CHILD = "headless-child";
