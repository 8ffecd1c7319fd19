/** Scripts that leave a mark in the place each time they run, and the check that each left exactly one. */
import type { BridgeConnection, BridgeSession } from "../../src/bridge/index.ts";
import { StudioBridgeError } from "../../src/protocol/errors.ts";

export interface Tally {
  /** Ended with the reply of the very script. */
  replies: number;
  /** `CODE/outcome` of calls that failed. */
  readonly failures: string[];
  readonly violations: string[];
  readonly latenciesMs: number[];
}

interface WorkOptions {
  /** Scripts at a time. */
  readonly lanes: number;
  /** What each script returns besides its mark. */
  readonly sizeBytes?: number;
  /** Between two scripts of a lane. */
  readonly pauseMs?: number;
}

const script = (mark: number, seconds: number, size: number) => `
  local name = "Run_${mark}"
  workspace:SetAttribute(name, (workspace:GetAttribute(name) or 0) + 1)
  print("line of ${mark}")
  if ${seconds} > 0 then task.wait(${seconds}) end
  return ${mark}, string.rep("x", ${size})`;

/** Takes the marks that are checked away, so that a place does not grow for ever. */
const collect = (marks: readonly number[]) => `
  local runs = {}
  for _, mark in { ${marks.join()} } do
    runs[tostring(mark)] = workspace:GetAttribute("Run_" .. mark) or 0
    workspace:SetAttribute("Run_" .. mark, nil)
  end
  return runs`;
const COLLECTED_AT_ONCE = 2_000;

/** Runs scripts in lanes until told to stop, and joins what callers heard with what really ran. */
export class Work {
  readonly tally: Tally = { replies: 0, failures: [], violations: [], latenciesMs: [] };
  readonly #session: BridgeSession;
  readonly #options: WorkOptions;
  readonly #lanes: Promise<void>[];
  /** What callers heard of scripts that are not checked yet. */
  readonly #ended = new Map<number, string>();
  #nextMark = 1;
  #isOver = false;

  constructor(connection: BridgeConnection, sessionId: string, options: WorkOptions) {
    this.#session = connection.session(sessionId);
    this.#options = options;
    this.#lanes = Array.from({ length: options.lanes }, () => this.#laneAsync());
  }

  /** Lets the lanes end and checks the rest. */
  async finishAsync(): Promise<Tally> {
    this.#isOver = true;
    await Promise.all(this.#lanes);
    await this.checkAsync();
    return this.tally;
  }

  /** Checks every script that has ended so far. */
  async checkAsync(): Promise<void> {
    const marks = [...this.#ended.keys()];
    for (let start = 0; start < marks.length; start += COLLECTED_AT_ONCE) {
      const some = marks.slice(start, start + COLLECTED_AT_ONCE);
      const { returnValues } = await this.#session.callAsync("execute", { script: collect(some) });
      const runs: Record<string, number> = Object(returnValues[0]);
      for (const mark of some) this.#check(mark, runs[mark] ?? 0);
    }
  }

  async #laneAsync(): Promise<void> {
    const { sizeBytes = 0, pauseMs = 0 } = this.#options;
    while (!this.#isOver) {
      const mark = this.#nextMark++;
      const startedAt = performance.now();
      this.#ended.set(mark, await this.#runAsync(mark, sizeBytes));
      this.tally.latenciesMs.push(performance.now() - startedAt);
      if (pauseMs > 0) await Bun.sleep(pauseMs);
    }
  }

  /** How it ended for the caller: `ok`, or the outcome of the failure. */
  async #runAsync(mark: number, sizeBytes: number): Promise<string> {
    const lines: string[] = [];
    try {
      const { returnValues } = await this.#session.callAsync(
        "execute",
        { script: script(mark, mark % 7 === 0 ? 0.02 : 0, sizeBytes) },
        { timeoutMs: 60_000, onOutput: (messages) => lines.push(...messages.map(({ body }) => body)) },
      );
      if (returnValues[0] !== mark) this.tally.violations.push(`${mark} got ${String(returnValues[0])}`);
      if (lines.join() !== `line of ${mark}`) this.tally.violations.push(`${mark} printed ${lines.join()}`);
      this.tally.replies += 1;
      return "ok";
    } catch (error) {
      if (!(error instanceof StudioBridgeError)) throw error;
      this.tally.failures.push(`${error.code}/${error.outcome}`);
      // A connection that has ended refuses at once; without a pause its lanes would let nothing else happen, not even a
      // timeout.
      await Bun.sleep(1);
      return error.outcome ?? "none";
    }
  }

  #check(mark: number, runs: number): void {
    const end = this.#ended.get(mark);
    this.#ended.delete(mark);
    if (runs > 1) this.tally.violations.push(`${mark} ran ${runs} times`);
    if (end === "ok" && runs !== 1) this.tally.violations.push(`${mark} is ok but ran ${runs} times`);
    if (end === "not_started" && runs !== 0) this.tally.violations.push(`${mark} ran in spite of ${end}`);
  }
}
