/** The environment of a process that is started to run the VM, where the runtime reads its options. */

/**
 * While the runtime's best compiler works on Luau's interpreter, which takes longer than most scripts, nothing else of
 * the VM gets compiled on a machine with two cores. So it begins later than it would: with what has run for long.
 */
const OPTIONS = { BUN_JSC_thresholdForOMGOptimizeAfterWarmUp: "3000000" };

export function vmEnvironment(): NodeJS.ProcessEnv {
  return { ...OPTIONS, ...process.env };
}
