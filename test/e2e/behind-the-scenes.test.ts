/**
 * What happens behind the scenes is reported: with --verbose, by a host or a Studio in the foreground, and while one
 * waits.
 */
import { beforeAll, describe, expect, test } from "bun:test";
import { Sandbox, untilAsync } from "../harness.ts";
import { sandbox } from "../sandbox.ts";
import { Keyboard } from "../peers/keyboard.ts";

const TIME = String.raw`\[\d+\.\d{3} s\]`;
const CLOCK = String.raw`\d\d:\d\d:\d\d`;

const box = sandbox();

/** Reads a stream as it comes. */
function collected(stream: ReadableStream<Uint8Array>): () => string {
  let text = "";
  const decoder = new TextDecoder();
  void (async () => {
    for await (const bytes of stream) text += decoder.decode(bytes, { stream: true });
  })();
  return () => text;
}

describe("--verbose", () => {
  test("tells that a host was started or found, which session was chosen and why, and how long requests took", async () => {
    await using own = await Sandbox.createAsync();
    const first = await own.sbAsync(["sessions", "--verbose"]);
    expect(first.stderr).toMatch(
      new RegExp(
        `^${TIME} No bridge host answers; starting one that stays for later commands\\.\n${TIME} Connected to the bridge host [0-9a-f]{8} of sb \\S+ on port ${own.port} of this machine\\.\n$`,
      ),
    );
    await own.headlessAsync();
    const { stdout, stderr } = await own.sbAsync(["exec", "return 1", "--verbose"]);
    expect(stdout).toBe("1\n");
    expect(stderr).not.toContain("starting one");
    expect(stderr).toMatch(
      new RegExp(
        `${TIME} Session \\S+ is Edit of Place1 \\(headless, in Edit mode\\), chosen as the command's default in the only Studio there is\\.\n(?:${TIME} Request (?:execute|queryCaveats) took \\d+ ms\\.\n){3}$`,
      ),
    );
    const silent = await own.sbAsync(["exec", "return 1"]);
    expect(silent.stderr).toBe("");
  });

  test("names the process of a headless Studio, beside JSON too", async () => {
    const { stdout, stderr } = await box.sbAsync(["exec", "--headless", "return 1", "--verbose", "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({ success: true, returnValues: [1] });
    expect(stderr).toMatch(/Headless Studio is process \d+, on a link of its own to this command\./);
    expect(stderr).toContain("chosen as the command's own Studio");
  });

  test("shows a failure with positions in the source, and no name of the compiled program", async () => {
    const { stderr } = await box.sbAsync(["exec", "--headless", "--place", "none.rbxl", "1", "--verbose"]);
    const [, , code, ...frames] = stderr.trimEnd().split("\n");
    expect(code).toBe("FILE_ERROR");
    expect(frames.length).toBeGreaterThan(0);
    for (const frame of frames) expect(frame).toMatch(/^ {4}at (src|node_modules)\/\S+:\d+:\d+$/);
  });
});

test("a host and a headless Studio in the foreground show who comes and goes, and what the place prints", async () => {
  const host = box.spawn(["serve"]);
  const hostText = collected(host.stdout);
  await untilAsync("the host listens", () => (hostText().includes("listening") ? true : undefined));
  const studio = box.spawn(["headless", "--name", "Alpha"]);
  const studioText = collected(studio.stdout);
  await untilAsync("the Studio is ready", () => (studioText().includes("is ready") ? true : undefined));
  await box.sbAsync(["exec", "print('one') warn('two')"]);
  await untilAsync("both lines are shown", () => (studioText().includes("two") ? true : undefined));
  expect(studioText()).toMatch(new RegExp(`${CLOCK} \\[Print\\]   one\n${CLOCK} \\[Warning\\] two\n`));
  // A plugin of another program of this name, which begins with its registration.
  const other = new WebSocket(`ws://127.0.0.1:${box.port}/plugin`);
  other.onopen = () => other.send(JSON.stringify({ type: "register", sessionId: "", payload: {} }));
  const { promise: answered, resolve } = Promise.withResolvers<string>();
  other.onmessage = ({ data }) => resolve(String(data));
  expect(await answered).toContain("sb install-plugin");
  const { stdout: doctor } = await box.sbAsync(["doctor"]);
  expect(doctor).toContain("Another program called studio-bridge uses this port");
  studio.kill("SIGINT");
  await untilAsync("the Studio is gone", () =>
    / disconnected\.\n/.test(hostText()) && hostText().includes("Edit of Alpha") ? true : undefined,
  );
  expect(hostText()).toMatch(new RegExp(`${CLOCK} A command connected; 1 now\\.\n`));
  expect(hostText()).toMatch(new RegExp(`${CLOCK} Edit of Alpha \\([0-9a-f]{8}\\) connected\\.\n`));
  expect(hostText()).toMatch(new RegExp(`${CLOCK} A connection was turned away: other product\\.\n`));
  host.kill("SIGINT");
  await host.exited;
}, 120_000);

describe("a command that stays", () => {
  beforeAll(() => box.headlessAsync());

  test("says that it streams, and ends by itself after --timeout", async () => {
    for (const [words, told] of [
      [["logs", "--follow"], "(streaming, Ctrl+C to stop)\n"],
      [["state", "--watch"], ""],
    ] as const) {
      const { stderr, exitCode } = await box.sbAsync([...words, "--timeout", "300"]);
      expect({ stderr, exitCode }).toEqual({ stderr: told, exitCode: 0 });
    }
  });

  test("draws the list of sessions in its place on a screen", async () => {
    await using person = await Keyboard.openAsync(["sessions", "--watch"], box, 80, "1 session connected.");
    const other = box.spawn(["headless", "--name", "Second"]);
    await person.seesAsync("2 sessions connected");
    expect(person.sent).toMatch(/\x1b\[\d+A\r\x1b\[J/);
    other.kill("SIGINT");
    await other.exited;
  });

  test("hides what a script prints with --no-logs, and shows it with --logs", async () => {
    const script = "print('printed') warn('warned') return 'value'";
    expect(await box.sbAsync(["exec", script, "--no-logs"])).toEqual({
      stdout: "value\n",
      stderr: "",
      exitCode: 0,
    });
    const shown = await box.sbAsync(["exec", script, "--logs"]);
    expect(shown).toEqual({ stdout: "printed\nvalue\n", stderr: "warned\n", exitCode: 0 });
  });
});
