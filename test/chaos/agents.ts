/**
 * Agents with servers of their own (`sb mcp`), one of which is the bridge host: whichever it is ends, in every way there
 * is, and the others go on. Each script leaves a mark in the place, so that what agents heard is joined with what ran.
 */
import { untilAsync } from "../harness.ts";
import type { Sandbox } from "../harness.ts";
import { McpPeer } from "../peers/mcp-peer.ts";
import { isRunning } from "../processes.ts";

export interface AgentsResult {
  readonly replies: number;
  readonly violations: readonly string[];
  /** From the end of a host until its work was taken up again. */
  readonly gapsMs: readonly number[];
}

const script = (mark: number) => `
  local name = "Run_${mark}"
  workspace:SetAttribute(name, (workspace:GetAttribute(name) or 0) + 1)
  ${mark % 5 === 0 ? "task.wait(0.05)" : ""}
  return ${mark}`;

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
  #agents: Agent[] = [];
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
    for (let mark = 1; mark < this.#nextMark; mark += 1) {
      const count = runs[`Run_${mark}`] ?? 0;
      if (count > 1) this.#violations.push(`${mark} ran ${count} times`);
      if (count === 0 && this.#answered.has(mark)) this.#violations.push(`${mark} is ok but never ran`);
    }
    await Promise.all(this.#agents.map(({ peer }) => peer.endAsync()));
    return { replies: this.#answered.size, violations: this.#violations, gapsMs: this.#gapsMs };
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
        .then((result) => (isReply(result, mark) ? "" : JSON.stringify(result)), String);
      if (heard === "") this.#answered.add(mark);
      else if (!agent.isLeaving) this.#violations.push(`${mark} heard ${heard.slice(0, 300)}`);
    }
  }

  #hostPidAsync(): Promise<number> {
    return untilAsync("there is a host", async () => {
      const { hostPid } = await this.#box.hostAsync().catch(() => ({ hostPid: 0 }));
      return isRunning(hostPid) ? hostPid : undefined;
    });
  }
}

function isReply(result: { readonly [name: string]: unknown }, mark: number): boolean {
  return Object(result["structuredContent"]).returnValues?.[0] === mark;
}
