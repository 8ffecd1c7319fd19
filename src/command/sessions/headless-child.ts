/** What the child process of a headless Studio runs: its options arrive on stdin, and its end is stdin's. */
import { writeSync } from "node:fs";
import { readChildOptionsAsync } from "../../headless/index.ts";
import { EXIT_CODE, startVmThread } from "../../headless/process/run.ts";
import { runOnceAsync } from "./run-headless.ts";

/** Resolves with the exit code. */
export async function runHeadlessChildAsync(): Promise<number> {
  const thread = startVmThread();
  // A terminal sends it to the parent as well, which decides what becomes of this process.
  process.on("SIGINT", () => {});
  try {
    const { options, parentGone } = await readChildOptionsAsync(Bun.stdin.stream());
    const ended = new AbortController();
    void parentGone.then(() => ended.abort());
    const { exitCode, reason } = await runOnceAsync({ ...options, signal: ended.signal }, thread);
    // Of memory that ran out, whoever runs a script is told by the bridge.
    if (exitCode === EXIT_CODE.failed) complain(reason);
    return exitCode;
  } catch (error) {
    complain(error instanceof Error ? error.message : String(error));
    return EXIT_CODE.failed;
  }
}

function complain(reason: string): void {
  writeSync(2, `error: ${reason}\n`);
}
