/** An agent with the official client over stdio: it reads what a running game holds, renames a function in 40 scripts, and takes it back. */
import { beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { binaryPath } from "../../build.ts";
import { sandbox } from "../sandbox.ts";

setDefaultTimeout(120_000);

const box = sandbox({ headless: "Game" });
const SCRIPTS = 40;

/** A module that counts, and scripts that call its function; one of them has two calls in CRLF lines. */
const PLACE = `
  local storage = game:GetService("ReplicatedStorage")
  local shop = Instance.new("ModuleScript")
  shop.Name = "Shop"
  shop.Source = "local Shop = { sold = 0 }\\nfunction Shop.sellItem(name)\\n\\tShop.sold += 1\\nend\\nreturn Shop"
  shop.Parent = storage
  for index = 1, ${SCRIPTS - 1} do
    local user = Instance.new("Script")
    user.Name = "User" .. index
    user.Source = 'local Shop = require(game.ReplicatedStorage.Shop)\\nShop.sellItem("' .. index .. '")'
    user.Parent = game:GetService("ServerScriptService")
  end
  game.ServerScriptService.User1.Source ..= '\\r\\nShop.sellItem("again")\\r\\n'`;

interface Told {
  readonly facts: { readonly [key: string]: unknown };
  readonly isError: boolean;
}

/** Counts its calls, and the bytes of their arguments and of the answers that a model reads. */
class Agent implements AsyncDisposable {
  calls = 0;
  bytes = 0;
  readonly #client: Client;

  private constructor(client: Client) {
    this.#client = client;
  }

  static async openAsync(...flags: readonly string[]): Promise<Agent> {
    const options = { versionNegotiation: { mode: "auto" } } as const;
    const client = new Client({ name: "story", version: "1" }, options);
    await client.connect(
      new StdioClientTransport({
        command: binaryPath,
        args: ["mcp", "--port", String(box.port), ...flags],
        env: box.env(),
        cwd: box.folder,
      }),
    );
    return new Agent(client);
  }

  async callAsync(name: string, args: { readonly [key: string]: unknown } = {}): Promise<Told> {
    const result = await this.#client.callTool({ name, arguments: args });
    this.calls += 1;
    const [first] = result.content;
    const text = first?.type === "text" ? first.text : "{}";
    this.bytes += Buffer.byteLength(JSON.stringify(args)) + Buffer.byteLength(text);
    const facts = Object(JSON.parse(text));
    return { facts, isError: result.isError === true };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#client.close();
  }
}

const sourcesAsync = async (): Promise<string> => {
  const script = `local all = {}
    for _, each in game:GetDescendants() do
      if each:IsA("LuaSourceContainer") then table.insert(all, each:GetFullName() .. "\\n" .. each.Source) end
    end
    return table.concat(all, "\\n--\\n")`;
  return (await box.sbAsync(["exec", "-q", script])).stdout;
};

beforeAll(async () => {
  expect(await box.sbAsync(["exec", PLACE])).toMatchObject({ exitCode: 0, stderr: "" });
}, 120_000);

test("the story takes eight calls and less than 32 KB, and leaves the place as it was", async () => {
  const before = await sourcesAsync();
  await using agent = await Agent.openAsync();
  await agent.callAsync("studio_play", { action: "start" });
  const state = await agent.callAsync("studio_exec", {
    script: "return require(game.ReplicatedStorage.Shop).sold",
    inGame: true,
  });
  // The scripts of the game have called the very module that the code requires.
  expect(state.facts).toMatchObject({ success: true, returnValues: [SCRIPTS] });
  const apart = await agent.callAsync("studio_exec", {
    script: "return require(game.ReplicatedStorage.Shop).sold",
  });
  expect(apart.facts).toMatchObject({ success: true, returnValues: [0] });
  await agent.callAsync("studio_play", { action: "stop" });

  const replace = { pattern: "sellItem", with: "sell", word: true, expectCount: SCRIPTS + 1 };
  const shown = await agent.callAsync("studio_edit_script", { replace, check: true, dryRun: true });
  expect(shown.facts).toMatchObject({ ok: true, total: SCRIPTS + 1, scripts: SCRIPTS });
  expect(await sourcesAsync()).toBe(before);
  const renamed = await agent.callAsync("studio_edit_script", { replace, check: true });
  expect(renamed.facts).toMatchObject({ ok: true, total: SCRIPTS + 1, scripts: SCRIPTS });
  expect(await sourcesAsync()).toBe(before.replaceAll("sellItem", "sell"));
  expect((await agent.callAsync("studio_grep", { pattern: "sellItem" })).facts).toMatchObject({ total: 0 });
  const undone = await agent.callAsync("studio_undo");
  expect(undone.facts["undone"]).toHaveLength(1);
  expect(await sourcesAsync()).toBe(before);
  expect(agent.calls).toBe(8);
  // Nearly all of them are the differences of 40 scripts, told twice.
  expect(agent.bytes).toBeLessThan(32_768);
});

describe("what cannot be done changes nothing, and says what to do", () => {
  const refused: readonly (readonly [string, object, string, ...string[]])[] = [
    [
      "another number of matches",
      { replace: { pattern: "sellItem", with: "sell", expectCount: 7 } },
      "PRECONDITION_FAILED",
      "matches 41 times in 40 scripts, not 7",
      "dry run",
    ],
    [
      "an expression that never ends",
      { replace: { pattern: "^(.+)+[!]$", with: "x", regex: true } },
      "TIMEOUT",
      "took longer than 2 seconds",
    ],
    [
      "no expression at all",
      { replace: { pattern: "(", with: "x", regex: true } },
      "INVALID_INPUT",
      "missing )",
    ],
    [
      "a source that has changed since it was read",
      { edits: [{ path: "ReplicatedStorage.Shop", source: "", hash: "0".repeat(40) }] },
      "PRECONDITION_FAILED",
      "Read the script again",
    ],
    [
      "a session that is not there",
      { replace: { pattern: "sellItem", with: "sell" }, sessionId: "nowhere" },
      "SESSION_NOT_FOUND",
      "studio_sessions",
    ],
    [
      "a client that does not play",
      { replace: { pattern: "sellItem", with: "sell" }, context: "client:9" },
      "CONTEXT_UNAVAILABLE",
      "Start a play session first",
    ],
    [
      "edits and a replacement",
      { replace: { pattern: "a", with: "b" }, edits: [{ path: "Workspace", source: "" }] },
      "INVALID_INPUT",
      "Make two calls",
    ],
    [
      "a root that is not there",
      { replace: { pattern: "a", with: "b", root: "Nowhere" } },
      "INSTANCE_NOT_FOUND",
      "Nowhere",
    ],
    [
      "what no longer compiles",
      { replace: { pattern: "sellItem(", with: "sellItem((" }, check: true },
      "SCRIPT_LOAD_ERROR",
      "does not compile",
    ],
    ["an empty pattern", { replace: { pattern: "", with: "x" } }, "INVALID_INPUT", "the pattern is empty"],
  ];
  test.each(refused)("%s", async (_what, args, code, ...texts) => {
    const before = await sourcesAsync();
    await using agent = await Agent.openAsync();
    const { facts, isError } = await agent.callAsync("studio_edit_script", { ...args });
    expect(isError || facts["ok"] === false).toBe(true);
    const told = JSON.stringify(facts);
    expect(told).toContain(`"code":"${code}"`);
    for (const text of texts) expect(told).toContain(text);
    expect(await sourcesAsync()).toBe(before);
    expect((await agent.callAsync("studio_undo")).facts["undone"]).toEqual([]);
  });

  test("a server that only reads shows what would change", async () => {
    const before = await sourcesAsync();
    await using agent = await Agent.openAsync("--read-only");
    const replace = { pattern: "sellItem", with: "sell" };
    const { facts } = await agent.callAsync("studio_edit_script", { replace });
    expect(facts).toMatchObject({ ok: true, total: SCRIPTS + 1 });
    const { facts: refusal } = await agent.callAsync("studio_edit_script", { replace, dryRun: false });
    expect(refusal["error"]).toContain("this server was started with --read-only");
    expect(await sourcesAsync()).toBe(before);
  });
});

test("signs of a replacement mean something only with regex", async () => {
  await using agent = await Agent.openAsync();
  const before = await sourcesAsync();
  const with$ = "$& $1 $$ $<name> \\1";
  await agent.callAsync("studio_edit_script", { replace: { pattern: '"again"', with: with$ } });
  expect(await sourcesAsync()).toBe(before.replace('"again"', () => with$));
  await agent.callAsync("studio_undo");
  const replace = { pattern: '"(?<word>aga)(in)"', with: "'$<word>$2$$'", regex: true };
  await agent.callAsync("studio_edit_script", { replace });
  expect(await sourcesAsync()).toBe(before.replace('"again"', () => "'again$'"));
  await agent.callAsync("studio_undo");
  expect(await sourcesAsync()).toBe(before);
});
