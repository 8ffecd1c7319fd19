/** The compiled `sb tool`, as agents and people meet it. */
import { describe, expect, test } from "bun:test";
import { chmod } from "node:fs/promises";
import { join } from "node:path";
import { binaryPath } from "../../build.ts";
import { untilAsync } from "../harness.ts";
import { sandbox } from "../sandbox.ts";
import { isRunning } from "../processes.ts";
import { McpPeer } from "../peers/mcp-peer.ts";
import { cliCases } from "../unit/templates/template-cases.ts";

const box = sandbox();

const toolServer = (...words: readonly string[]) => new McpPeer(box, words, [], "tool");

/** A program that starts a child, writes both process ids to `file` and waits. */
const family = (file: string) => [
  "sh",
  "-c",
  `sleep 30 & echo $$ $! > ${file}.new; mv ${file}.new ${file}; wait`,
];

async function pidsAsync(name: string): Promise<number[]> {
  const file = Bun.file(join(box.folder, name));
  const text = await untilAsync("the program runs", async () =>
    (await file.exists()) ? file.text() : undefined,
  );
  return text.trim().split(" ").map(Number);
}

test("sb tool alone is bad usage", async () => {
  const child = Bun.spawn([binaryPath, "tool"], { stdout: "pipe", stderr: "pipe" });
  expect(await child.stderr.text()).toStartWith("error: no command provided\nhint: usage: sb tool");
  expect(await child.exited).toBe(2);
});

describe("sb tool", () => {
  test("serves the one tool of its template", async () => {
    await using peer = toolServer("echo", "{text # what to say}", "[--loud]");
    await peer.initializeAsync("2025-06-18");
    expect((await peer.requestAsync("tools/list"))["result"]).toEqual({
      tools: [
        {
          name: "echo",
          title: "echo",
          description: "Run the shell command `echo {{text}} [--loud]`",
          inputSchema: {
            type: "object",
            properties: {
              text: { type: "string", description: "what to say" },
              loud: { type: "boolean", description: "Enable --loud flag" },
            },
            required: ["text"],
          },
          annotations: {
            readOnlyHint: false,
            destructiveHint: true,
            idempotentHint: false,
            openWorldHint: true,
          },
        },
      ],
    });
    expect(await peer.toolAsync("echo", { text: "a  b", loud: true })).toEqual({
      content: [{ type: "text", text: "a  b --loud\n" }],
    });
    expect(await peer.toolAsync("echo", {})).toMatchObject({
      content: [{ text: expect.stringContaining("missing required parameter: text (text is required)") }],
      isError: true,
    });
  });

  test("answers a refused call with -32002 in dialect 1.0", async () => {
    await using peer = toolServer("echo", "{text}");
    await peer.initializeAsync("1.0");
    expect(await peer.requestAsync("tools/call", { name: "echo", arguments: {} })).toMatchObject({
      error: {
        code: -32002,
        data: {
          tool: "echo",
          errors: { text: "missing required parameter: text (text is required)" },
        },
      },
    });
  });

  test("runs calls side by side, each answered under its own id", async () => {
    await using peer = toolServer("sh", "-c", "read line < fifo-$1; echo $1", "sh", "{i}");
    await peer.initializeAsync();
    const names = ["1", "2", "3", "4", "5"];
    for (const name of names) Bun.spawnSync(["mkfifo", join(box.folder, `fifo-${name}`)]);
    const ids = names.map((i) => peer.ask("tools/call", { name: "sh", arguments: { i } }));
    // Let go in the other order, which only works when all of them run.
    for (const name of names.toReversed())
      await Bun.spawn(["sh", "-c", "echo go > $0", join(box.folder, `fifo-${name}`)]).exited;
    const answers = await Promise.all(ids.map((id) => peer.answerAsync(id)));
    expect(answers.map(({ result }) => result)).toEqual(
      names.map((name) => ({ content: [{ type: "text", text: `${name}\n` }] })),
    );
  });

  test("a cancelled call is never answered, and everything it started ends", async () => {
    await using peer = toolServer(...family("cancelled"));
    await peer.initializeAsync();
    const requestId = peer.ask("tools/call", { name: "sh", arguments: {} });
    const pids = await pidsAsync("cancelled");
    peer.notify("notifications/cancelled", { requestId });
    await untilAsync("both have ended", () => (pids.some(isRunning) ? undefined : true));
    await peer.requestAsync("ping");
    expect(peer.messages.filter(({ id }) => id === requestId)).toEqual([]);
  });

  test("everything it started ends with it", async () => {
    await using peer = toolServer(...family("left"));
    await peer.initializeAsync();
    peer.ask("tools/call", { name: "sh", arguments: {} });
    const pids = await pidsAsync("left");
    expect(await peer.endAsync()).toMatchObject({ exitCode: 0 });
    await untilAsync("both have ended", () => (pids.some(isRunning) ? undefined : true));
  });

  test("--timeout ends a call, --log keeps a record without values", async () => {
    await using peer = toolServer("--timeout", "200", "--log", "calls.jsonl", "sleep", "{seconds}");
    await peer.initializeAsync();
    expect(await peer.toolAsync("sleep", { seconds: "30.25" })).toEqual({
      content: [{ type: "text", text: "sleep timed out after 0.2 s and was ended" }],
      isError: true,
    });
    await peer.endAsync();
    const record = await Bun.file(join(box.folder, "calls.jsonl")).text();
    const events = record
      .trim()
      .split("\n")
      .map((line): { event: string } => JSON.parse(line));
    expect(events.map(({ event }) => event)).toContain("tool.invoked");
    expect(record).not.toContain("30.25");
  });

  test("a flood of output is cut with an exact count, stays one line, and can be read whole", async () => {
    await using peer = toolServer("sh", "-c", "yes | head -c 20000000");
    expect(Object((await peer.initializeAsync())["result"]).capabilities).toEqual({
      tools: {},
      resources: {},
    });
    const { content } = Object(await peer.toolAsync("sh"));
    expect(content).toMatchObject([
      { text: expect.stringMatching(/\n\[truncated: 18951424 more bytes\]$/) },
      { type: "resource_link", size: 20_000_000 },
    ]);
    const [, parts] = /in (\d+) parts/.exec(content[1].description) ?? [];
    const uri = content[1].uri.replace(/\d+$/, parts);
    const { result } = await peer.requestAsync("resources/read", { uri });
    expect(Object(result).contents[0].text).toEndWith("y\ny\n");
    expect(await peer.requestAsync("resources/subscribe", { uri })).toMatchObject({
      error: { code: -32601 },
    });
  });

  test("says on stderr what is odd about a template, and nothing on stdout", async () => {
    const { stdout, stderr, exitCode } = await box.localSbAsync(["tool", "sh", "-c", "echo {value}"]);
    expect({ stdout, exitCode }).toEqual({ stdout: "", exitCode: 0 });
    expect(stderr).toStartWith("warning: sh runs the values inside");
  });

  test("says on stderr that its program is missing, and nothing of one that is there", async () => {
    const warningsAsync = async (...words: string[]) => (await box.localSbAsync(["tool", ...words])).stderr;
    await box.writeAsync("beside.sh", "#!/bin/sh\n");
    await chmod(join(box.folder, "beside.sh"), 0o755);
    expect(await warningsAsync("no-such-program", "{file}")).toBe(
      "warning: no-such-program is not in PATH, so calls fail until it is\n",
    );
    expect(await warningsAsync("./none.sh")).toBe(
      "warning: ./none.sh is not a program, so calls fail until it is\n",
    );
    expect([await warningsAsync("sh"), await warningsAsync("./beside.sh")]).toEqual(["", ""]);
  });

  for (const { id, args, exit, stdout, stderr } of cliCases.filter((each) => each.exit !== undefined)) {
    test(`${id}: sb tool ${args.join(" ")}`, async () => {
      const outcome = await box.localSbAsync(["tool", ...args]);
      expect(outcome.exitCode).toBe(exit ?? -1);
      expect(outcome.stdout).toContain(stdout ?? "");
      if (stdout === undefined) expect(outcome.stdout).toBe("");
      expect(outcome.stderr).toContain(stderr ?? "");
    });
  }
});
