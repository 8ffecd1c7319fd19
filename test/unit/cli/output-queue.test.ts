/** What is printed arrives whole and in order, or its loss is known, on either way to stdout. */
import { describe, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const queue = join(import.meta.dir, "..", "..", "..", "src", "cli", "output-queue.ts");

/** Runs `body` with a `queue` and `print` to stdout in a process of its own, in a shell that may redirect. */
function shell(print: string, body: string, redirect = "") {
  const program = `import { OutputQueue } from ${JSON.stringify(queue)};
    const queue = new OutputQueue();
    const print = (text) => ${print};
    ${body}
    await queue.drainAsync();
    process.exit(queue.failureOf(1) === undefined ? 0 : 3);`;
  return Bun.spawn(
    ["bash", "-c", `"$0" -e "$1" ${redirect}; exit \${PIPESTATUS[0]}`, process.execPath, program],
    {
      stdout: "pipe",
      stderr: "pipe",
    },
  );
}

const ways = ["queue.write(1, text)", "queue.answer(text)"];

describe.skipIf(process.platform === "win32").each(ways)("the output queue, %s", (print) => {
  test("delivers 10 MB through a pipe before the process exits", async () => {
    const child = shell(print, 'for (let n = 0; n < 10240; n++) print("x".repeat(1023) + "\\n");');
    expect((await child.stdout.text()).length).toBe(10 * 1024 * 1024);
    expect(await child.exited).toBe(0);
  });

  test("keeps stdout and stderr in the order of writing", async () => {
    const body = 'for (let n = 0; n < 500; n++) n % 2 ? queue.write(2, n + "\\n") : print(n + "\\n");';
    const child = shell(print, body, "2>&1");
    const expected = Array.from({ length: 500 }, (_, n) => `${n}\n`).join("");
    expect(await child.stdout.text()).toBe(expected);
  });

  test("stands still for no slow reader, and loses nothing of what shares its pipe", async () => {
    const folder = await mkdtemp(join(tmpdir(), "sb-queue-"));
    const mark = join(folder, "the clock runs");
    const body = `for (let n = 0; n < 200; n++) n % 2 ? queue.write(2, "e".repeat(9999)) : print("o".repeat(9999));
      setTimeout(() => Bun.write(${JSON.stringify(mark)}, ""), 5);`;
    // Two megabytes do not fit into a pipe, and the reader starts only after the writer's timer has fired.
    const child = shell(print, body, `2>&1 | (until [ -e "${mark}" ]; do sleep 0.01; done; cat)`);
    const expected = Array.from({ length: 200 }, (_, n) => (n % 2 ? "e" : "o").repeat(9999)).join("");
    expect(await child.stdout.text()).toBe(expected);
    await rm(folder, { recursive: true });
  });

  test("knows that the reader has gone", async () => {
    const child = shell(print, 'for (let n = 0; n < 100000; n++) print(n + "\\n");', "| head -1");
    expect(await child.stdout.text()).toBe("0\n");
    expect(await child.exited).toBe(3);
  });

  test.skipIf(process.platform !== "linux")("knows that the disk is full", async () => {
    const report = 'print("x\\n"); await queue.drainAsync(); queue.write(2, queue.failureOf(1));';
    const child = shell(print, report, "> /dev/full");
    expect(await child.stderr.text()).toBe("ENOSPC");
    expect(await child.exited).toBe(3);
  });

  test("leaves characters whole that do not fit one write", async () => {
    const child = shell(print, 'for (let n = 0; n < 40000; n++) print("é€😀");');
    expect(await child.stdout.text()).toBe("é€😀".repeat(40_000));
  });
});
