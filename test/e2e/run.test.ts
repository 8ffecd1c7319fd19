/** `sb run` and `sb exec`, end to end: compiled binary, real host, real plugin, real VM. */
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { outcomeAsync, Sandbox, untilAsync } from "../harness.ts";
import { sandbox } from "../sandbox.ts";

const box = sandbox({ headless: true });

describe("a script that works", () => {
  test("prints in order and exits 0", async () => {
    await box.writeAsync("ok.luau", 'print("one", 2, nil, true)\nprint("three")\n');
    expect(await box.sbAsync(["run", "ok.luau"])).toEqual({
      stdout: "one 2 nil true\nthree\n",
      stderr: "",
      exitCode: 0,
    });
  });

  test("receives the words after -- as its arguments", async () => {
    await box.writeAsync("args.luau", "print(select('#', ...), ...)\n");
    expect(await box.sbAsync(["run", "args.luau", "--", "--fast", "a b", ""])).toEqual({
      stdout: "3 --fast a b \n",
      stderr: "",
      exitCode: 0,
    });
  });

  test("can come from standard input", async () => {
    const { stdout, exitCode } = await box.sbAsync(["run", "-"], { stdin: 'print("from stdin")' });
    expect({ stdout, exitCode }).toEqual({ stdout: "from stdin\n", exitCode: 0 });
  });

  test("may be several files, run in order", async () => {
    await box.writeAsync("a.luau", 'print("a")');
    await box.writeAsync("b.luau", 'print("b")');
    const { stdout, exitCode } = await box.sbAsync(["run", "a.luau", "b.luau"]);
    expect({ stdout, exitCode }).toEqual({ stdout: "a\nb\n", exitCode: 0 });
  });

  test("shows what it returns", async () => {
    const { stdout, exitCode } = await box.sbAsync(["exec", "return 1 + 1, workspace.Name"]);
    expect(stdout).toContain("2");
    expect(stdout).toContain("Workspace");
    expect(exitCode).toBe(0);
  });

  test.each(["1 + 1", "workspace.Name", "{ 1, 2 } -- both", "not true"])(
    "is told from %p, which is an expression",
    async (code) => {
      const { stderr, exitCode } = await box.sbAsync(["exec", code]);
      expect(exitCode).toBe(1);
      expect(stderr).toEndWith(`\nhint: To see its value: return ${code}\n`);
    },
  );

  test("is told from text that is neither", async () => {
    const { stderr } = await box.sbAsync(["exec", "local x = 1 +"]);
    expect(stderr).not.toContain("hint:");
  });

  test("changes the place for the scripts that follow", async () => {
    await box.sbAsync(["exec", 'local p = Instance.new("Part") p.Name = "Kept" p.Parent = workspace']);
    const { stdout } = await box.sbAsync(["exec", 'print(workspace:FindFirstChild("Kept").ClassName)']);
    expect(stdout).toBe("Part\n");
  });

  test("may overwrite globals without harm to itself or to the next one", async () => {
    expect((await box.sbAsync(["exec", 'print = nil workspace = 5 print("still")'])).stdout).toBe("still\n");
    expect((await box.sbAsync(["exec", "print(workspace)"])).stdout).toBe("Workspace\n");
  });

  test("streams its output while it runs", async () => {
    const child = box.spawn(["exec", 'print("first") task.wait(5) print("second")']);
    const reader = child.stdout.getReader();
    const { value } = await reader.read();
    expect(new TextDecoder().decode(value)).toBe("first\n");
    child.kill("SIGINT");
    await child.exited;
  });

  test("gives the documented object with --json", async () => {
    const { stdout, exitCode } = await box.sbAsync([
      "exec",
      "--json",
      'print("hi") warn("careful") return 7',
    ]);
    expect(JSON.parse(stdout)).toMatchObject({
      success: true,
      returnValues: [7],
      logs: [
        { level: "Print", body: "hi" },
        { level: "Warning", body: "careful" },
      ],
    });
    expect(exitCode).toBe(0);
  });

  test("may print 10 MB, which arrive whole", async () => {
    const { stdout, exitCode } = await box.sbAsync([
      "exec",
      'local s = ("x"):rep(1023) for _ = 1, 10240 do print(s) end',
    ]);
    expect(stdout.length).toBe(10 * 1024 * 1024);
    expect(exitCode).toBe(0);
  });

  test("may print 100,000 lines, in order and none missing", async () => {
    const { stdout } = await box.sbAsync(["exec", "for i = 1, 100000 do print(i) end"]);
    expect(stdout).toBe(Array.from({ length: 100_000 }, (_, index) => `${index + 1}\n`).join(""));
  }, 120_000);
});

describe("a script that fails", () => {
  test("to compile shows file, line and the line itself", async () => {
    await box.writeAsync("broken.luau", 'print("never")\nlocal x = = 3\n');
    const { stdout, stderr, exitCode } = await box.sbAsync(["run", "broken.luau"]);
    expect(stdout).toBe("");
    expect(stderr).toContain("broken.luau:2");
    expect(stderr).toContain("local x = = 3");
    expect(exitCode).toBe(1);
  });

  test("at run time shows what it printed, then file, line and message", async () => {
    await box.writeAsync("oops.luau", 'print("before")\nerror("oops")\n');
    const { stdout, stderr, exitCode } = await box.sbAsync(["run", "oops.luau"]);
    expect(stdout).toBe("before\n");
    expect(stderr).toContain("oops.luau:2: oops");
    expect(exitCode).toBe(1);
  });

  test("shows frames of the script, none of the engine", async () => {
    await box.writeAsync("deep.luau", 'local function make()\n\tInstance.new("Nope")\nend\nmake()\n');
    const { stderr } = await box.sbAsync(["run", "deep.luau"]);
    expect(stderr).toContain("deep.luau:2 function make\ndeep.luau:4");
    expect(stderr).not.toContain("[engine]");
  });

  test("with a table as its error shows what is in the table", async () => {
    const { stderr, exitCode } = await box.sbAsync(["exec", "error({ code = 1 })"]);
    expect(stderr).toContain("Script error: {code = 1}");
    expect(exitCode).toBe(1);
    const { stdout } = await box.sbAsync(["exec", "--json", "error({ code = 1 })"]);
    expect(JSON.parse(stdout)).toMatchObject({ error: "{code = 1}", errorInfo: { value: { code: 1 } } });
  });

  test("by looping without end stops at its timeout, and the next one works", async () => {
    const looping = await box.sbAsync(["exec", "--timeout", "500", "while true do end"]);
    expect(looping.stderr).toContain("timed out after 0.5 seconds");
    expect(looping.exitCode).toBe(1);
    expect((await box.sbAsync(["exec", 'print("alive")'])).stdout).toBe("alive\n");
  });

  test("by waiting without end stops at its timeout too", async () => {
    const waiting = await box.sbAsync(["exec", "--timeout", "300", "task.wait(60)"]);
    expect(waiting.stderr).toContain("timed out after 0.3 seconds");
    expect(waiting.exitCode).toBe(1);
  });

  test("on something not simulated says so with its code", async () => {
    const { stdout, exitCode } = await box.sbAsync([
      "exec",
      "--json",
      'Instance.new("Part"):ApplyImpulse(Vector3.one)',
    ]);
    expect(JSON.parse(stdout)).toMatchObject({ success: false, errorInfo: { code: "NOT_SIMULATED" } });
    expect(exitCode).toBe(1);
  });
});

describe("interruption", () => {
  test("Ctrl+C cancels the script in Studio, not only the command", async () => {
    const beating = 'print("go") while task.wait() do workspace:SetAttribute("Beat", os.clock()) end';
    const child = box.spawn(["exec", beating]);
    await child.stdout.getReader().read();
    const goesOn = `local before = workspace:GetAttribute("Beat") task.wait(0.1)
      return workspace:GetAttribute("Beat") ~= before`;
    child.kill("SIGINT");
    expect(await child.exited).toBe(130);
    expect((await box.sbAsync(["exec", goesOn])).stdout).toBe("false\n");
  });

  test("Ctrl+C also ends a loop that never yields", async () => {
    const child = box.spawn(["exec", 'print("go") while true do end']);
    await child.stdout.getReader().read();
    child.kill("SIGINT");
    expect(await child.exited).toBe(130);
    expect((await box.sbAsync(["exec", 'print("alive")'])).stdout).toBe("alive\n");
  });
});

describe("output whose reader leaves early", () => {
  const shell = async (command: string) => {
    const child = Bun.spawn(["bash", "-c", command], {
      cwd: box.folder,
      env: box.env(),
      stdout: "pipe",
      stderr: "pipe",
    });
    return outcomeAsync(child);
  };
  const sb = join(import.meta.dir, "..", "..", "dist", "sb");

  test("a closed pipe is quiet", async () => {
    const command = `${sb} exec --port ${box.port} 'for i = 1, 100000 do print(i) end' | head -1`;
    expect(await shell(command)).toEqual({ stdout: "1\n", stderr: "", exitCode: 0 });
  });

  test("a script without a reader runs to its end, and its failure counts", async () => {
    const code = 'for i = 1, 5000 do print(i) end task.wait(0.3) workspace.Name = "Told" error("lost")';
    const { exitCode } = await shell(`set -o pipefail; ${sb} exec --port ${box.port} '${code}' | head -1`);
    expect(exitCode).toBe(1);
    expect((await box.sbAsync(["exec", 'print(workspace.Name) workspace.Name = "Workspace"'])).stdout).toBe(
      "Told\n",
    );
  });

  /** Starts once the reader of its output has gone, and exits with the command's own code. */
  const unread = (command: string) => {
    const start = `(until [ -e closed-$$ ]; do sleep 0.01; done; exec ${command})`;
    return shell(`set -o pipefail; ${start} | (exec <&-; touch closed-$$)`);
  };

  test.each(["sessions --watch", "state --watch", "logs -f"])("%s ends with its reader", async (words) => {
    let exitCode: number | undefined;
    void unread(`${sb} ${words} --port ${box.port}`).then((ended) => ({ exitCode } = ended));
    await untilAsync("it has ended", async () => {
      await box.sbAsync(["exec", 'print("a line of the log")']);
      return exitCode;
    });
    expect(exitCode).toBe(0);
  });

  test("a command that fails without a reader exits with its own code", async () => {
    const command = `${sb} logs -f --json --session missing --port ${box.port}`;
    expect((await unread(command)).exitCode).toBe(1);
  });

  test
    .skipIf(process.platform !== "linux")
    .each([["exec 'print(1)'"], ["sessions --json"], ["query Workspace"], ["help"], ["--version"]])(
    "a full disk is an error: %s",
    async (words) => {
      const flags = words === "--version" || words === "help" ? "" : `--port ${box.port}`;
      const { stderr, exitCode } = await shell(`${sb} ${words} ${flags} > /dev/full`);
      expect(stderr).toStartWith("error: Could not write to stdout: No space left on device\n");
      expect(exitCode).toBe(1);
    },
  );
});

test("two scripts at once in one Studio both answer", async () => {
  const both = await Promise.all([
    box.sbAsync(["exec", 'task.wait(0.2) print("A")']),
    box.sbAsync(["exec", 'print("B")']),
  ]);
  expect(both.map(({ stdout }) => stdout)).toEqual(["A\n", "B\n"]);
});

test("a script of 5 MB runs", async () => {
  await box.writeAsync("large.luau", `local s = "${"y".repeat(5_000_000)}"\nprint(#s)\n`);
  expect((await box.sbAsync(["run", "large.luau"])).stdout).toBe("5000000\n");
});

test("the stack of an error that a script's thread raises goes where the error goes", async () => {
  const code = 'local function lose() error("lost") end task.spawn(lose) task.wait() print("found")';
  const { stdout, stderr, exitCode } = await box.sbAsync(["exec", "--headless", code]);
  expect({ stdout, exitCode }).toEqual({ stdout: "found\n", exitCode: 0 });
  expect(stderr).toBe("Script:1: lost\nStack Begin\nScript 'Script', Line 1 - function lose\nStack End\n");
});

test("a one-shot headless Studio ends with its command", async () => {
  await using own = await Sandbox.createAsync();
  await own.writeAsync("hello.luau", 'print("hello from " .. game.ClassName)');
  expect(await own.sbAsync(["run", "--headless", "hello.luau"])).toMatchObject({
    stdout: "hello from DataModel\n",
    exitCode: 0,
  });
  await untilAsync("its session is gone", async () =>
    (await own.sessionsAsync()).length === 0 ? true : undefined,
  );
}, 120_000);
