/** How eagerly this process compiles what it runs. It knows nothing of what that is. */

/**
 * For processes that stay, and for work on whole places. The binary starts reluctant to compile (`jitPolicy` in
 * build.ts), because most commands are over before compiled code has paid for itself. Holds for the thread that calls it.
 */
export function expectLongRun(): void {
  Bun.unsafe.setJITPolicy(1);
}
