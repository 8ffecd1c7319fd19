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

const script = (mark: number, seconds: number, size: number) => `
  local name = "Run_${mark}"
  workspace:SetAttribute(name, (workspace:GetAttribute(name) or 0) + 1)
  print("line of ${mark}")
  if ${seconds} > 0 then task.wait(${seconds}) end
  return ${mark}, string.rep("x", ${size})`;

/** Runs scripts in `width` lanes until told to stop, then checks what the place remembers. */
export class Work {
  readonly tally: Tally = { replies: 0, failures: [], violations: [], latenciesMs: [] };
  readonly #session: BridgeSession;
  readonly #lanes: Promise<void>[];
  readonly #failed = new Map<number, string>();
  #nextMark = 1;
  #isOver = false;

  constructor(connection: BridgeConnection, sessionId: string, width: number, sizeBytes = 0) {
    this.#session = connection.session(sessionId);
    this.#lanes = Array.from({ length: width }, () => this.#laneAsync(sizeBytes));
  }

  /** Lets the lanes end and joins what callers heard with what really ran. */
  async finishAsync(): Promise<Tally> {
    this.#isOver = true;
    await Promise.all(this.#lanes);
    const { returnValues } = await this.#session.callAsync("execute", {
      script: "return workspace:GetAttributes()",
    });
    const runs: Record<string, number> = Object(returnValues[0]);
    for (let mark = 1; mark < this.#nextMark; mark += 1) this.#check(mark, runs[`Run_${mark}`] ?? 0);
    return this.tally;
  }

  async #laneAsync(sizeBytes: number): Promise<void> {
    while (!this.#isOver) {
      const mark = this.#nextMark++;
      const startedAt = performance.now();
      const lines: string[] = [];
      const request = { script: script(mark, mark % 7 === 0 ? 0.02 : 0, sizeBytes) };
      const onOutput = (messages: readonly { body: string }[]) =>
        void lines.push(...messages.map(({ body }) => body));
      try {
        const { returnValues } = await this.#session.callAsync("execute", request, {
          timeoutMs: 20_000,
          onOutput,
        });
        if (returnValues[0] !== mark) this.tally.violations.push(`${mark} got ${String(returnValues[0])}`);
        if (lines.join() !== `line of ${mark}`) this.tally.violations.push(`${mark} printed ${lines.join()}`);
        this.tally.replies += 1;
      } catch (error) {
        if (!(error instanceof StudioBridgeError)) throw error;
        this.#failed.set(mark, error.outcome ?? "none");
        this.tally.failures.push(`${error.code}/${error.outcome}`);
      }
      this.tally.latenciesMs.push(performance.now() - startedAt);
    }
  }

  #check(mark: number, runs: number): void {
    const failed = this.#failed.get(mark);
    if (runs > 1) this.tally.violations.push(`${mark} ran ${runs} times`);
    if (failed === undefined && runs !== 1) this.tally.violations.push(`${mark} is ok but ran ${runs} times`);
    if (failed === "not_started" && runs !== 0)
      this.tally.violations.push(`${mark} ran in spite of ${failed}`);
  }
}
