/**
 * Tells whether this process was started without a stdout, as by `sb exec … >&-`. The runtime opens the null device in its
 * place, so that writing succeeds and every result is lost.
 */

const CLOSE_ON_EXEC = 0o2000000;

/**
 * A descriptor that another program handed down is never marked to be closed when a program starts; one that the runtime
 * opened itself is. (Measured: Bun 1.4.5, Linux.) Elsewhere than on Linux the mark cannot be read without a library of the
 * system, and the answer is false.
 */
export async function isStdoutMissingAsync(): Promise<boolean> {
  if (process.platform !== "linux") return false;
  const facts = await Bun.file("/proc/self/fdinfo/1")
    .text()
    .catch(() => "");
  const [, flags = "0"] = /^flags:\s*([0-7]+)$/m.exec(facts) ?? [];
  return (Number.parseInt(flags, 8) & CLOSE_ON_EXEC) !== 0;
}
