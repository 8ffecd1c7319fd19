/**
 * Runs the compiled `sb` the way a user does, each test in a world of its own: a temporary home with its own key, a
 * free port, a scratch folder. Leaving the sandbox ends every process that was started in it.
 */
import { chmod, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { binaryPath } from "../build.ts";

export interface Outcome {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

interface RunOptions {
  readonly stdin?: string | Uint8Array;
  readonly env?: { readonly [name: string]: string };
  /** Words in front of the command line, e.g. to run it as another user. */
  readonly under?: readonly string[];
  /** The harness gives up after this, so that a hang is a failure that names the command. */
  readonly timeoutMs?: number;
}

/** How long a test waits for what must come: a guard against hangs, below what a test may take. */
export const PATIENCE_MS = 60_000;

const [FIRST_PORT, PORTS] = [20_000, 12_000];
let portsTaken = Math.floor(Math.random() * PORTS);

/** The ports of this process are also taken as names of sockets, which end with the process. */
const names: Bun.UnixSocketListener<undefined>[] = [];

/**
 * A free port. It is below the range from which systems choose ports themselves, so that it stays free. No other test of
 * this process gets it, and on Linux no other process that runs tests either, even before the port is used.
 */
export function freePort(): number {
  portsTaken += 1;
  const port = FIRST_PORT + (portsTaken % PORTS);
  try {
    if (process.platform === "linux") names.push(takenName(`\0sb-test-port-${port}`));
    using server = Bun.listen({ hostname: "127.0.0.1", port, socket: { data() {} } });
    return server.port;
  } catch {
    return freePort();
  }
}

/** Throws where another process has taken the name. */
function takenName(unix: string): Bun.UnixSocketListener<undefined> {
  const listener = Bun.listen({ unix, socket: { data() {} } });
  listener.unref();
  return listener;
}

/** Reads a process to its end. */
export async function outcomeAsync(
  child: Bun.Subprocess<Bun.SpawnOptions.Writable, "pipe", "pipe">,
): Promise<Outcome> {
  const [stdout, stderr, exitCode] = await Promise.all([
    child.stdout.text(),
    child.stderr.text(),
    child.exited,
  ]);
  return { exitCode, stdout, stderr };
}

/** Waits for a condition, never for a time; fails with `what` when it does not come true. */
export async function untilAsync<T>(
  what: string,
  probe: () => Promise<T | undefined> | T | undefined,
  timeoutMs = PATIENCE_MS,
): Promise<T> {
  const giveUpAt = Date.now() + timeoutMs;
  for (;;) {
    const value = await probe();
    if (value !== undefined) return value;
    if (Date.now() > giveUpAt) throw new Error(`gave up waiting until ${what}`);
    await Bun.sleep(10);
  }
}

/**
 * Luau that waits until the test lets it go on, by selecting an Instance: so a script ends neither earlier nor later than
 * the test needs, however slow the machine is.
 */
export const UNTIL_LET_GO = `
  local selection = game:GetService("Selection")
  repeat task.wait() until #selection:Get() > 0
  selection:Set({})`;

const ATTEMPTS = 6;

/** Holds an attempt to a time; a busy machine gets further attempts, and a slow program fails them all. */
export async function withinAsync(limitMs: number, attemptAsync: () => Promise<number>): Promise<void> {
  const tookMs: number[] = [];
  while (tookMs.length < ATTEMPTS) {
    const latestMs = await attemptAsync();
    if (latestMs < limitMs) return;
    tookMs.push(Math.round(latestMs));
  }
  throw new Error(`took ${tookMs.join(", ")} ms of the ${limitMs} ms allowed`);
}

export class Sandbox implements AsyncDisposable {
  readonly folder = join(tmpdir(), `sb-test-${crypto.randomUUID().slice(0, 8)}`);
  readonly port = freePort();
  readonly #children = new Set<Bun.Subprocess>();

  /** For one test; `sandbox()` makes one that the tests of a file share. */
  static async createAsync(): Promise<Sandbox> {
    const box = new Sandbox();
    await box.openAsync();
    return box;
  }

  /** Makes its folder. */
  async openAsync(): Promise<void> {
    // What else runs on this machine, perhaps a real Studio, is no part of this world.
    const listOwn = `#!/bin/sh\n/bin/ps "$@" | grep -e ${this.folder} -e headless\n`;
    await chmod(await this.writeAsync("bin/ps", listOwn), 0o755);
  }

  get stateFolder(): string {
    return join(this.folder, "state");
  }

  /** Beside its folder, because neither a home folder nor one around it is a project. */
  get home(): string {
    return `${this.folder}-home`;
  }

  env(extra: { readonly [name: string]: string } = {}): { [name: string]: string } {
    const kept = Object.entries(process.env).flatMap(([name, value]) =>
      value === undefined || name.startsWith("STUDIO_BRIDGE_") || name.startsWith("SB_")
        ? []
        : [[name, value]],
    );
    return {
      ...Object.fromEntries(kept),
      HOME: this.home,
      PATH: `${join(this.folder, "bin")}:${process.env["PATH"]}`,
      XDG_STATE_HOME: this.stateFolder,
      // A test launches no real Studio, wherever it runs.
      SB_STUDIO_PATH: join(this.folder, "no-studio"),
      NO_COLOR: "1",
      ...extra,
    };
  }

  /** Bridge connections of this very process are of the sandbox's world until the result is disposed of. */
  enter(): Disposable {
    const before = process.env["XDG_STATE_HOME"];
    process.env["XDG_STATE_HOME"] = this.stateFolder;
    return {
      [Symbol.dispose]: () => {
        if (before === undefined) delete process.env["XDG_STATE_HOME"];
        else process.env["XDG_STATE_HOME"] = before;
      },
    };
  }

  /** `sb COMMAND --port PORT …` as words. */
  command([command, ...rest]: readonly string[], port = this.port): string[] {
    if (command === undefined) throw new Error("a command is needed");
    return [binaryPath, command, "--port", String(port), ...rest];
  }

  /** Starts `sb COMMAND --port PORT …`; the caller reads its streams. */
  spawn(args: readonly string[], options: RunOptions = {}) {
    const { under = [], env } = options;
    const child = Bun.spawn([...under, ...this.command(args)], {
      cwd: this.folder,
      env: this.env(env),
      stdin: options.stdin === undefined ? "ignore" : new Blob([options.stdin]),
      stdout: "pipe",
      stderr: "pipe",
    });
    this.#children.add(child);
    return child;
  }

  /** Runs to the end. */
  async sbAsync(args: readonly string[], options: RunOptions = {}): Promise<Outcome> {
    const child = this.spawn(args, options);
    const timer = setTimeout(() => child.kill("SIGKILL"), options.timeoutMs ?? PATIENCE_MS);
    const outcome = await outcomeAsync(child);
    clearTimeout(timer);
    this.#children.delete(child);
    if (child.signalCode === "SIGKILL")
      throw new Error(`sb ${args.join(" ")} hung; so far:\n${outcome.stdout}\n${outcome.stderr}`);
    return outcome;
  }

  /** Runs `sb WORDS…` to its end: a command that uses no bridge, and so takes no port. */
  async localSbAsync(
    words: readonly string[],
    env: { readonly [name: string]: string } = {},
    cwd = this.folder,
  ): Promise<Outcome> {
    const child = Bun.spawn([binaryPath, ...words], {
      cwd,
      env: this.env(env),
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
    });
    return outcomeAsync(child);
  }

  /** A headless Studio that stays until the sandbox ends; resolves once it is listed. */
  async headlessAsync(name = "Place1", variant = ""): Promise<void> {
    const before = (await this.sessionsAsync()).length;
    const studio = this.spawn(["headless", "--name", name], { env: { SB_HEADLESS_VARIANT: variant } });
    await untilAsync(`${name} is connected`, async () => {
      if (studio.exitCode !== null) throw new Error(`${name} has ended: ${await studio.stderr.text()}`);
      return (await this.sessionsAsync()).length > before ? true : undefined;
    });
  }

  /** Lets a script of the edited place go on that waits for it (UNTIL_LET_GO). */
  async letGoAsync(): Promise<void> {
    const { exitCode, stderr } = await this.sbAsync(["select", "Workspace"]);
    if (exitCode !== 0) throw new Error(`the script was not let go: ${stderr}`);
  }

  async sessionsAsync(): Promise<
    {
      readonly sessionId: string;
      readonly placeName: string;
      readonly context: string;
      readonly state: string;
    }[]
  > {
    const { stdout } = await this.sbAsync(["sessions", "--json"]);
    const { sessions } = JSON.parse(stdout);
    if (sessions === undefined) throw new Error(`sb sessions failed: ${stdout}`);
    return sessions;
  }

  /** Writes a file into the scratch folder and returns its path. */
  async writeAsync(name: string, content: string | Uint8Array): Promise<string> {
    const path = join(this.folder, name);
    await Bun.write(path, content);
    return path;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const child of this.#children) child.kill("SIGTERM");
    await Promise.all([...this.#children].map((child) => endAsync(child)));
    for (const pid of await this.#hostPidsAsync()) killQuietly(pid);
    // A host that ends may write its last note meanwhile.
    await untilAsync("the folder is removed", () =>
      Promise.all([this.folder, this.home].map((path) => rm(path, { recursive: true, force: true }))).then(
        () => true,
        () => undefined,
      ),
    );
  }

  /** Waits until a host that is killed now would leave a note of this session to the next host. */
  async untilNotedAsync(sessionId: string): Promise<void> {
    const folder = join(this.stateFolder, "studio-bridge");
    await untilAsync(`session ${sessionId} is in the note of the host`, async () => {
      const path = join(folder, `host-${this.port}.json`);
      const text = await Bun.file(path)
        .text()
        .catch(() => "");
      return text.includes(sessionId) ? true : undefined;
    });
  }

  /** The host that serves this sandbox. */
  async hostAsync(): Promise<{ readonly hostPid: number }> {
    const [hostPid] = await this.#hostPidsAsync();
    if (hostPid === undefined) throw new Error("no host has started yet");
    return { hostPid };
  }

  /** Detached hosts say who they are in the state folder. */
  async #hostPidsAsync(): Promise<number[]> {
    const folder = join(this.stateFolder, "studio-bridge");
    const names = await readdir(folder).catch(() => []);
    const files = names.filter((name) => name.startsWith("host") && name.endsWith(".json"));
    // A host that ends takes its note with it.
    const notes = files.map((name): Promise<{ pid?: number }> => Bun.file(join(folder, name)).json());
    const hosts = await Promise.all(notes.map((note) => note.catch(() => ({ pid: undefined }))));
    return hosts.flatMap(({ pid }) => pid ?? []);
  }
}

async function endAsync(child: Bun.Subprocess): Promise<void> {
  const timer = setTimeout(() => child.kill("SIGKILL"), 10_000);
  await child.exited;
  clearTimeout(timer);
}

function killQuietly(pid: number): void {
  try {
    process.kill(pid, "SIGTERM");
  } catch {
    // Already gone.
  }
}
