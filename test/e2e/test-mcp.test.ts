/** studio_test over stdio: the answers about green and red runs, and the projects that an agent may run. */
import { beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { symlink } from "node:fs/promises";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { binaryPath } from "../../build.ts";
import { untilAsync } from "../harness.ts";
import { sandbox } from "../sandbox.ts";

setDefaultTimeout(120_000);

const CART = `return function()
	it("is empty", function()
		expect(0).to.equal(0)
	end)
	it("adds the tax", function()
		print("cart has", 2)
		expect(2.2).to.equal(2.38)
	end)
end
`;

const box = sandbox();
beforeAll(async () => {
  await box.writeAsync("shop/src/Cart.spec.luau", CART);
  await box.writeAsync("shop/green.spec.luau", "return { one = function() end, two = function() end }");
  const failures = Array.from(
    { length: 30 },
    (_, index) => `c${index} = function() error("no ${index}") end`,
  );
  await box.writeAsync("shop/many.spec.luau", `return { ${failures.join(", ")} }`);
  await box.writeAsync("secret.spec.luau", 'error("a secret")');
}, 120_000);

const connectAsync = (folder: string, ...words: string[]) =>
  connectedAsync(new Client({ name: "test", version: "1" }), folder, ...words);

/** Closing the client ends its server. */
async function connectedAsync(client: Client, folder: string, ...words: string[]) {
  await client.connect(
    new StdioClientTransport({
      command: binaryPath,
      args: ["mcp", "--port", String(box.port), ...words],
      env: box.env(),
      cwd: resolve(box.folder, folder),
    }),
  );
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.close() });
}

async function testAsync(client: Client, args: { [key: string]: unknown } = {}) {
  const { content, isError = false } = await client.callTool({ name: "studio_test", arguments: args });
  const [text = "", note] = Array.isArray(content) ? content.map((block) => String(Object(block).text)) : [];
  return { text, facts: JSON.parse(text), note, isError };
}

test("the answer about a green run is the counts, in at most 300 bytes", async () => {
  await using client = await connectAsync("shop");
  const { text, facts, isError } = await testAsync(client, { files: ["green"] });
  expect(isError).toBe(false);
  expect(facts).toMatchObject({ success: true, counts: { passed: 2, failed: 0 }, failures: [] });
  expect(text.length).toBeLessThanOrEqual(300);
});

test("a red run is a normal answer, with the position, the values, the source and the output of each failure", async () => {
  await using client = await connectAsync("shop");
  const { facts, isError } = await testAsync(client, { files: ["src/Cart.spec.luau"] });
  expect(isError).toBe(false);
  expect(facts).toMatchObject({ success: false, counts: { passed: 1, failed: 1 } });
  expect(facts.failures).toEqual([
    [
      "FAILED adds the tax  src/Cart.spec.luau:7",
      "expected the value to equal 2.38, but it is 2.2",
      "expected 2.38",
      "received 2.2",
      '  6 | \t\tprint("cart has", 2)',
      "> 7 | \t\texpect(2.2).to.equal(2.38)",
      "  8 | \tend)",
      "output: cart has 2",
    ].join("\n"),
  ]);
  expect((await testAsync(client, { name: "is empty" })).facts).toMatchObject({ success: true });
  await testAsync(client, { files: ["src"] });
  const { counts } = (await testAsync(client, { files: ["src"], failedOnly: true })).facts;
  expect(counts).toMatchObject({ passed: 0, failed: 1 });
});

test("with coverage, the answer has the percentages, the lines that did not run, and missed thresholds", async () => {
  const tree = { $className: "DataModel", ReplicatedStorage: { Lib: { $path: "src" } } };
  await box.writeAsync("covered/default.project.json", JSON.stringify({ name: "Covered", tree }));
  await box.writeAsync(
    "covered/src/Half.luau",
    "return function(x)\n\tif x then\n\t\treturn 1\n\tend\n\treturn 2\nend",
  );
  await box.writeAsync(
    "covered/src/half.spec.luau",
    "return { works = function() require(script.Parent.Half)(true) end }",
  );
  const settings = { test: { coverage: { thresholds: { lines: 90 } } } };
  await box.writeAsync("covered/sb.config.json", JSON.stringify(settings));
  await using client = await connectAsync("covered");
  const { facts, isError } = await testAsync(client, { coverage: true });
  expect(isError).toBe(false);
  expect(facts).toMatchObject({
    success: false,
    failures: [],
    coverage: {
      lines: 75,
      functions: 100,
      missed: ["Coverage: 75.0 % of lines ran, and test.coverage.thresholds wants 90 %."],
      notRun: { "src/Half.luau": "5" },
    },
  });
  const studio = box.spawn(["headless", "covered/default.project.json"]);
  await untilAsync("the Studio is connected", async () =>
    (await box.sessionsAsync()).length > 0 ? true : undefined,
  );
  const inStudio = await testAsync(client, { coverage: true, on: "studio" });
  expect(inStudio.facts.coverage).toEqual(facts.coverage);
  await box.writeAsync("covered/src/Half.luau", "return {}");
  const stale = await testAsync(client, { on: "studio" });
  expect(stale.isError).toBe(true);
  expect(stale.facts).toMatchObject({
    code: "STALE_SOURCES",
    stale: ["src/Half.luau"],
    hint: "Call studio_sync first, and then studio_test again.",
  });
  studio.kill();
  await studio.exited;
});

test("a call that runs no case, or that is refused, gets the agent's next step", async () => {
  await using client = await connectAsync("shop");
  const hintAsync = async (args: { [key: string]: unknown }) => (await testAsync(client, args)).facts.hint;
  expect(await hintAsync({ on: "cloud" })).toContain("have the user start it with `sb mcp --allow-cloud`");
  expect(await hintAsync({ files: ["absent"] })).toContain("leave out `files` to run all tests");
  const { facts, note } = await testAsync(client, { files: ["green"], name: "absent" });
  expect(facts).toMatchObject({ success: false, counts: { passed: 0 } });
  expect(note).toContain("No case ran. `name` is a regular expression");
});

test("a flaky case is named, with the number of runs in which it was flaky", async () => {
  // In each run, the case is flaky with a probability of nearly a half.
  await box.writeAsync(
    "chance/a.spec.luau",
    "return { sometimes = function() assert(Random.new():NextNumber() < 0.5) end }",
  );
  await box.writeAsync("chance/sb.config.json", '{ "test": { "retries": 10 } }');
  await using client = await connectAsync("chance");
  const seen: string[] = [];
  for (let run = 0; run < 40 && seen.length < 2; run += 1)
    seen.push(...((await testAsync(client)).facts.flaky ?? []));
  expect(seen[1]).toMatch(/^FLAKY sometimes  a\.spec\.luau:1  \(try \d+; flaky in 2 of \d+ runs\)$/);
});

test("an agent learns that a wrong setting is to be fixed in the file", async () => {
  await box.writeAsync("wrong/sb.config.json", '{ "test": { "retries": -1 } }');
  await using client = await connectAsync("wrong");
  expect((await testAsync(client)).facts.hint).toStartWith("Fix the file");
});

test("maxFailures limits the shown failures, and the others are counted", async () => {
  await using client = await connectAsync("shop");
  const { facts } = await testAsync(client, { files: ["many"], maxFailures: 2 });
  expect(facts).toMatchObject({ counts: { failed: 30 }, moreFailures: 28 });
  expect(facts.failures).toHaveLength(2);
  expect((await testAsync(client, { files: ["many"] })).facts.failures).toHaveLength(10);
});

test("if failures are left out or shortened, a resource has all of them; otherwise there is no resource", async () => {
  await box.writeAsync(
    "shop/huge.spec.luau",
    'return { huge = function() error(string.rep("x", 50000) .. "END") end }',
  );
  await using client = await connectAsync("shop");
  const wholeOfAsync = async (file: string): Promise<string | undefined> => {
    const { content } = await client.callTool({ name: "studio_test", arguments: { files: [file] } });
    const link = content.find((block) => block.type === "resource_link");
    if (link === undefined) return undefined;
    const { contents } = await client.readResource({ uri: link.uri });
    return contents.map((part) => ("text" in part ? part.text : "")).join("");
  };
  expect(await wholeOfAsync("huge")).toMatch(/^FAILED huge {2}huge\.spec\.luau:1\nx{50000}END\n {4}at /);
  expect(await wholeOfAsync("many")).toContain("FAILED c29 ");
  expect(await wholeOfAsync("src/Cart.spec.luau")).toBeUndefined();
  // If the answer itself is cut too, the two resources have different names.
  const { content } = await client.callTool({
    name: "studio_test",
    arguments: { files: ["many"], maxBytes: 1024 },
  });
  const links = content.filter((block) => block.type === "resource_link");
  expect(links.map(({ name }) => name)).toEqual(["the whole answer", "all failures"]);
  const texts = content.flatMap((block) => (block.type === "text" ? [block.text] : []));
  expect(texts.at(-1)).toMatch(
    /^Shown in part\. A resource in 1 part has all failures \(\d+ bytes, id r\d+\)\.$/,
  );
});

test("a run without cases fails with the next step, and bad words are refused", async () => {
  await using client = await connectAsync("shop");
  const none = await testAsync(client, { name: "no such case" });
  expect(none.facts).toMatchObject({ success: false });
  expect(none.note).toContain("No case ran");
  const unknown = await testAsync(client, { files: ["nowhere"] });
  expect(unknown).toMatchObject({ isError: true });
  expect(unknown.facts.error).toContain("No test file matches");
  // The answer does not tell which files exist beside the project.
  for (const file of ["../secret.spec.luau", "../nowhere.spec.luau"]) {
    const outside = await testAsync(client, { files: [file] });
    expect(outside).toMatchObject({ isError: true });
    expect(outside.facts.error).toContain(`${file} lies outside of the project in `);
  }
  const wrong = await client.callTool({ name: "studio_test", arguments: { workers: 3 } });
  expect(wrong).toMatchObject({
    isError: true,
    content: [{ type: "text", text: expect.stringContaining("workers") }],
  });
});

test("projects, places and tests outside of the server's folder are refused", async () => {
  await box.writeAsync("above/sb.config.json", "{}");
  await box.writeAsync("above/inner/a.spec.luau", "return {}");
  await box.writeAsync("mounts/a.spec.luau", "return {}");
  const tree = { $className: "DataModel", ReplicatedStorage: { Other: { $path: "../shop" } } };
  await box.writeAsync("mounts/default.project.json", JSON.stringify({ name: "Mounts", tree }));
  await box.writeAsync("linked/a.spec.luau", "return {}");
  await symlink(join(box.folder, "secret.spec.luau"), join(box.folder, "linked/b.spec.luau"));
  for (const folder of ["above/inner", "mounts", "linked"]) {
    await using client = await connectAsync(folder);
    const { facts, isError } = await testAsync(client);
    expect({ folder, isError, code: facts.code }).toEqual({ folder, isError: true, code: "FILE_ERROR" });
    expect(JSON.stringify(facts)).not.toContain("a secret");
  }
});

test("a home folder is no project; one is named with --project, or shared by the client", async () => {
  await Bun.write(join(box.home, "own.spec.luau"), 'error("a secret")');
  await using server = await connectAsync(box.home);
  const { facts, isError } = await testAsync(server);
  expect({ isError, error: facts.error }).toEqual({
    isError: true,
    error: `${box.home} is not a project: it is a home folder without a project file.`,
  });
  expect(facts.hint).toContain("sb mcp --project DIR");
  await using named = await connectAsync(box.home, "--project", join(box.folder, "shop"));
  expect((await testAsync(named, { files: ["green"] })).facts.counts).toMatchObject({ passed: 2 });
  const sharing = new Client({ name: "test", version: "1" }, { capabilities: { roots: {} } });
  const roots = [{ uri: pathToFileURL(join(box.folder, "shop")).href }];
  sharing.setRequestHandler("roots/list", async () => ({ roots }));
  await using client = await connectedAsync(sharing, box.home);
  expect((await testAsync(client, { files: ["green"] })).facts.counts).toMatchObject({ passed: 2 });
  await Bun.write(join(box.home, "sb.config.json"), "{}");
  expect((await testAsync(server)).facts.counts).toMatchObject({ failed: 1 });
});

test("an error that names another file of this machine does not show the content of that file", async () => {
  await box.writeAsync("odd/notes.luau", "-- private notes");
  const path = join(box.folder, "secret.spec.luau");
  const source = `return { x = function() loadstring("error('odd')", "=${path}")() end, y = function() loadstring("error('odd')", "=../odd/notes.luau")() end }`;
  await box.writeAsync("named/a.spec.luau", source);
  await using client = await connectAsync("named");
  const { text, facts } = await testAsync(client);
  expect(facts.counts).toMatchObject({ failed: 2 });
  expect(text).not.toContain("a secret");
  expect(text).not.toContain("private notes");
});

test("the tool is small in the list, and is not offered with --read-only", async () => {
  await using client = await connectAsync("shop");
  const { tools } = await client.listTools();
  const tool = tools.find(({ name }) => name === "studio_test");
  expect(Object.keys(tool?.inputSchema.properties ?? {})).toEqual([
    "files",
    "name",
    "maxFailures",
    "on",
    "context",
    "players",
    "failedOnly",
    "coverage",
  ]);
  expect(JSON.stringify(tool).length).toBeLessThanOrEqual(1_000);
  expect(Buffer.byteLength(JSON.stringify({ tools }))).toBeLessThanOrEqual(24_576);
  await using reader = await connectAsync("shop", "--read-only");
  expect((await reader.listTools()).tools.map(({ name }) => name)).not.toContain("studio_test");
});
