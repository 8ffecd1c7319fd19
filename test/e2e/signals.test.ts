/** The first signal ends a command within two seconds whatever it is doing, the second at once. */
import { beforeAll, describe, expect, test } from "bun:test";
import { binaryPath } from "../../build.ts";
import { Sandbox, untilAsync, withinAsync } from "../harness.ts";
import { sandbox } from "../sandbox.ts";

const box = sandbox();
beforeAll(async () => {
  await box.spawn(["serve", "--json"]).stdout.getReader().read();
  await box.headlessAsync();
}, 120_000);

/** What is promised, and a little for a machine under load. */
const GRACE_MS = 2_500;

/** With a stdin that stays open. */
function spawnOpen(args: readonly string[], port = box.port) {
  const [command = "", ...rest] = args;
  return Bun.spawn([binaryPath, command, "--port", String(port), ...rest], {
    cwd: box.folder,
    env: box.env(),
    stdin: "pipe",
    stdout: "pipe",
    stderr: "pipe",
  });
}

type Child = Bun.Subprocess<Bun.SpawnOptions.Writable, "pipe", "pipe">;

async function startedAsync<T extends Child>(child: T): Promise<T> {
  await child.stdout.getReader().read();
  return child;
}

/** Starts the command with a port whose holder never answers, so that the command waits. */
async function toSilentPortAsync(command: string): Promise<Child> {
  const { promise: knocked, resolve } = Promise.withResolvers<void>();
  const silent = Bun.listen({
    hostname: "127.0.0.1",
    port: 0,
    socket: { data: () => resolve() },
  });
  const child = spawnOpen([command, ...(command === "exec" ? ["return 1"] : [])], silent.port);
  void child.exited.then(() => silent.stop(true));
  await knocked;
  return child;
}

const states: { readonly [state: string]: () => Promise<Child> } = {
  connecting: () => toSilentPortAsync("exec"),
  "looking for a second host": () => toSilentPortAsync("serve"),
  "reading a script from stdin": async () => {
    const child = spawnOpen(["exec", "--verbose", "-"]);
    // A pipe takes unread data up to its size, and more only when the first part has been read.
    child.stdin.write(`--${"x".repeat(300_000)}`);
    await child.stdin.flush();
    return child;
  },
  "running a script that waits": () => startedAsync(box.spawn(["exec", "print(1) task.wait(60)"])),
  "running a script that never yields": () =>
    startedAsync(box.spawn(["exec", "print(1) task.wait() while true do end"])),
  "following the log": async () => {
    const child = box.spawn(["logs", "--follow"]);
    const heard = child.stdout.getReader().read();
    await untilAsync("the follower follows", async () => {
      await box.sbAsync(["exec", 'print("tick")']);
      return Promise.race([heard.then(() => true as const), Bun.sleep(20).then(() => undefined)]);
    });
    return child;
  },
  "watching the sessions": () => startedAsync(box.spawn(["sessions", "--watch"])),
  "typing into a REPL": async () => {
    const child = spawnOpen(["terminal"]);
    child.stdin.write("print(1) task.wait(60)\n");
    await child.stdin.flush();
    return startedAsync(child);
  },
  "serving an agent": async () => {
    const child = spawnOpen(["mcp"]);
    child.stdin.write('{"jsonrpc":"2.0","id":1,"method":"ping"}\n');
    await child.stdin.flush();
    return startedAsync(child);
  },
  "running a Studio of its own": () =>
    startedAsync(box.spawn(["exec", "--headless", "print(1) task.wait(60)"])),
  "standing by": () => startedAsync(box.spawn(["serve", "--join"])),
};

const exitCodes = { SIGINT: 130, SIGTERM: 143 } as const;

describe.skipIf(process.platform === "win32")("the first signal ends a command", () => {
  test.each(
    Object.keys(states).map((state, index) => [state, index % 2 === 0 ? "SIGINT" : "SIGTERM"] as const),
  )(
    "that is %s: %s",
    async (state, signal) => {
      await withinAsync(GRACE_MS, async () => {
        const child = await states[state]?.();
        if (child === undefined) throw new Error(`no ${state}`);
        const signalledAt = performance.now();
        child.kill(signal);
        expect(await child.exited).toBe(exitCodes[signal]);
        return performance.now() - signalledAt;
      });
    },
    120_000,
  );

  test("that serves others, which go on elsewhere", async () => {
    await withinAsync(GRACE_MS, async () => {
      await using own = await Sandbox.createAsync();
      const host = await startedAsync(own.spawn(["serve"]));
      await own.headlessAsync();
      const user = own.spawn(["exec", "print(1) task.wait(1) return 2"]);
      const reader = user.stdout.getReader();
      await reader.read();
      const signalledAt = performance.now();
      host.kill("SIGTERM");
      expect(await host.exited).toBe(143);
      const tookMs = performance.now() - signalledAt;
      expect(new TextDecoder().decode((await reader.read()).value)).toBe("2\n");
      expect(await user.exited).toBe(0);
      return tookMs;
    });
  }, 120_000);
});

describe.skipIf(process.platform === "win32")("the second signal ends a command at once", () => {
  test("also where the first waits for an answer that does not come", async () => {
    await using own = await Sandbox.createAsync();
    const host = await startedAsync(own.spawn(["serve"]));
    await own.headlessAsync();
    const limitMs = 1_400;
    await withinAsync(limitMs, async () => {
      const child = await startedAsync(own.spawn(["exec", "print(1) task.wait(60)"]));
      host.kill("SIGSTOP");
      const signalledAt = performance.now();
      child.kill("SIGINT");
      const first = await Promise.race([child.exited, Bun.sleep(300).then(() => "still waits")]);
      child.kill("SIGTERM");
      const exitCode = await child.exited;
      const tookMs = performance.now() - signalledAt;
      host.kill("SIGCONT");
      // Later than that, the first signal has ended it.
      if (tookMs < limitMs) expect([first, exitCode]).toEqual(["still waits", 143]);
      return tookMs;
    });
  }, 120_000);
});
