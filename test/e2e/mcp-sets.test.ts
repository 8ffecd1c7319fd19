/** Which tools the compiled `sb mcp` offers, how large their list is, and how a call names a session. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { sandbox } from "../sandbox.ts";
import { McpPeer } from "../peers/mcp-peer.ts";

setDefaultTimeout(120_000);

const box = sandbox();

async function peerAsync(...flags: readonly string[]): Promise<McpPeer> {
  const peer = new McpPeer(box, flags);
  await peer.initializeAsync();
  return peer;
}

const stateless = {
  _meta: {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
  },
};

/** The answer as it goes over the line, the longer one of the two newest dialects. */
async function listAsync(...flags: readonly string[]) {
  await using peer = await peerAsync(...flags);
  const answers = [await peer.requestAsync("tools/list"), await peer.requestAsync("tools/list", stateless)];
  const lines = answers.map((answer) => JSON.stringify(answer));
  const { tools } = Object(answers[0]?.["result"]);
  return {
    tools: tools as {
      readonly name: string;
      readonly description: string;
      readonly inputSchema: { readonly properties?: object };
    }[],
    names: tools.map(({ name }: { readonly name: string }) => name),
    text: lines.join("\n"),
    bytes: Math.max(...lines.map((line) => Buffer.byteLength(line))),
  };
}

const core = [
  "studio_exec",
  "studio_logs",
  "studio_query",
  "studio_screenshot",
  "studio_sessions",
  "studio_state",
];

test("the default list has at most 24,576 bytes, all ASCII, and is the set `default`", async () => {
  const { names, bytes, text, tools } = await listAsync();
  expect(bytes).toBeLessThanOrEqual(24_576);
  expect(text).toMatch(/^[\n -~]*$/);
  expect(names).toEqual(expect.arrayContaining([...core, "studio_play", "studio_api"]));
  expect((await listAsync("--tools", "default")).names).toEqual(names);
  for (const { inputSchema, name: _, description: __, ...facts } of tools) {
    expect(inputSchema.properties).not.toHaveProperty("instanceId");
    expect(inputSchema.properties).not.toHaveProperty("player");
    expect(facts).toEqual({
      title: expect.any(String),
      annotations: {
        readOnlyHint: expect.any(Boolean),
        destructiveHint: expect.any(Boolean),
        idempotentHint: expect.any(Boolean),
        openWorldHint: expect.any(Boolean),
      },
    });
  }
});

test("the set `core` has six tools in at most 7,168 bytes, and joins `compat`", async () => {
  const six = await listAsync("--tools", "core");
  expect(six.names.toSorted()).toEqual(core);
  expect(six.bytes).toBeLessThanOrEqual(7_168);
  expect(six.text).toMatch(/^[\n -~]*$/);
  const compat = await listAsync("--tools", "compat");
  expect(compat.names).toHaveLength(8);
  expect((await listAsync("--tools", "core,compat")).names).toEqual([...six.names, ...compat.names]);
});

test("groups join into one list that has each tool once, and every tool has a group", async () => {
  const groups = ["core", "edit", "script", "play", "test", "sync", "look", "ui"];
  const [all, joined] = [await listAsync(), await listAsync("--tools", groups.join(","))];
  expect(joined.names.toSorted()).toEqual(
    all.names.filter((name: string) => name !== "studio_result").toSorted(),
  );
  const { names } = await listAsync("--tools", "core,test");
  expect(names.toSorted()).toEqual([...core, "studio_check", "studio_test"].toSorted());
  expect(
    (await listAsync("--tools", "script,look")).names.filter((name: string) => name === "studio_api"),
  ).toHaveLength(1);
});

test("the set `ui` sees a user interface and presses in it, and repeats no tool of `look` and `play`", async () => {
  const { names } = await listAsync("--tools", "ui");
  expect(names.toSorted()).toEqual(["studio_input", "studio_screenshot", "studio_ui"]);
  const three = await listAsync("--tools", "look,play,ui");
  expect(three.names.toSorted()).toEqual((await listAsync("--tools", "look,play")).names.toSorted());
});

test("sets that have a tool of one name, or that do not exist, are refused before a client connects", async () => {
  const both = await box.sbAsync(["mcp", "--tools", "core,default"]);
  expect(both).toMatchObject({ exitCode: 2, stdout: "" });
  expect(both.stderr).toContain("The sets default and core both have a tool studio_exec.");
  const twice = await box.sbAsync(["mcp", "--tools", "core,core"]);
  expect(twice.stderr).toContain("--tools names the set core twice.");
  const unknown = await box.sbAsync(["mcp", "--tools", "some"]);
  expect(unknown.stderr).toContain(
    '--tools: expected default, core, edit, script, play, test, sync, look, ui or compat, got "some"',
  );
});

test("a server that only looks holds tools to looking, and says which switch hides the others", async () => {
  await using reader = await peerAsync("--read-only");
  const { result } = await reader.requestAsync("tools/list");
  const tools: readonly { name: string; inputSchema: { properties: object }; annotations: object }[] =
    Object(result).tools;
  const names = tools.map(({ name }) => name);
  expect(names).toEqual(
    expect.arrayContaining([
      "studio_grep",
      "studio_play",
      "studio_select",
      "studio_edit",
      "studio_edit_script",
      "studio_wait",
    ]),
  );
  expect(names).not.toContain("studio_exec");
  for (const { name, annotations, inputSchema } of tools) {
    expect({ name, annotations }).toMatchObject({ annotations: { readOnlyHint: true } });
    // Both actions of this one only look.
    const held = name === "studio_ui" ? [] : ["action", "focus", "until", "dryRun"];
    for (const key of held) expect(inputSchema.properties).not.toHaveProperty(key);
  }
  const messageAsync = async (peer: McpPeer, name: string, args: object = {}): Promise<string> => {
    const { error, result } = await peer.requestAsync("tools/call", { name, arguments: { ...args } });
    return error === undefined ? JSON.parse(Object(result).content[0].text).error : Object(error).message;
  };
  expect(await messageAsync(reader, "studio_exec", { script: "" })).toContain("started with --read-only");
  expect(await messageAsync(reader, "studio_play", { action: "start" })).toContain(
    'action: is always "state", because this server was started with --read-only',
  );
  expect(await messageAsync(reader, "studio_select", { paths: [] })).toContain(
    "paths: is not taken, because",
  );
  const edit = { edits: [{ path: "Workspace.A", source: "" }], dryRun: false };
  expect(await messageAsync(reader, "studio_edit_script", edit)).toContain("dryRun: is always true, because");
  await using six = await peerAsync("--tools", "core");
  await six.requestAsync("tools/list");
  expect(await messageAsync(six, "studio_grep")).toContain(
    "It is in the set script, and this server was started with --tools core.",
  );
  expect(await messageAsync(six, "studio_result")).toContain("It is in the set default");
  expect(await messageAsync(six, "run_code")).toContain("It is in the set compat");
});

test("a context names one of several clients, by number or by name", async () => {
  await box.headlessAsync();
  await using peer = await peerAsync();
  const { sessions } = Object(
    (await peer.toolAsync("studio_play", { action: "start", players: 2 })).structuredContent,
  );
  const [, , second] = sessions;
  const whoAsync = async (args: object) => {
    const script = 'return game:GetService("Players").LocalPlayer.Name';
    const { structuredContent } = await peer.toolAsync("studio_exec", { script, ...args });
    return Object(structuredContent).returnValues;
  };
  const { name } = second.player;
  expect(await whoAsync({ context: "client:2" })).toEqual([name]);
  expect(await whoAsync({ context: `client:${name}` })).toEqual([name]);
  // The arguments that the schemas no longer show.
  expect(await whoAsync({ context: "client", player: "2" })).toEqual([name]);
  const refusalAsync = async (args: object) =>
    Object((await peer.requestAsync("tools/call", { name: "studio_state", arguments: { ...args } })).result);
  expect(await refusalAsync({ context: "client:" })).toMatchObject({
    isError: true,
    content: [{ text: expect.stringContaining("context: expected client:2 or client:NAME") }],
  });
  expect(await refusalAsync({ context: "client:2", player: "1" })).toMatchObject({
    isError: true,
    content: [{ text: expect.stringContaining("player: says 1, where context says 2; leave it out") }],
  });
  await peer.toolAsync("studio_play", { action: "stop" });
});
