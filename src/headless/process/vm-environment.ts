/** The environment of a process that is started to run the VM, where the runtime reads its options. */

/**
 * The runtime's best compiler takes longer for Luau's interpreter than most scripts run. On a machine with two cores, no other part of
 * the VM is compiled meanwhile. This option therefore lets it begin later than by default, with code that has run for long.
 */
const OPTIONS = { BUN_JSC_thresholdForOMGOptimizeAfterWarmUp: "3000000" };

export function vmEnvironment(): NodeJS.ProcessEnv {
  return { ...OPTIONS, ...process.env };
}
