/**
 * Agents with servers of their own (`sb mcp`), one of which is the bridge host: whichever it is ends, in every way there
 * is, and the others go on. Each script leaves a mark in the place, so that what agents heard is joined with what ran.
 */
import { objectIn, stringIn } from "../../src/mcp/wire/json.ts";
import type { JsonObject } from "../../src/mcp/wire/json.ts";
import { untilAsync } from "../harness.ts";
import type { Sandbox } from "../harness.ts";
import { McpPeer } from "../peers/mcp-peer.ts";
import { isRunning } from "../processes.ts";

export interface AgentsResult {
  readonly replies: number;
  /** Calls that were answered with a failure which says so truthfully: each with its answer, and what happened before. */
  readonly refusals: readonly string[];
  readonly violations: readonly string[];
  /** From the end of a host until its work was taken up again. */
  readonly gapsMs: readonly number[];
}

const script = (mark: number) => `
  local name = "Run_${mark}"
  workspace:SetAttribute(name, (workspace:GetAttribute(name) or 0) + 1)
  ${mark % 5 === 0 ? "task.wait(0.05)" : ""}
  return ${mark}`;

/** What an agent was told that got no reply. */
interface Refusal {
  readonly answer: string;
  readonly outcome: string;
  /** Since a host was last ended. */
  readonly afterMs: number;
  readonly lastEnd: string;
}

/** How often a script may have run that ended so. */
const allowedRuns: { readonly [outcome: string]: readonly number[] } = {
  ok: [1],
  not_started: [0],
  ran_reply_lost: [1],
  unknown: [0, 1],
};

class Agent {
  readonly peer: McpPeer;
  /** Its own end is near: what it hears from now on counts for nothing. */
  isLeaving = false;
  working = Promise.resolve();

  constructor(box: Sandbox) {
    this.peer = new McpPeer(box);
  }
}

export class Agents {
  readonly #box: Sandbox;
  readonly #violations: string[] = [];
  readonly #gapsMs: number[] = [];
  readonly #answered = new Set<number>();
  readonly #refused = new Map<number, Refusal>();
  #agents: Agent[] = [];
  #lastEnd = { atMs: performance.now(), what: "the start" };
  #nextMark = 1;

  private constructor(box: Sandbox) {
    this.#box = box;
  }

  /** The first is the host; there is one Studio. */
  static async createAsync(box: Sandbox, count: number): Promise<Agents> {
    const agents = new Agents(box);
    const first = new Agent(box);
    await first.peer.initializeAsync();
    await agents.#hostPidAsync();
    await box.headlessAsync();
    const [session] = await box.sessionsAsync();
    await box.untilNotedAsync(session?.sessionId ?? "");
    agents.#take(first);
    for (let index = 1; index < count; index += 1) await agents.#joinAsync();
    return agents;
  }

  /** Ends the process that is the host, and waits until every other has got some work done. */
  async replaceHostAsync(way: "SIGKILL" | "SIGTERM" | "end of input"): Promise<void> {
    const pid = await this.#hostPidAsync();
    const host = this.#agents.find(({ peer }) => peer.pid === pid);
    const startedAt = performance.now();
    const before = this.#answered.size;
    const role = host === undefined ? "a host of its own" : "an agent's host";
    this.#lastEnd = { atMs: startedAt, what: `${way} of ${role}, process ${pid}` };
    if (host !== undefined) host.isLeaving = true;
    if (way !== "end of input") process.kill(pid, way);
    else if (host !== undefined) await host.peer.endAsync();
    else process.kill(pid, "SIGTERM");
    await host?.peer.exited;
    this.#agents = this.#agents.filter((agent) => agent !== host);
    const enough = before + 2 * this.#agents.length;
    await untilAsync(`work goes on after ${way}`, () => (this.#answered.size > enough ? true : undefined));
    this.#gapsMs.push(performance.now() - startedAt);
    if (host !== undefined) await this.#joinAsync();
  }

  async finishAsync(): Promise<AgentsResult> {
    for (const agent of this.#agents) agent.isLeaving = true;
    await Promise.all(this.#agents.map(({ working }) => working));
    const { stdout } = await this.#box.sbAsync(["exec", "return workspace:GetAttributes()", "--json"]);
    const runs: Record<string, number> = JSON.parse(stdout).returnValues[0];
    for (let mark = 1; mark < this.#nextMark; mark += 1) this.#check(mark, runs[`Run_${mark}`] ?? 0);
    await Promise.all(this.#agents.map(({ peer }) => peer.endAsync()));
    const refusals = [...this.#refused].map(
      ([mark, { answer, afterMs, lastEnd }]) =>
        `${mark}, ${afterMs.toFixed(0)} ms after ${lastEnd}: ${answer}`,
    );
    return {
      replies: this.#answered.size,
      refusals,
      violations: this.#violations,
      gapsMs: this.#gapsMs,
    };
  }

  /** A refusal must say what became of the script, and it must be true. */
  #check(mark: number, runs: number): void {
    const refusal = this.#refused.get(mark);
    const end = this.#answered.has(mark) ? "ok" : refusal?.outcome;
    // Its agent ended meanwhile.
    const allowed = end === undefined ? [0, 1] : (allowedRuns[end] ?? []);
    if (allowed.includes(runs)) return;
    this.#violations.push(`${mark} ran ${runs} times, its agent heard ${refusal?.answer ?? "ok"}`);
  }

  async #joinAsync(): Promise<void> {
    const agent = new Agent(this.#box);
    await agent.peer.initializeAsync();
    this.#take(agent);
  }

  #take(agent: Agent): void {
    this.#agents.push(agent);
    agent.working = this.#workAsync(agent);
  }

  async #workAsync(agent: Agent): Promise<void> {
    while (!agent.isLeaving) {
      const mark = this.#nextMark++;
      const heard = await agent.peer
        .toolAsync("studio_exec", { script: script(mark) })
        .then((result) => this.#hear(agent, mark, result), String);
      if (heard === undefined || agent.isLeaving) continue;
      // A call without an answer, or with a wrong one, has lost its reply. Its server may have ended for good.
      this.#violations.push(`${mark} lost its reply: ${heard}`);
      return;
    }
  }

  /** What is wrong with an answer. */
  #hear(agent: Agent, mark: number, result: JsonObject): string | undefined {
    const returnValues = objectIn(result, "structuredContent")?.["returnValues"];
    if (Array.isArray(returnValues) && returnValues[0] === mark) {
      this.#answered.add(mark);
      return undefined;
    }
    const answer = JSON.stringify(result);
    if (result["isError"] !== true) return answer;
    if (agent.isLeaving) return undefined;
    this.#refused.set(mark, {
      answer,
      outcome: outcomeIn(result),
      afterMs: performance.now() - this.#lastEnd.atMs,
      lastEnd: this.#lastEnd.what,
    });
    return undefined;
  }

  #hostPidAsync(): Promise<number> {
    return untilAsync("there is a host", async () => {
      const { hostPid } = await this.#box.hostAsync().catch(() => ({ hostPid: 0 }));
      return isRunning(hostPid) ? hostPid : undefined;
    });
  }
}

/** Facts of a failure are JSON in its text. Without an outcome, nothing was sent. */
function outcomeIn({ content }: JsonObject): string {
  const text = Array.isArray(content) ? stringIn(content[0], "text") : undefined;
  return stringIn(JSON.parse(text ?? "{}"), "outcome") ?? "not_started";
}
