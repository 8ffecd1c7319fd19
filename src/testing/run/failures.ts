/** Makes failures of a run out of those of the harness: with the files of the project in their stacks. */
import type { IsOfFramework } from "../discovery/framework-scripts.ts";
import type { Failure } from "../events.ts";
import { type FileOfScript, framesIn, positionIn, withoutPosition } from "../frames.ts";
import type { HarnessFailure } from "../harness-events.ts";
import type { TestFile } from "../test-file.ts";
import { asOneFailure } from "./one-failure.ts";

export interface FailureOptions {
  readonly fileOfScript: FileOfScript;
  /** True for scripts that stacks leave out. */
  readonly isOfFramework?: IsOfFramework | undefined;
}

/** The same failure with words before its message. */
export const led = (words: string, failure: Failure): Failure => ({
  ...failure,
  message: `${words}: ${failure.message}`,
});

/** Makes a frame of the position in the message, for the error of a file that does not compile and so has no stack. */
export function placed(failure: Failure, file: TestFile, fileOf: FileOfScript): Failure {
  const place = failure.frames.length > 0 ? undefined : positionIn(failure.message, fileOf);
  if (place?.path !== file.path) return failure;
  return { ...failure, frames: [place], message: withoutPosition(failure.message, [place], fileOf) };
}

/** The failure with those that follow it, if the case went on after it. */
export function failureOf({ more = [], ...first }: HarnessFailure, options: FailureOptions): Failure {
  return asOneFailure([first, ...more].map((each) => singleFailure(each, options)));
}

function singleFailure(
  { message, trace = "", expected, received, isTimeout, waits }: HarnessFailure,
  { fileOfScript, isOfFramework }: FailureOptions,
): Failure {
  const frames = framesIn(waits ?? trace, fileOfScript, isOfFramework);
  return {
    message: withoutPosition(message, frames, fileOfScript),
    frames,
    ...(expected === undefined ? {} : { expected }),
    ...(received === undefined ? {} : { received }),
    ...(isTimeout === undefined ? {} : { isTimeout }),
    ...(waits === undefined || frames[0] === undefined
      ? {}
      : { waitsIn: `${frames[0].path}:${frames[0].line}` }),
  };
}
