/** Runs one program with its arguments, without a shell, and gives its output and how it ended. */
import { StudioBridgeError } from "../protocol/errors.ts";
import { cancelled } from "../protocol/messages.ts";
import { systemCodeOf, systemReason } from "../util/system-error.ts";
import { Capture } from "./capture.ts";
import { startable } from "./start-words.ts";
import { endGroup, trackGroup } from "./process-group.ts";

interface ProgramRun {
  readonly argv: readonly string[];
  readonly signal: AbortSignal;
  readonly cwd?: string;
  readonly timeoutMs?: number;
  /** A program that prints more is ended. Without it, what is beyond 64 MB is left out. */
  readonly maxOutputBytes?: number;
  /** On Windows, the program may be a batch file. Words that come from outside of the project have to be kept from it. */
  readonly allowsBatch?: boolean;
}

export interface ProgramOutcome {
  /** Undefined where a signal ended it. */
  readonly exitCode: number | undefined;
  readonly signalName: string | undefined;
  readonly isTimedOut: boolean;
  /** It printed more than it may. */
  readonly isTooMuch: boolean;
  readonly stdout: string;
  readonly stderr: string;
}

/** Rejects with PROGRAM_FAILED when it cannot be started, and with CANCELLED when `signal` fires. */
export async function runProgramAsync(run: ProgramRun): Promise<ProgramOutcome> {
  const { signal, timeoutMs, maxOutputBytes } = run;
  if (signal.aborted) throw cancelled("not_started");
  const child = start(run);
  using _ = trackGroup(child.pid);
  const ending = new Ending(child.pid, signal, timeoutMs);
  const capture = (stream: ReadableStream<Uint8Array>) =>
    maxOutputBytes === undefined
      ? new Capture(stream)
      : new Capture(stream, maxOutputBytes, () => ending.endForOutput());
  const [stdout, stderr] = [capture(child.stdout), capture(child.stderr)];
  await child.exited;
  ending.settle();
  const [stdoutText, stderrText] = await Promise.all([stdout.finishAsync(), stderr.finishAsync()]);
  if (ending.isCancelled) throw cancelled("unknown");
  return {
    exitCode: child.signalCode === null ? (child.exitCode ?? undefined) : undefined,
    signalName: child.signalCode === null ? undefined : String(child.signalCode),
    isTimedOut: ending.isTimedOut,
    isTooMuch: ending.isTooMuch,
    stdout: stdoutText,
    stderr: stderrText,
  };
}

/** Whether `argv[0]` leads to a program now, from this process's folder and PATH. */
export function isProgramFound(program: string): boolean {
  return Bun.which(program) !== null;
}

/** Watches for the reasons to end a program early. */
class Ending {
  isTimedOut = false;
  isTooMuch = false;
  isCancelled = false;
  readonly #pid: number;
  readonly #signal: AbortSignal;
  readonly #cancel: () => void;
  readonly #timer: Timer | undefined;

  constructor(pid: number, signal: AbortSignal, timeoutMs: number | undefined) {
    this.#pid = pid;
    this.#signal = signal;
    this.#cancel = () => {
      this.isCancelled = true;
      endGroup(pid);
    };
    signal.addEventListener("abort", this.#cancel, { once: true });
    if (timeoutMs === undefined) return;
    this.#timer = setTimeout(() => {
      this.isTimedOut = true;
      endGroup(pid);
    }, timeoutMs);
  }

  endForOutput(): void {
    if (!this.isTooMuch) endGroup(this.#pid);
    this.isTooMuch = true;
  }

  settle(): void {
    clearTimeout(this.#timer);
    this.#signal.removeEventListener("abort", this.#cancel);
  }
}

function start({ argv, cwd, allowsBatch = false }: ProgramRun) {
  const [program = ""] = argv;
  if (!allowsBatch) refuseBatchFile(program);
  const { argv: words, ...how } = allowsBatch ? startable(argv, cwd ?? process.cwd()) : { argv: [...argv] };
  try {
    return Bun.spawn(words, {
      ...how,
      env: process.env,
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
      detached: process.platform !== "win32",
      windowsHide: true,
      ...(cwd === undefined ? {} : { cwd }),
    });
  } catch (error) {
    throw notStarted(program, error);
  }
}

/** Runtimes word this differently, so the text is made from the code. */
function notStarted(program: string, error: unknown): StudioBridgeError {
  const code = systemCodeOf(error) ?? "UNKNOWN";
  const reason = code === "ENOENT" ? "there is no such program" : systemReason(error);
  return new StudioBridgeError("PROGRAM_FAILED", `spawn ${program} ${code}: ${reason}.`, {
    data: { program, code },
    cause: error,
    ...(code === "E2BIG" ? { hint: "Pass less at once." } : {}),
  });
}

/** Windows would run it in cmd.exe, which reads values as code. */
function refuseBatchFile(program: string): void {
  if (process.platform !== "win32" || !/\.(bat|cmd)$/i.test(Bun.which(program) ?? program)) return;
  throw new StudioBridgeError("PROGRAM_FAILED", `${program} is a batch file, which only a shell can run.`, {
    hint: "Name the program that it starts.",
  });
}
