/**
 * The local Studio as a user meets it: install-plugin, launch, close. A script that starts a headless Studio replaces
 * Studio, which shows what `sb` does and nothing about what Roblox Studio does.
 */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { chmod, readdir } from "node:fs/promises";
import { join } from "node:path";
import { binaryPath } from "../../build.ts";
import { thisMachine } from "../../src/studio/machine.ts";
import { Sandbox, untilAsync } from "../harness.ts";
import { isRunning } from "../processes.ts";

/** The launch id of a Studio that `sb` knows nothing about. */
const THEIRS = "user-00000000-0000-0000-0000-000000000000";
setDefaultTimeout(120_000);

let box: Sandbox;
let env: { readonly [name: string]: string };
beforeAll(async () => {
  box = await Sandbox.createAsync();
  const studio = await box.writeAsync(
    "RobloxStudioBeta",
    `#!/bin/sh
echo "$@" >> ${join(box.folder, "opened")}
echo $$ >> ${join(box.folder, "pids")}
case "$*" in
  *Broken*) exit 3 ;;
  *Silent*) sleep 60 & trap "kill $!" TERM; wait; exit ;;
esac
${binaryPath} headless --port ${box.port} --name Launched --launch-id ${THEIRS} &
wait
`,
  );
  await chmod(studio, 0o755);
  env = { SB_STUDIO_PATH: studio, SB_PLUGINS_DIR: join(box.folder, "plugins") };
});
afterAll(async () => {
  const started = await Bun.file(join(box.folder, "pids")).text();
  // Each leads a group of its own.
  for (const pid of started.trim().split("\n")) thisMachine().end(Number(pid), { group: true });
  await box[Symbol.asyncDispose]();
});

const pluginFile = () => join(box.folder, "plugins", "StudioBridgePlugin.rbxm");
const openedAsync = async () => (await Bun.file(join(box.folder, "opened")).text()).trim().split("\n").at(-1);
const lastPidAsync = async () =>
  Number((await Bun.file(join(box.folder, "pids")).text()).trim().split("\n").at(-1));
const leftAsync = async (name: string) =>
  readdir(join(box.stateFolder, "studio-bridge", name)).catch(() => []);
const onUnix = test.skipIf(process.platform === "win32");

describe("install-plugin", () => {
  // These commands use no bridge, so they take no --port of one.
  const pluginAsync = async (...words: string[]) => {
    const child = Bun.spawn([binaryPath, ...words], {
      cwd: box.folder,
      env: box.env(env),
      stdout: "pipe",
      stderr: "pipe",
    });
    return {
      stdout: await child.stdout.text(),
      stderr: await child.stderr.text(),
      exitCode: await child.exited,
    };
  };
  const restart = [
    "Restart Studio for the plugin to take effect, if it is open.",
    "Where Studio asks whether the plugin may reach 127.0.0.1, allow it: sb is there.",
    "Plugins > Manage Plugins in Studio changes the answer later.",
    "",
  ];

  test("installs, finds itself installed, is forced, and goes again", async () => {
    const path = pluginFile();
    expect(await pluginAsync("install-plugin")).toEqual({
      stdout: [
        "Building persistent plugin...",
        `Plugin installed to ${path}`,
        "Its folder was not there and was made.",
        ...restart,
      ].join("\n"),
      stderr: "",
      exitCode: 0,
    });
    expect((await pluginAsync("plugin", "install")).stdout).toBe(
      `Plugin already installed at ${path}\nUse --force to overwrite.\n`,
    );
    expect((await pluginAsync("install-plugin", "--force")).stdout).toContain(`Plugin updated at ${path}\n`);
    expect((await pluginAsync("uninstall-plugin", "--json")).stdout).toContain('"removed":true');
    expect(await Bun.file(path).exists()).toBe(false);
  });

  test("says where it looked when there is no Studio", async () => {
    const child = Bun.spawn([binaryPath, "install-plugin"], { env: box.env(), stderr: "pipe" });
    const stderr = await child.stderr.text();
    expect(stderr).toStartWith(
      "error: Could not find Roblox Studio plugins folder. Is Studio installed?\nhint: Name it with --dir or in SB_PLUGINS_DIR.",
    );
    expect(await child.exited).toBe(1);
  });
});

describe("launch and close", () => {
  onUnix("says that the plugin is missing, and installs it with --yes", async () => {
    const refused = await box.sbAsync(["launch"], { env });
    expect(refused).toEqual({
      stdout: "",
      stderr:
        "error: The studio-bridge plugin is not installed in Studio.\nhint: Run `sb install-plugin`, or add --yes to install it now.\n",
      exitCode: 1,
    });
    expect(await box.sbAsync(["launch", "--yes"], { env })).toMatchObject({
      stdout: expect.stringMatching(
        /^Launching Studio with an empty place\.\.\.\nSession [0-9a-f-]{36} connected\.\n$/,
      ),
      exitCode: 0,
    });
    expect(await box.sessionsAsync()).toMatchObject([{ placeName: "Launched", origin: "managed" }]);
    expect(await box.sbAsync(["close"], { env })).toEqual({
      stdout: "Closed Launched.\n",
      stderr: "",
      exitCode: 0,
    });
    expect([await box.sessionsAsync(), await leftAsync("places"), await leftAsync("launches")]).toEqual([
      [],
      [],
      [],
    ]);
  });

  onUnix("opens a copy, or the file itself, which close does not lose unasked", async () => {
    const place = await box.writeAsync("My Game.rbxl", "content");
    await box.sbAsync(["launch", place], { env });
    expect(await openedAsync()).toMatch(/--localPlaceFile .+\/places\/managed-[0-9a-f-]{36}\/My Game\.rbxl$/);
    await box.sbAsync(["close"], { env });
    await box.sbAsync(["launch", place, "--in-place"], { env });
    expect(await openedAsync()).toEndWith(`--localPlaceFile ${place}`);
    const { stderr, exitCode } = await box.sbAsync(["close"], { env });
    expect(stderr).toStartWith(`error: Studio has ${place} itself open, so it was not closed.\n`);
    expect(exitCode).toBe(1);
    expect((await box.sbAsync(["close", "--yes"], { env })).exitCode).toBe(0);
    expect(await Bun.file(place).text()).toBe("content");
  });

  onUnix("exec without any Studio launches one, which stays for the next command", async () => {
    expect(await box.sbAsync(["exec", "return 1 + 1"], { env })).toEqual({
      stdout: "2\n",
      stderr: "(Studio was launched; waiting for its plugin)\n",
      exitCode: 0,
    });
    expect(await box.sessionsAsync()).toHaveLength(1);
    expect((await box.sbAsync(["close"], { env })).exitCode).toBe(0);
  });

  onUnix(
    "a Studio whose launcher did not wait is waited for by the next command, and closed like any other",
    async () => {
      expect((await box.sbAsync(["launch", "--no-wait"], { env })).exitCode).toBe(0);
      expect(await box.sbAsync(["exec", "print('ready')"], { env })).toEqual({
        stdout: "ready\n",
        stderr: "",
        exitCode: 0,
      });
      const listed = JSON.parse((await box.sbAsync(["sessions", "--json"], { env })).stdout);
      expect(listed.sessions).toMatchObject([{ placeName: "Launched", origin: "managed" }]);
      expect((await box.sbAsync(["close"], { env })).exitCode).toBe(0);
    },
  );

  onUnix("exec --place launches a Studio for that place, whatever else is open", async () => {
    const place = await box.writeAsync("Other.rbxl", "");
    await box.sbAsync(["launch"], { env });
    const [first] = await box.sessionsAsync();
    expect((await box.sbAsync(["exec", "--place", place, "print(1)"], { env })).stdout).toBe("1\n");
    expect(await openedAsync()).toEndWith("/Other.rbxl");
    expect(await box.sessionsAsync()).toHaveLength(2);
    for (const { sessionId } of await box.sessionsAsync()) await box.sbAsync(["close", sessionId], { env });
    expect(first === undefined ? [] : await box.sessionsAsync()).toEqual([]);
  });

  onUnix("tells a Studio that ends and one that never connects", async () => {
    const [broken, silent] = [
      await box.writeAsync("Broken.rbxl", ""),
      await box.writeAsync("Silent.rbxl", ""),
    ];
    expect((await box.sbAsync(["launch", broken], { env })).stderr).toStartWith(
      "error: Studio ended with exit code 3 before its plugin connected.\n",
    );
    const { stderr, exitCode } = await box.sbAsync(["launch", silent, "--timeout", "300"], { env });
    expect(stderr).toStartWith(
      "error: Studio launched but plugin did not connect within 300ms. Check Studio's output for errors.\n",
    );
    expect(exitCode).toBe(1);
    // It has no session by which close could find it, so that close looks for what sb has launched.
    expect(await box.sbAsync(["close"], { env })).toMatchObject({
      stdout: "Closed Silent.rbxl.\n",
      exitCode: 0,
    });
    expect(isRunning(await lastPidAsync())).toBe(false);
    expect([await leftAsync("places"), await leftAsync("launches")]).toEqual([[], []]);
    expect((await box.sbAsync(["close"], { env })).stderr).toContain("There is nothing to close");
    const exec = ["exec", "--place", silent, "--timeout", "400", "return 1"];
    expect((await box.sbAsync(exec, { env })).stderr).toContain("plugin did not connect within 400ms.");
    expect(isRunning(await lastPidAsync())).toBe(false);
    const interrupted = box.spawn(["exec", "--place", silent, "return 1"], { env });
    await interrupted.stderr.getReader().read();
    interrupted.kill("SIGINT");
    expect(await interrupted.exited).toBe(130);
    expect(isRunning(await lastPidAsync())).toBe(false);
    expect(await leftAsync("places")).toEqual([]);
    const { pid } = JSON.parse(
      (await box.sbAsync(["launch", silent, "--no-wait", "--json"], { env })).stdout,
    );
    process.kill(pid);
  });

  test("says how to do without, where there is no Studio", async () => {
    const place = await box.writeAsync("Alone.rbxl", "");
    const nowhere = { ...env, SB_STUDIO_PATH: join(box.folder, "nowhere") };
    const hintOf = async (...words: string[]) =>
      (await box.sbAsync(words, { env: nowhere })).stderr.split("\n")[1];
    const rest = "SB_STUDIO_PATH names no Studio. Searched:";
    expect(await hintOf("exec", "--place", place, "x")).toBe(
      `hint: To go without Studio, add --headless. ${rest}`,
    );
    expect(await hintOf("launch", place)).toBe(
      `hint: To go without Studio, run \`sb headless PLACE\`. ${rest}`,
    );
    expect(await hintOf("launch")).toBe(`hint: To go without Studio, run \`sb headless\`. ${rest}`);
  });

  test("says what is wrong with a place", async () => {
    expect((await box.sbAsync(["launch", "none.rbxl"], { env })).stderr).toStartWith(
      "error: Place file not found: none.rbxl\n",
    );
    const other = await box.writeAsync("script.luau", "");
    expect((await box.sbAsync(["launch", other], { env })).exitCode).toBe(2);
  });

  onUnix("a headless Studio that is closed on purpose ends well", async () => {
    const studio = box.spawn(["headless", "--name", "Shown"]);
    await untilAsync("it is listed", async () => ((await box.sessionsAsync()).length > 0 ? true : undefined));
    expect((await box.sbAsync(["close"], { env })).stdout).toBe("Closed Shown.\n");
    expect(await studio.exited).toBe(0);
    expect(await studio.stderr.text()).toBe("");
  });

  test("close ends a headless Studio, and no Studio that is not sb's", async () => {
    await box.sbAsync(["headless", "--detach", "--name", "Quiet"], { env });
    expect((await box.sbAsync(["close"], { env })).stdout).toBe("Closed Quiet.\n");
    // Nothing but a session of its own says that it is headless.
    const theirs = box.spawn(["headless", "--name", "Theirs", "--launch-id", THEIRS]);
    await untilAsync("it is listed", async () => ((await box.sessionsAsync()).length > 0 ? true : undefined));
    expect(await box.sbAsync(["close", "--yes"], { env })).toEqual({
      stdout: "",
      stderr:
        "error: Theirs was not started by this sb, so it is not closed.\nhint: Close its window yourself.\n",
      exitCode: 1,
    });
    expect(await box.sessionsAsync()).toHaveLength(1);
    theirs.kill();
    await untilAsync("it has gone", async () =>
      (await box.sessionsAsync()).length === 0 ? true : undefined,
    );
  });
});

describe("a Studio that runs without the plugin", () => {
  onUnix("is told apart from no Studio, and the plugin is offered", async () => {
    const plugins = join(box.folder, "other-plugins");
    const other = { ...env, SB_PLUGINS_DIR: plugins };
    const running = Bun.spawn([String(env["SB_STUDIO_PATH"]), "Silent"], {
      stdio: ["ignore", "ignore", "ignore"],
    });
    try {
      expect((await box.sbAsync(["exec", "x"], { env: other })).stderr).toBe(
        "error: The studio-bridge plugin is not installed in Studio.\nhint: Run `sb install-plugin`, or add --yes to install it now.\n",
      );
      const { stderr, exitCode } = await box.sbAsync(["exec", "--yes", "x"], { env: other });
      expect(stderr).toBe(
        [
          `Plugin installed to ${join(plugins, "StudioBridgePlugin.rbxm")}`,
          "error: No active sessions. Is Studio running with the studio-bridge plugin installed?",
          "hint: Restart Studio, so that it loads the plugin that was installed now.",
          "",
        ].join("\n"),
      );
      expect(exitCode).toBe(1);
    } finally {
      running.kill();
    }
  });
});
