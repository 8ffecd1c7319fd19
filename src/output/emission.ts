/** The parts of a command's output that come before its result, and the pictures in its result. */
import type { LogLevel } from "../protocol/fields/log-lines.ts";
import type { Style } from "../util/style.ts";

/** Something shown before the result: a printed line, a followed log entry, a failure report. */
export interface Emission {
  readonly stream: "stdout" | "stderr";
  /** Without the final newline; absent where people have been shown it already. */
  readonly text?: (style: Style) => string;
  /** One line of `--json` output; absent where the result carries the same facts. */
  readonly json?: unknown;
  /** It is the whole result, which no other line of output follows, so that people get its JSON as that of results. */
  readonly isResult?: boolean;
  /** Takes the place of such an emission before it, where a person sees both on a screen and nothing came between. */
  readonly isRedrawn?: boolean;
  /** It only brings up to date what is on a screen, and is nothing where that cannot be redrawn. */
  readonly isTick?: boolean;
  /** A line that Studio's log has too. */
  readonly logged?: { readonly level: LogLevel; readonly body: string };
}

/** A picture, for surfaces that can show one. */
export interface Media {
  readonly mimeType: string;
  readonly base64: string;
}
