/** Reading, searching and editing the sources of scripts, on the command line, in the terminal and over MCP. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Sandbox } from "../harness.ts";
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

let box: Sandbox;
beforeAll(async () => {
  box = await Sandbox.createAsync();
  await box.headlessAsync();
  const { stderr, exitCode } = await box.sbAsync(["exec", PLACE]);
  expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 0 });
}, 120_000);
afterAll(async () => {
  await box[Symbol.asyncDispose]();
});

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

  test("says where a path leads instead, and which lines there are", async () => {
    const near = await scriptAsync("read", "ServerScriptService.Mian");
    expect(near.stderr).toContain("game.ServerScriptService has no Mian. Did you mean Main?");
    const folder = await scriptAsync("read", "ServerScriptService");
    expect(folder.stderr).toStartWith(
      "error: game.ServerScriptService is a ServerScriptService and has no source that can be read.",
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
