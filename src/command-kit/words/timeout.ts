/** The common description of every `--timeout`. */

export const TIMEOUT_TEXT = "Give up after this time, such as 30s or 2m; a plain number is milliseconds";
