/** What is printed arrives whole and in order, or its loss is known. */
import { describe, expect, test } from "bun:test";
import { join } from "node:path";

const queue = join(import.meta.dir, "..", "..", "..", "src", "cli", "output-queue.ts");

/** Runs `body` with a `queue` in a process of its own, in a shell that may redirect. */
function shell(body: string, redirect = "") {
  const program = `import { OutputQueue } from ${JSON.stringify(queue)};
    const queue = new OutputQueue();
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

describe.skipIf(process.platform === "win32")("the output queue", () => {
  test("delivers 10 MB through a pipe before the process exits", async () => {
    const child = shell('for (let n = 0; n < 10240; n++) queue.write(1, "x".repeat(1023) + "\\n");');
    expect((await child.stdout.text()).length).toBe(10 * 1024 * 1024);
    expect(await child.exited).toBe(0);
  });

  test("keeps stdout and stderr in the order of writing", async () => {
    const child = shell('for (let n = 0; n < 500; n++) queue.write(n % 2 ? 2 : 1, n + "\\n");', "2>&1");
    const expected = Array.from({ length: 500 }, (_, n) => `${n}\n`).join("");
    expect(await child.stdout.text()).toBe(expected);
  });

  test("knows that nobody reads any more", async () => {
    const child = shell('for (let n = 0; n < 100000; n++) queue.write(1, n + "\\n");', "| head -1");
    expect(await child.stdout.text()).toBe("0\n");
    expect(await child.exited).toBe(3);
  });

  test.skipIf(process.platform !== "linux")("knows that the disk is full", async () => {
    const report = 'queue.write(1, "x\\n"); await queue.drainAsync(); queue.write(2, queue.failureOf(1));';
    const child = shell(report, "> /dev/full");
    expect(await child.stderr.text()).toBe("ENOSPC");
    expect(await child.exited).toBe(3);
  });

  test("leaves characters whole that do not fit one write", async () => {
    const child = shell('for (let n = 0; n < 40000; n++) queue.write(1, "é€😀");');
    expect(await child.stdout.text()).toBe("é€😀".repeat(40_000));
  });
});
