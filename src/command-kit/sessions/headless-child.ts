/** What the child process of a one-shot headless Studio runs: its parent is its bridge host, and ends it. */
import { writeSync } from "node:fs";
import { FramePipe, PlaceSaver, readChildOptionsAsync, refuse } from "../../headless/index.ts";
import { EXIT_CODE, startVmThread } from "../../headless/process/run.ts";
import { StudioBridgeError } from "../../protocol/errors.ts";
import { runOnceAsync } from "./run-headless.ts";

/** Resolves with the exit code. */
export async function runHeadlessChildAsync(): Promise<number> {
  const thread = startVmThread();
  // A terminal sends it to the parent as well, which decides what becomes of this process.
  process.on("SIGINT", () => {});
  let parent: FramePipe | undefined;
  try {
    const { options, blocks } = await readChildOptionsAsync(Bun.stdin.stream());
    parent = new FramePipe(blocks, Bun.stdout.writer());
    const { placeFile: file, kept, placeName = "Place1", ...rest } = options;
    const saver = new PlaceSaver({
      placeName,
      keepsUnsaved: false,
      ...(file === undefined ? {} : { file }),
      ...(kept === undefined ? {} : { kept }),
    });
    const { exitCode, reason } = await runOnceAsync(
      { ...rest, placeName, saver, bridge: { parent } },
      thread,
    );
    await parent.flushedAsync();
    // The script's command tells about memory that ran out.
    if (exitCode === EXIT_CODE.failed) complain(reason);
    return exitCode;
  } catch (error) {
    if (parent !== undefined && error instanceof StudioBridgeError) {
      refuse(parent, error);
      await parent.flushedAsync();
    } else complain(error instanceof Error ? error.message : String(error));
    return EXIT_CODE.failed;
  }
}

function complain(reason: string): void {
  writeSync(2, `error: ${reason}\n`);
}
