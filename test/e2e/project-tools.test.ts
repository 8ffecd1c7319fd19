/** The tools that a project adds in its `sb.config.json`, served beside the studio tools. */
import { beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { untilAsync } from "../harness.ts";
import { sandbox } from "../sandbox.ts";
import { McpPeer } from "../peers/mcp-peer.ts";

const box = sandbox({ headless: true });
beforeAll(async () => {
  await box.writeAsync(
    "greet.luau",
    "local who, loud, extra = ... print(who, loud, extra) return workspace.Name, select('#', ...)",
  );
  const config = {
    tools: {
      greet: { script: ["greet.luau", "{who # whom}", "[--loud]", "[words...]"], context: "edit" },
      look: { command: ["cat", "{file}"], readOnly: true },
      flood: { command: ["sh", "-c", "seq 100000"] },
      broken: { command: "echo {}" },
    },
  };
  await box.writeAsync("sb.config.json", JSON.stringify(config, null, 2));
}, 120_000);

describe("a project's tools", () => {
  test("are served beside the studio tools", async () => {
    await using peer = new McpPeer(box);
    await peer.initializeAsync();
    const { result } = await peer.requestAsync("tools/list");
    const names = Object(result).tools.map(({ name }: { readonly name: string }) => name);
    expect(names).toContain("studio_exec");
    expect(names.slice(-3)).toEqual(["look", "flood", "greet"]);
    const greeted = await peer.toolAsync("greet", { who: "-you", loud: true, words: ["a", "b"] });
    expect(greeted["structuredContent"]).toMatchObject({
      success: true,
      logs: [{ level: "Print", body: "-you --loud a" }],
      returnValues: ["Workspace", 4],
    });
    expect(await peer.toolAsync("look", { file: "greet.luau" })).toMatchObject({
      content: [{ text: expect.stringContaining("local who") }],
    });
    expect(await peer.toolAsync("look", { file: "--help" })).toMatchObject({ isError: true });
  });

  test("change when their file does, and clients are told", async () => {
    await using peer = new McpPeer(box);
    await peer.initializeAsync();
    const namesAsync = async () => {
      const { result } = await peer.requestAsync("tools/list");
      return Object(result).tools.map(({ name }: { readonly name: string }) => name);
    };
    const toldAsync = (count: number) =>
      untilAsync(`change ${count} is told`, () => {
        const told = peer.messages.filter(({ method }) => method === "notifications/tools/list_changed");
        return told.length === count ? true : undefined;
      });
    expect(await namesAsync()).toContain("look");
    const file = join(box.folder, "sb.config.json");
    const before = await Bun.file(file).text();
    await Bun.write(file, '{ "tools": { "fresh": { "command": "pwd" } } }');
    await toldAsync(1);
    expect((await namesAsync()).at(-1)).toBe("fresh");
    await Bun.write(file, before);
    await toldAsync(2);
    expect(await namesAsync()).toContain("look");
  });

  test("say what is wrong with their file on stderr", async () => {
    await using peer = new McpPeer(box);
    await peer.initializeAsync();
    await peer.requestAsync("tools/list");
    await peer.endAsync();
    expect(await peer.stderr.text()).toContain("tools.broken.command: Empty field name: {}");
  });

  test("give long output cut, counted, and whole as a resource", async () => {
    await using peer = new McpPeer(box);
    await peer.initializeAsync();
    const { content } = await peer.toolAsync("flood");
    const [text, note, link] = Array.isArray(content) ? content : [];
    expect(text.text.length).toBeLessThan(64 * 1024);
    expect(text.text).toStartWith("1\n2\n");
    expect(text.text).toEndWith("99999\n100000\n");
    expect(note.text).toContain("of 588895 characters");
    const parts = await Promise.all(
      [1, 2, 3, 4, 5].map((part) =>
        peer.requestAsync("resources/read", { uri: link.uri.replace(/\d+$/, String(part)) }),
      ),
    );
    const whole = parts.map(({ result }) => Object(result).contents[0].text).join("");
    expect(whole).toBe(Array.from({ length: 100_000 }, (_, index) => `${index + 1}\n`).join(""));
  });

  test("are left out by --read-only unless they only read", async () => {
    await using peer = new McpPeer(box, ["--read-only"]);
    await peer.initializeAsync();
    const { result } = await peer.requestAsync("tools/list");
    const names = Object(result).tools.map(({ name }: { readonly name: string }) => name);
    expect([names.includes("look"), names.includes("greet")]).toEqual([true, false]);
  });

  test("are listed without a bridge, whose flags are refused", async () => {
    expect(await box.localSbAsync(["tool", "list", "--port", "1"])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining("sb tool list does not take --port."),
    });
  });

  test("are listed by sb tool list, which fails where one of them is wrong", async () => {
    const { stdout, exitCode } = await box.localSbAsync(["tool", "list"]);
    const file = join(box.folder, "sb.config.json");
    expect({ exitCode, lines: stdout.trimEnd().split("\n") }).toEqual({
      exitCode: 1,
      lines: [
        file,
        "NAME   KIND     RUNS",
        "greet  script   greet.luau {who} [--loud] [words...]",
        "look   command  cat {file}",
        "flood  command  sh -c seq 100000",
        `problem: ${file}:27:18: tools.broken.command: Empty field name: {}`,
      ],
    });
  });
});
