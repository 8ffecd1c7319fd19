/**
 * A headless Studio of one command's own is reached by that command alone: it needs no port, no bridge host of the
 * machine, no key and no folder that can be written.
 */
import { expect, test } from "bun:test";
import { chmod, mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { Sandbox } from "../harness.ts";
import { underPermissions, underUser } from "../processes.ts";

const PRINT = ["exec", "--headless", "print(game.Name)"];
const PRINTED = { stdout: "Place1\n", stderr: "", exitCode: 0 };

/** Words that run a command without these variables. */
const without = (...names: readonly string[]): string[] => ["env", ...names.flatMap((name) => ["-u", name])];

const onUnix = test.skipIf(process.platform === "win32");

test("runs beside a stranger that holds the port, without a word to it, and leaves nothing behind", async () => {
  await using box = await Sandbox.createAsync();
  let knocks = 0;
  using stranger = Bun.listen({
    hostname: "127.0.0.1",
    port: box.port,
    socket: { open: () => void knocks++, data() {} },
  });
  expect(stranger.port).toBe(box.port);
  expect(await box.sbAsync(PRINT)).toEqual(PRINTED);
  const play = await box.sbAsync(["exec", "--headless", "--context", "server", "print('played')"]);
  expect(play).toMatchObject({ stdout: "played\n", exitCode: 0 });
  expect(knocks).toBe(0);
  expect(await readdir(box.stateFolder).catch(() => "none")).toBe("none");
}, 120_000);

onUnix(
  "runs without a home, with one that cannot be written, and without a folder for temporary files",
  async () => {
    await using box = await Sandbox.createAsync();
    expect(await box.sbAsync(PRINT, { under: without("HOME", "XDG_STATE_HOME") })).toEqual(PRINTED);
    const home = join(box.folder, "home");
    await mkdir(home);
    await chmod(home, 0o500);
    const env = { HOME: home, TMPDIR: join(box.folder, "no-such-folder") };
    const under = [...(underPermissions ?? []), ...without("XDG_STATE_HOME")];
    expect(await box.sbAsync(PRINT, { under, env })).toEqual(PRINTED);
  },
  120_000,
);

const asNobody = underUser(54_321);
test.skipIf(asNobody === undefined)(
  "runs as a user id that has no account; what needs a key or a home folder says so",
  async () => {
    await using box = await Sandbox.createAsync();
    await chmod(box.folder, 0o755);
    const under = [...(asNobody ?? []), ...without("HOME", "XDG_STATE_HOME")];
    expect(await box.sbAsync(PRINT, { under })).toEqual(PRINTED);
    const { stderr, exitCode } = await box.sbAsync(["exec", "return 1"], { under });
    expect({ stderr, exitCode }).toEqual({
      stderr:
        "error: There is no place for the pairing key: This user has no home folder.\n" +
        "hint: Set HOME, or XDG_STATE_HOME to a folder of your own. With --headless no key is needed.\n",
      exitCode: 1,
    });
    expect(await box.sbAsync(["install-plugin"], { under })).toMatchObject({
      stderr: "error: This user has no home folder.\nhint: Set HOME to a folder of your own.\n",
      exitCode: 1,
    });
    const doctorAsync = async (...more: readonly string[]) => {
      const { stdout, exitCode } = await box.sbAsync(["doctor", "--json"], { under: [...under, ...more] });
      const { checks }: { checks: readonly { name: string; status: string }[] } = JSON.parse(stdout);
      const statuses = Object.fromEntries(checks.map(({ name, status }) => [name, status]));
      return { exitCode, statuses };
    };
    const bare = { program: "ok", key: "fail", studio: "warn", host: "fail" };
    expect(await doctorAsync()).toEqual({ exitCode: 1, statuses: bare });
    // A state folder is all that the host and the key need.
    const state = join(box.folder, "state-without-account");
    await mkdir(state);
    await chmod(state, 0o777);
    const { exitCode: fine, statuses } = await doctorAsync("env", `XDG_STATE_HOME=${state}`);
    expect([fine, statuses]).toEqual([0, expect.objectContaining({ key: "ok", studio: "warn", host: "ok" })]);
  },
  120_000,
);

test("fifty run at once on one machine", async () => {
  await using box = await Sandbox.createAsync();
  const numbers = Array.from({ length: 50 }, (_, index) => index);
  const outcomes = await Promise.all(
    numbers.map((number) => box.sbAsync(["exec", "--headless", `print(${number})`], { timeoutMs: 150_000 })),
  );
  expect(outcomes).toEqual(numbers.map((number) => ({ stdout: `${number}\n`, stderr: "", exitCode: 0 })));
}, 180_000);
