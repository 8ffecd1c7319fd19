/** What tests need to know of processes and users of this machine. */

/** A zombie has ended; only its parent has not noticed yet. */
export function isRunning(pid: number): boolean {
  const state = Bun.spawnSync(["ps", "-o", "stat=", "-p", String(pid)])
    .stdout.toString()
    .trim();
  return state !== "" && !state.startsWith("Z");
}

const isRoot = process.getuid?.() === 0;
const hasSetpriv = Bun.which("setpriv") !== null;

/** Words that make a command obey file permissions; undefined where root cannot be told to. */
export const underPermissions = isRoot
  ? hasSetpriv
    ? ["setpriv", "--bounding-set=-dac_override,-dac_read_search"]
    : undefined
  : [];

/** Words that run a command as a user with this id; undefined where only root could. */
export function underUser(id: number): readonly string[] | undefined {
  if (!isRoot || !hasSetpriv) return undefined;
  return ["setpriv", `--reuid=${id}`, `--regid=${id}`, "--clear-groups", "--inh-caps=-all"];
}
