/** An agent over stdio that counts its calls, and the bytes that it is told. */
import type { JsonObject } from "../../src/mcp/wire/json.ts";
import type { Sandbox } from "../harness.ts";
import { McpPeer } from "./mcp-peer.ts";

export class CountingAgent extends McpPeer {
  calls = 0;
  bytes = 0;

  static async openAsync(box: Sandbox): Promise<CountingAgent> {
    const agent = new CountingAgent(box);
    await agent.initializeAsync();
    return agent;
  }

  // What tools answer is checked by what the tests expect of it.
  async askAsync<Answer>(tool: string, args: JsonObject): Promise<Answer> {
    const { structuredContent } = await this.toolAsync(tool, args);
    this.calls += 1;
    this.bytes += Buffer.byteLength(JSON.stringify(structuredContent));
    return structuredContent as Answer;
  }
}
