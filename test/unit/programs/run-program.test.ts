import { afterAll, describe, expect, test } from "bun:test";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { StudioBridgeError } from "../../../src/protocol/errors.ts";
import { KeptResults } from "../../../src/mcp/studio/kept-results.ts";
import { Capture } from "../../../src/programs/capture.ts";
import { SHOWN_LIMIT_BYTES, truncatedResult } from "../../../src/mcp/templates/truncated-result.ts";
import { errorResult, programResult } from "../../../src/mcp/templates/program-result.ts";
import type { ToolResult } from "../../../src/mcp/server/features.ts";
import { runProgramAsync } from "../../../src/programs/run-program.ts";
import { parseTemplate } from "../../../src/templates/template.ts";
import { untilAsync } from "../../harness.ts";
import { isRunning } from "../../processes.ts";
import { execCases } from "../templates/template-cases.ts";

const folder = await mkdtemp(join(tmpdir(), "sb-programs-"));
afterAll(() => rm(folder, { recursive: true }));

const never = new AbortController().signal;

async function callAsync(
  words: readonly string[],
  input: object,
  timeoutMs?: number,
  signal: AbortSignal = never,
): Promise<ToolResult> {
  const template = parseTemplate(words);
  try {
    const argv = template.render(input, { refuseOptions: true });
    const limits = timeoutMs === undefined ? {} : { timeoutMs };
    return programResult(template.title, await runProgramAsync({ argv, signal, ...limits }), timeoutMs);
  } catch (error) {
    if (error instanceof StudioBridgeError && error.code !== "CANCELLED") return errorResult(error);
    throw error;
  }
}

const textOf = ({ content }: ToolResult) =>
  content.map((block) => (block.type === "text" ? block.text : block.type)).join("\n");

/** A script that starts a child, writes both process ids to a file and waits. */
const family = (file: string, child = "sleep 30") => [
  "sh",
  "-c",
  `${child} & echo $$ $! > ${file}.new; mv ${file}.new ${file}; wait`,
];

async function pidsAsync(file: string): Promise<number[]> {
  const text = await untilAsync("the program runs", async () =>
    (await Bun.file(file).exists()) ? Bun.file(file).text() : undefined,
  );
  return text.trim().split(" ").map(Number);
}

describe("an outcome in words", () => {
  test.each([
    [
      ["echo", "x".repeat(200_000)],
      "spawn echo E2BIG: the arguments are longer than the system takes.\nPass less at once.",
    ],
    [
      [join(folder, "no-program")],
      `spawn ${join(folder, "no-program")} ENOEXEC: it is not a program that this system can run.`,
    ],
    [["printf", "\\357\\273\\277x"], "\ufeffx"],
  ])("%j", async (words, text) => {
    await writeFile(join(folder, "no-program"), "echo hi\n", { mode: 0o755 });
    expect(textOf(await callAsync(words, {}))).toStartWith(text);
  });

  test.if(process.platform === "linux")("a signal without a name is told by its number", async () => {
    expect(textOf(await callAsync(["sh", "-c", "kill -40 $$"], {}))).toBe("sh was ended by signal 40");
  });
});

describe("the execution cases", () => {
  for (const each of execCases.filter(({ cancel, env }) => cancel === undefined && env === undefined)) {
    const { id, template, text, textContains = [], isError, timeoutMs } = each;
    for (const input of each.inputs ?? [each.input ?? {}]) {
      test(`${id} ${JSON.stringify(template)} ${JSON.stringify(input).slice(0, 40)}`, async () => {
        const result = await callAsync(template, input, timeoutMs);
        if (isError !== undefined) expect(result.isError ?? false).toBe(isError);
        if (text !== undefined) expect(result.content).toEqual([{ type: "text", text }]);
        for (const part of textContains) expect(textOf(result)).toContain(part);
      });
    }
  }

  test("ex-17: the environment is inherited", async () => {
    const result = await callAsync(["sh", "-c", "echo $HOME"], {});
    expect(result.content).toEqual([{ type: "text", text: `${process.env["HOME"]}\n` }]);
  });
});

describe("a program's end", () => {
  test("stderr of a success stands in a block of its own", async () => {
    expect(await callAsync(["sh", "-c", "echo out; echo warn >&2"], {})).toEqual({
      content: [
        { type: "text", text: "out\n" },
        { type: "text", text: "stderr:\nwarn\n" },
      ],
    });
  });

  test("a cancelled call ends the program and its children", async () => {
    const file = join(folder, "cancelled");
    const controller = new AbortController();
    const call = callAsync(family(file), {}, undefined, controller.signal);
    const pids = await pidsAsync(file);
    controller.abort();
    expect(await call.catch((error: unknown) => error)).toMatchObject({ code: "CANCELLED" });
    await untilAsync("both have ended", () => (pids.some(isRunning) ? undefined : true));
  });

  test("a timeout ends the program and its children, even those that ignore the request", async () => {
    const file = join(folder, "late");
    const deaf = `sh -c "trap '' TERM; sleep 30; sleep 30"`;
    // A program that is ended before it has started its children shows nothing, so a slow machine gets more time.
    for (const timeoutMs of [300, 3_000, 30_000]) {
      const result = await callAsync(family(file, deaf), {}, timeoutMs);
      expect(textOf(result)).toBe(`sh timed out after ${timeoutMs / 1000} s and was ended`);
      if (await Bun.file(file).exists()) break;
    }
    const pids = await pidsAsync(file);
    await untilAsync("both have ended", () => (pids.some(isRunning) ? undefined : true));
  });

  test("a call that is cancelled before it starts starts nothing", async () => {
    const file = join(folder, "never");
    const call = callAsync(["touch", file], {}, undefined, AbortSignal.abort());
    expect(await call.catch((error: unknown) => error)).toMatchObject({ code: "CANCELLED" });
    expect(await Bun.file(file).exists()).toBe(false);
  });

  test("a child that outlives the program does not hold the answer back", async () => {
    const file = join(folder, "outlives");
    const result = await callAsync(["sh", "-c", `sleep 30 & echo $! > ${file}; echo started`], {});
    expect(textOf(result)).toBe("started\n");
    const [pid = 0] = await pidsAsync(file);
    expect(isRunning(pid)).toBe(true);
    process.kill(pid);
  });

  test("a program that cannot be started is told by its code", async () => {
    const path = join(folder, "plain.txt");
    await Bun.write(path, "text");
    const results = await Promise.all([callAsync(["no-such-program-xyz"], {}), callAsync([path], {})]);
    expect(results.map(({ isError }) => isError)).toEqual([true, true]);
    expect(results.map((result) => textOf(result).split("\n")[0])).toEqual([
      "spawn no-such-program-xyz ENOENT: there is no such program.",
      `spawn ${path} EACCES: permission denied.`,
    ]);
  });
});

describe("output", () => {
  const streamOf = (...chunks: readonly Uint8Array[]) =>
    new ReadableStream<Uint8Array>({
      start(controller) {
        for (const chunk of chunks) controller.enqueue(chunk);
        controller.close();
      },
    });
  const bytes = new TextEncoder();

  test("what does not fit is counted exactly, and linked to", async () => {
    const kept = new KeptResults();
    const whole = await callAsync(["sh", "-c", "yes | head -c 20000000"], {});
    const { content } = truncatedResult(whole, kept);
    const [shown, link] = content;
    const text = shown?.type === "text" ? shown.text : "";
    const leftOut = 20_000_000 - SHOWN_LIMIT_BYTES;
    expect(text.endsWith(`\n[truncated: ${leftOut} more bytes]`)).toBe(true);
    expect(text.indexOf("\n[truncated")).toBe(SHOWN_LIMIT_BYTES);
    expect(link).toMatchObject({ type: "resource_link", size: 20_000_000 });
    const uri = link?.type === "resource_link" ? link.uri : "";
    expect(kept.read(uri)?.text).toStartWith("y\ny\n");
  });

  test("what fits is shown as it is", () => {
    const result = { content: [{ type: "text", text: "short" } as const] };
    expect(truncatedResult(result, new KeptResults())).toEqual(result);
  });

  test("characters are whole across chunks and at the cut", async () => {
    const text = bytes.encode("aé日😀");
    const split = await new Capture(
      streamOf(text.slice(0, 2), text.slice(2, 5), text.slice(5)),
    ).finishAsync();
    expect(split).toBe("aé日😀");
    const cuts = await Promise.all(
      [1, 2, 3, 5, 6, 9, 10].map((limit) => new Capture(streamOf(text), limit).finishAsync()),
    );
    expect(cuts).toEqual([
      "a\n[truncated: 9 more bytes]",
      "a\n[truncated: 9 more bytes]",
      "aé\n[truncated: 7 more bytes]",
      "aé\n[truncated: 7 more bytes]",
      "aé日\n[truncated: 4 more bytes]",
      "aé日\n[truncated: 4 more bytes]",
      "aé日😀",
    ]);
  });
});
