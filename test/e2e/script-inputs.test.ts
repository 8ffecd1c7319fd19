/** What a script gets besides its source: --env, --input and stdin, through the compiled binary. */
import { describe, expect, test } from "bun:test";
import { untilAsync } from "../harness.ts";
import { sandbox } from "../sandbox.ts";

const box = sandbox({ headless: "Alpha" });

describe("--env", () => {
  test("gives values, or passes on variables of the environment; no other variable is seen", async () => {
    const words = ["exec", "--env", "LEVEL=a,b=c", "--env", "TOKEN", "return sb.env"];
    const { stdout, exitCode } = await box.sbAsync(words, { env: { TOKEN: "t1", OTHER: "t2" } });
    expect([stdout, exitCode]).toEqual(['{LEVEL = "a,b=c", TOKEN = "t1"}\n', 0]);
  });

  test("never shows a value, not even with --verbose or in the result", async () => {
    const words = ["exec", "--json", "--verbose", "--env", "TOKEN=hidden-1", "print(#sb.env.TOKEN)"];
    const { stdout, stderr } = await box.sbAsync(words);
    expect(JSON.parse(stdout)).toMatchObject({ logs: [{ body: "8" }] });
    expect(stdout + stderr).not.toContain("hidden-1");
  });

  test.each([
    ["NOWHERE", "--env: there is no variable NOWHERE in the environment."],
    ["=x", "--env: expected NAME=VALUE or NAME."],
  ])("%p is refused", async (word, message) => {
    const { stderr, exitCode } = await box.sbAsync(["exec", "--env", word, "return 1"]);
    expect([stderr.split("\n")[0], exitCode]).toEqual([`error: ${message}`, 2]);
  });
});

describe("--input", () => {
  test("is a text, here one of 16 MB", async () => {
    await box.writeAsync("large.txt", `zażółć${"x".repeat(16 * 1024 * 1024 - 10)}`);
    const { stdout, exitCode } = await box.sbAsync([
      "exec",
      "--input",
      "large.txt",
      "return #sb.input, sb.input:sub(1, 10)",
    ]);
    expect([stdout, exitCode]).toEqual(["16777216\nzażółć\n", 0]);
  });

  test.each([
    ["nowhere.txt", "Could not read input file: nowhere.txt: no such file", 1],
    ["bytes.bin", "Could not read input file: bytes.bin: not valid UTF-8 at line 1, byte 2", 1],
    ["-", "--input: expected a file, got -.", 2],
  ] as const)("%p is refused", async (file, message, code) => {
    await box.writeAsync("bytes.bin", new Uint8Array([65, 255]));
    const { stderr, exitCode } = await box.sbAsync(["exec", "--input", file, "return 1"]);
    expect([stderr.split("\n")[0], exitCode]).toEqual([`error: ${message}`, code]);
  });
});

describe("stdin", () => {
  test("is read line by line, or whole", async () => {
    await box.writeAsync(
      "sum.luau",
      "local n, line = 0, sb.readLine() while line do n += tonumber(line) line = sb.readLine() end print(n)",
    );
    const numbers = Array.from({ length: 50_000 }, (_, index) => index).join("\n");
    expect((await box.sbAsync(["run", "sum.luau"], { stdin: numbers })).stdout).toBe("1249975000\n");
    const text = `zażółć 🎮\n${"x".repeat(1_000_000)}`;
    const whole = await box.sbAsync(["exec", "local t = sb.readAll() print(t:sub(1, 15), #t)"], {
      stdin: text,
    });
    expect(whole.stdout).toBe("zażółć 🎮 1000016\n");
  });

  test("is answered as it comes, while the script goes on", async () => {
    const child = Bun.spawn(
      box.command([
        "exec",
        "local line = sb.readLine() while line do print('got', line) line = sb.readLine() end",
      ]),
      {
        cwd: box.folder,
        env: box.env(),
        stdin: "pipe",
        stdout: "pipe",
        stderr: "pipe",
      },
    );
    const output = child.stdout[Symbol.asyncIterator]();
    const nextAsync = async () => new TextDecoder().decode((await output.next()).value);
    for (const line of ["one", "two"]) {
      child.stdin.write(`${line}\n`);
      await child.stdin.flush();
      expect(await nextAsync()).toBe(`got ${line}\n`);
    }
    await child.stdin.end();
    expect(await child.exited).toBe(0);
  });

  test("is not waited for by a script that does not read it", async () => {
    const child = Bun.spawn(box.command(["exec", "print('done')"]), {
      cwd: box.folder,
      env: box.env(),
      stdin: "pipe",
      stdout: "pipe",
    });
    expect(await child.stdout.text()).toBe("done\n");
    expect(await child.exited).toBe(0);
    await child.stdin.end();
  });

  test("a script that waits for it ends with Ctrl+C, and others of the same Studio go on", async () => {
    const child = Bun.spawn(box.command(["exec", "print('waits') sb.readLine()"]), {
      cwd: box.folder,
      env: box.env(),
      stdin: "pipe",
      stdout: "pipe",
      stderr: "pipe",
    });
    const first = await child.stdout.getReader().read();
    expect(new TextDecoder().decode(first.value)).toBe("waits\n");
    expect((await box.sbAsync(["query", "Workspace"])).exitCode).toBe(0);
    child.kill("SIGINT");
    expect(await child.exited).toBe(130);
    await untilAsync("the next script runs", async () =>
      (await box.sbAsync(["exec", "return 1"])).exitCode === 0 ? true : undefined,
    );
  });

  test("that is the script itself, or no text, is told at the line that reads it", async () => {
    const itself = await box.sbAsync(["exec", "-"], { stdin: "print(1)\nsb.readAll()" });
    expect([itself.stdout, itself.stderr.split("\n")[0], itself.exitCode]).toEqual([
      "1\n",
      "Script error: Script:2: Standard input was the script itself.",
      1,
    ]);
    const bytes = await box.sbAsync(["exec", "sb.readAll()"], { stdin: new Uint8Array([65, 255, 10]) });
    expect(bytes.stderr).toStartWith(
      "Script error: Script:1: Standard input could not be read as UTF-8 text.",
    );
  });
});
