/**
 * How `sb close` asks another sb to end: an end on purpose, whose exit code is not that of an interrupted command.
 * Windows has no signals that a process could tell apart.
 */
export const CLOSE_SIGNAL = process.platform === "win32" ? "SIGTERM" : "SIGUSR2";
