/** Every JSON-RPC case, line in and answer out, against the fixture server as a process. */
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { matches, verdict, writesOf } from "../unit/mcp/jsonrpc-cases.ts";
import type { Case } from "../unit/mcp/jsonrpc-cases.ts";

const server = join(import.meta.dir, "..", "fixtures", "mcp-server.ts");
const golden = join(import.meta.dir, "..", "golden", "jsonrpc-cases.json");
const { cases }: { readonly cases: readonly Case[] } = await Bun.file(golden).json();

/** Asks for an answer in any state of the connection; where something was cancelled, later than that would have come. */
function lastWord(sent: Case["send"]): string {
  const end = { jsonrpc: "2.0", id: "the end" };
  if (!JSON.stringify(sent).includes("notifications/cancelled"))
    return JSON.stringify({ ...end, method: "ping" });
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  return JSON.stringify({ ...end, method: "tools/call", params: { name: "slow", _meta } });
}

/** Everything the server said to these lines; a last request marks the end, so that silence is told from slowness. */
async function answersAsync({ setup, send, serverFlags = [], expect: wanted, match }: Case) {
  const child = Bun.spawn([process.execPath, server, ...serverFlags], {
    stdin: "pipe",
    stdout: "pipe",
    stderr: "inherit",
  });
  const reader = lineReader(child.stdout);
  const writeAsync = async (lines: Case["send"]) => {
    for (const bytes of lines.flatMap(writesOf)) {
      child.stdin.write(bytes);
      await child.stdin.flush();
    }
  };
  await writeAsync(setup);
  for (const line of setup) {
    if (String(line).includes('"id":"i"')) await reader();
  }
  await writeAsync(send);
  const answers: unknown[] = [];
  if (match === "atLeast") {
    while (!matches(answers.at(-1), wanted.at(-1))) answers.push(await reader());
  } else {
    for (const _ of wanted) answers.push(await reader());
    child.stdin.write(`${lastWord(send)}\n`);
    for (let next = await reader(); !isEnd(next); next = await reader()) answers.push(next);
  }
  child.stdin.end();
  return { answers, exitCode: await child.exited };
}

function isEnd(message: unknown): boolean {
  return matches(message, { id: "the end" });
}

function lineReader(stream: ReadableStream<Uint8Array>): () => Promise<unknown> {
  const reader = stream.getReader();
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let held = "";
  return async () => {
    for (;;) {
      const end = held.indexOf("\n");
      if (end !== -1) {
        const line = held.slice(0, end);
        held = held.slice(end + 1);
        return JSON.parse(line);
      }
      const { done, value } = await reader.read();
      if (done) throw new Error(`the server ended; left: ${held}`);
      held += decoder.decode(value, { stream: true });
    }
  };
}

describe("the fixture server", () => {
  test.each(cases.map((each) => [each.id, each] as const))("%s", async (_id, each) => {
    const { answers, exitCode } = await answersAsync(each);
    const problem = verdict(answers, each);
    const isOtherwiseRight =
      each.alternative !== undefined && verdict(answers, { ...each, expect: each.alternative }) === "";
    expect(isOtherwiseRight ? "" : problem).toBe("");
    expect(exitCode).toBe(0);
  });
});
