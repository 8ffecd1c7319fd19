/** Reading, searching and editing the sources of scripts, on the command line, in the terminal and over MCP. */
import { beforeAll, describe, expect, test } from "bun:test";
import { chmod, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { sandbox } from "../sandbox.ts";
import { Keyboard, keys } from "../peers/keyboard.ts";
import { McpPeer } from "../peers/mcp-peer.ts";

const MAIN = "print(1)\nlocal x = wait(2)\n\nreturn x\n";
const MAIN_HASH = "01067b207ef16cb95fb93e0fe1786633edb83f93";
const PLACE = `
local main = Instance.new("Script")
main.Name = "Main"
main.Source = ${JSON.stringify(MAIN)}
main.Parent = game.ServerScriptService
local module = Instance.new("ModuleScript")
module.Name = "Item.s"
module.Source = "return { Wait = 1 }"
module.Parent = main
local bytes = Instance.new("ModuleScript")
bytes.Name = "Bytes"
bytes.Source = "return '\\255ä'"
bytes.Parent = game.ReplicatedStorage`;

const box = sandbox({ headless: true });
beforeAll(async () => {
  const { stderr, exitCode } = await box.sbAsync(["exec", PLACE]);
  expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 0 });
}, 120_000);

const scriptAsync = (...words: readonly string[]) =>
  box.localSbAsync(["script", ...words], { SB_PORT: String(box.port) });

describe("sb script read", () => {
  test("gives the source as it is, and with --json all that is known of it", async () => {
    const plain = await scriptAsync("read", "ServerScriptService.Main");
    expect(plain).toEqual({ exitCode: 0, stdout: MAIN, stderr: "" });
    const { stdout } = await scriptAsync("read", "game.ServerScriptService.Main", "--json", "--lines", "2:3");
    expect(JSON.parse(stdout)).toEqual({
      path: "ServerScriptService.Main",
      id: expect.stringMatching(/^@\d+$/),
      className: "Script",
      source: "local x = wait(2)\n\n",
      startLine: 2,
      totalLines: 4,
      hash: MAIN_HASH,
      isDraft: true,
      hasUnsavedDraft: false,
      nextOffset: 4,
    });
    const saved = await scriptAsync("read", "ServerScriptService.Main", "--saved", "--json");
    expect(JSON.parse(saved.stdout)).toMatchObject({ isDraft: false, source: MAIN });
  });

  test("in a pipe gives each byte, and edit --file takes each byte", async () => {
    const sources = ["return 1", "return 1\n\n", "return 1\r\n-- ä\r\n", "#!/usr/bin/sb\r\nreturn\n", ""];
    for (const source of sources) {
      const made = await box.sbAsync(["new", "ModuleScript", "ReplicatedStorage", "Name=Exact"]);
      expect(made.exitCode).toBe(0);
      const file = await box.writeAsync("exact.luau", source);
      expect((await scriptAsync("edit", "ReplicatedStorage.Exact", "--file", file)).exitCode).toBe(0);
      const read = await scriptAsync("read", "ReplicatedStorage.Exact");
      expect(read).toEqual({ exitCode: 0, stdout: source, stderr: "" });
      const again = await scriptAsync("edit", "ReplicatedStorage.Exact", "--file", file, "--json");
      expect(JSON.parse(again.stdout)).toMatchObject({ ok: true, undo: { reason: "nothing changes" } });
      if (source !== "") {
        const edit = ["edit", "ReplicatedStorage.Exact", "--old", "return", "--new", "return\n"];
        expect((await scriptAsync(...edit)).exitCode).toBe(0);
        const lineEnd = source.includes("ä") ? "\r\n" : "\n";
        const expected = source.replace("return", `return${lineEnd}`);
        expect((await scriptAsync("read", "ReplicatedStorage.Exact")).stdout).toBe(expected);
      }
      await box.sbAsync(["rm", "ReplicatedStorage.Exact"]);
    }
  });

  test("says where a path leads instead, and which lines there are", async () => {
    const near = await scriptAsync("read", "ServerScriptService.Mian");
    expect(near.stderr).toContain("ServerScriptService has no Mian. Did you mean Main?");
    const folder = await scriptAsync("read", "ServerScriptService");
    expect(folder.stderr).toStartWith(
      "error: ServerScriptService is a ServerScriptService and has no source that can be read.",
    );
    const beyond = await scriptAsync("read", "ServerScriptService.Main", "--lines", "5:9");
    expect(beyond.stderr).toContain("has 4 lines, and no line 5.");
    const wrong = await scriptAsync("read", "ServerScriptService.Main", "--lines", "9:5");
    expect([wrong.stderr, wrong.exitCode]).toEqual([
      "error: Not a range of lines: 9:5\nhint: Write 10:20, 10: or :20; lines count from 1.\n",
      2,
    ]);
  });
});

describe("sb script grep", () => {
  test("shows each line with its place, and counts", async () => {
    expect(await scriptAsync("grep", "wait")).toEqual({
      exitCode: 0,
      stdout: "ServerScriptService.Main:2: local x = wait(2)\n",
      stderr: "1 match in 1 of 3 scripts.\n",
    });
    const { stdout, stderr } = await scriptAsync("grep", "-i", "WAIT", "--limit", "1", "-C", "1");
    expect(stdout).toBe(
      [
        "ServerScriptService.Main-1- print(1)",
        "ServerScriptService.Main:2: local x = wait(2)",
        "ServerScriptService.Main-3- ",
        "",
      ].join("\n"),
    );
    expect(stderr).toBe("2 matches in 2 of 3 scripts. The first 1 are shown; --limit N shows more.\n");
  });

  test("takes a regular expression, a root and a class", async () => {
    const words = ["grep", "--regex", "^(return|print)\\b", "ServerScriptService", "--class", "ModuleScript"];
    const { stdout } = await scriptAsync(...words, "--json");
    expect(JSON.parse(stdout)).toEqual({
      matches: [{ path: "ServerScriptService.Main.Item\\.s", line: 1, text: "return { Wait = 1 }" }],
      total: 1,
      scripts: 1,
      searched: 1,
    });
    const refused = await scriptAsync("grep", "--regex", "(");
    expect(refused.stderr).toStartWith("error: Not a regular expression: (: ");
    const unknown = await scriptAsync("grep", "x", "--class", "ModulScript");
    expect(unknown.stderr).toContain("There is no class ModulScript. Did you mean ModuleScript?");
    expect(unknown.exitCode).toBe(2);
    const nowhere = await scriptAsync("grep", "x", "ServerScriptServic");
    expect(nowhere.stderr).toContain("Did you mean ServerScriptService?");
  });
});

test("sb script names its commands, and near ones of a wrong word", async () => {
  const [help, longer] = [await scriptAsync("--help"), await box.localSbAsync(["help", "script"])];
  expect(help.stdout).toContain("script read");
  expect(longer.stdout).toBe(help.stdout);
  const wrong = await scriptAsync("raed");
  expect([wrong.stderr, wrong.exitCode]).toEqual([
    expect.stringContaining('Unknown command "sb script raed". Did you mean sb script read?'),
    2,
  ]);
});

test("the terminal has them as dot-commands of two words", async () => {
  const stdin = ".script read ServerScriptService.Main --lines 1:1\n.script grep 'wait(2)'\n";
  const { stdout } = await box.sbAsync(["terminal"], { stdin });
  expect(stdout).toBe("print(1)\nServerScriptService.Main:2: local x = wait(2)\n");
});

describe("sb script edit", () => {
  const EDITED = "Workspace.Edited";
  const sourceAsync = async () => (await scriptAsync("read", EDITED)).stdout;
  const writeAsync = (source: string) =>
    box.sbAsync([
      "exec",
      `local module = workspace:FindFirstChild("Edited") or Instance.new("ModuleScript", workspace)
      module.Name = "Edited" module.Source = ${JSON.stringify(source)}`,
    ]);

  test("replaces a text, lines or everything, and shows what changed", async () => {
    await writeAsync("local x = 1\nwait(1)\nreturn x\n");
    const text = await scriptAsync("edit", EDITED, "--old", "wait(1)", "--new", "task.wait(1)");
    expect(text).toEqual({
      exitCode: 0,
      stdout: [
        "--- Workspace.Edited",
        "+++ Workspace.Edited",
        "@@ -1,3 +1,3 @@",
        " local x = 1",
        "-wait(1)",
        "+task.wait(1)",
        " return x",
        "",
      ].join("\n"),
      stderr: "",
    });
    await scriptAsync("edit", EDITED, "--lines", "1:2", "--new", "");
    await scriptAsync("edit", EDITED, "--insert", "1", "--new=--!strict");
    await scriptAsync("edit", EDITED, "--insert", "3", "--new=-- end");
    expect(await sourceAsync()).toBe("--!strict\nreturn x\n-- end");
    const past = await scriptAsync("edit", EDITED, "--insert", "9", "--new", "x");
    expect(past.stdout).toContain("There is no line 9; the source has 3 lines.");
    const file = await box.writeAsync("new.luau", "return 7\r\n");
    await scriptAsync("edit", EDITED, "--file", file);
    expect(await sourceAsync()).toBe("return 7\r\n");
    const options = { SB_PORT: String(box.port) };
    await box.localSbAsync(["script", "edit", EDITED, "--old", "7", "--new", "8"], options);
    expect(await sourceAsync()).toBe("return 8\r\n");
  });

  test("refuses with the near lines, changes nothing then, and tries first with --dry-run", async () => {
    await writeAsync("local first = wait(1)\nlocal second = wait(1)\n");
    const before = await sourceAsync();
    const missing = await scriptAsync("edit", EDITED, "--old", "locl first = wait()", "--new", "x");
    expect([missing.exitCode, missing.stdout]).toEqual([
      1,
      "refused: Workspace.Edited: The source does not have this text.\n  1: local first = wait(1)\n",
    ]);
    const twice = await scriptAsync("edit", EDITED, "--old", "wait(1)", "--new", "x");
    expect(twice.stdout).toContain("The source has this text 2 times");
    const broken = ["edit", EDITED, "--old", "wait(1)", "--new", "wait(", "--all"];
    const refused = await scriptAsync(...broken, "--check");
    expect(refused.stdout).toContain("refused: Workspace.Edited: The new source does not compile, line 2: ");
    const tried = await scriptAsync(...broken, "--dry-run");
    expect(tried.stdout).toContain("warning: The new source does not compile, line 2: ");
    expect(tried.stdout).toContain("No undo step: this was a dry run.");
    const stale = await scriptAsync("edit", EDITED, "--lines", "1", "--new", "", "--hash", "0123");
    expect(stale.stdout).toContain("The source has changed since it was read");
    const nowhere = await scriptAsync("edit", "Workspace.Editd", "--old", "a", "--new", "b");
    expect(nowhere.stdout).toBe(
      "refused: Workspace.Editd: No instance found at path: Workspace.Editd. Did you mean Edited? `sb new ModuleScript Workspace Name=Editd` creates one.\n",
    );
    const unsaid = await scriptAsync("edit", EDITED);
    expect([unsaid.exitCode, unsaid.stderr]).toEqual([
      2,
      "error: There is no terminal for a text editor.\nhint: Give the change as flags: --old TEXT --new TEXT, --lines A:B --new TEXT, or --file FILE.\n",
    ]);
    expect(await sourceAsync()).toBe(before);
  });

  test("opens the person's text editor, which has Ctrl+C for itself, and keeps what cannot be written", async () => {
    const editor = `#!/bin/sh\ntrap 'echo interrupted' INT\necho "editing $1"\nread line || read line\nprintf '%s\\n' "$line" > "$1"\n`;
    await chmod(await box.writeAsync("bin/text-editor", editor), 0o755);
    await writeAsync("return 1\n");
    await using person = await Keyboard.openAsync(["script", "edit", EDITED], box, 200, "editing ");
    person.press(keys.ctrlC);
    await person.seesAsync("interrupted");
    person.press(`return 2${keys.enter}`);
    await person.seesAsync("+return 2");
    expect(await person.exited).toBe(0);
    expect(await sourceAsync()).toBe("return 2\n");
    await using late = await Keyboard.openAsync(["script", "edit", EDITED], box, 200, "editing ");
    await writeAsync("return 3\n");
    late.press(`return 4${keys.enter}`);
    await late.seesAsync("What you wrote is in ");
    expect(await late.exited).toBe(1);
    const [, file = ""] = /editing (\S+)/.exec(late.sent) ?? [];
    expect(await Bun.file(file).text()).toBe("return 4\n");
    await rm(dirname(file), { recursive: true });
    expect(await sourceAsync()).toBe("return 3\n");
  });
});

describe("over MCP", () => {
  test("a long source comes in parts of whole lines, and bytes that are no text are replaced", async () => {
    await using peer = new McpPeer(box);
    await peer.initializeAsync();
    const lines = Array.from({ length: 2_000 }, (_, index) => `local value${index} = "text"\n`);
    const script = `local long = Instance.new("ModuleScript", game.ReplicatedStorage) long.Name = "Long"
      long.Source = ${JSON.stringify(lines.join(""))}`;
    await peer.toolAsync("studio_exec", { script });
    let [source, offset]: [string, number | undefined] = ["", 1];
    while (offset !== undefined) {
      const result = await peer.toolAsync("studio_read_script", { path: "ReplicatedStorage.Long", offset });
      expect(Buffer.byteLength(JSON.stringify(result["structuredContent"]))).toBeLessThanOrEqual(16 * 1024);
      const part = result["structuredContent"] as { source: string; nextOffset?: number };
      source += part.source;
      offset = part.nextOffset;
    }
    expect(source).toBe(lines.join(""));
    const { structuredContent } = await peer.toolAsync("studio_read_script", {
      path: "ReplicatedStorage.Bytes",
    });
    expect(structuredContent).toMatchObject({
      source: "return '\uFFFDä'",
      hash: "139bc0cf9d8cc19991fb69338332c08e0e61e277",
    });
  });

  test("a second search sees what has changed, come and gone, in each context of its own", async () => {
    await using peer = new McpPeer(box);
    await peer.initializeAsync();
    const foundAsync = async () => {
      const { structuredContent } = await peer.toolAsync("studio_grep", {
        pattern: "needle",
        root: "Workspace",
      });
      return (structuredContent as { matches: { path: string; line: number }[] }).matches.map(
        ({ path, line }) => `${path}:${line}`,
      );
    };
    const runAsync = (script: string) => peer.toolAsync("studio_exec", { script });
    await runAsync(`for index = 1, 3 do
      local module = Instance.new("ModuleScript", workspace) module.Name = "M" .. index module.Source = "needle"
    end`);
    expect(await foundAsync()).toEqual(["Workspace.M1:1", "Workspace.M2:1", "Workspace.M3:1"]);
    await runAsync(`workspace.M1:Destroy() workspace.M2.Source = "\\nneedle" workspace.M3.Name = "M4"`);
    expect(await foundAsync()).toEqual(["Workspace.M2:2", "Workspace.M4:1"]);
    await runAsync(`workspace.M2.Source = "none" workspace.M4.Source = "needle needle"`);
    expect(await foundAsync()).toEqual(["Workspace.M4:1"]);
  });
});
