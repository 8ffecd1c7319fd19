/** What the command line leaves open comes from SB_PORT and SB_SESSION, then from the project file. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdir, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { completed, settingsForAsync } from "../../../src/cli/defaults.ts";
import { routeAsync } from "../../../src/cli/route.ts";
import { parseWords } from "../../../src/command-kit/words/parse-words.ts";
import { commands } from "../../../src/commands/index.ts";

let [folder, inner] = ["", ""];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "sb-defaults-"));
  inner = join(folder, "src", "inner");
  await mkdir(inner, { recursive: true });
  await symlink(tmpdir(), join(folder, "link"));
});
afterAll(() => rm(folder, { recursive: true }));

async function completeAsync(line: readonly string[], variables = {}) {
  const route = await routeAsync(line, commands);
  if (route.kind !== "command") throw new Error("no command");
  const words = parseWords(route.command, route.words);
  const { settings, unknownKeys } = await settingsForAsync(route.command, inner);
  const { parsed, defaultContext } = completed(route.command, words, settings, variables);
  return { ...parsed, defaultContext, unknownKeys };
}
const writeAsync = (config: string | object) =>
  Bun.write(join(folder, "sb.config.json"), typeof config === "string" ? config : JSON.stringify(config));

const variables = { SB_PORT: "4001", SB_SESSION: "Lobby" };

describe("a flag counts more than a variable, and that more than the project file", () => {
  beforeAll(() => writeAsync({ port: 4002, place: "game", context: "server" }));

  test.each([
    [["state"], variables, 4001],
    [["state", "--port", "4000"], variables, 4000],
    [["state"], {}, 4002],
    [["state"], { SB_PORT: "" }, 4002],
    [["state", "--remote", "pc"], variables, undefined],
    [["mcp"], variables, 4001],
    [["doctor"], {}, 4002],
  ] as const)("port of %p with %p", async (line, given, port) => {
    expect((await completeAsync(line, given)).options["port"]).toBe(port);
  });

  test("a host that is started by hand takes the port too; installing the plugin does not", async () => {
    expect((await completeAsync(["serve"], variables)).input["port"]).toBe(4001);
    expect((await completeAsync(["install-plugin"], variables)).input["port"]).toBeUndefined();
  });

  test.each([
    [["state"], "Lobby"],
    [["state", "-s", "abcd"], "abcd"],
    [["exec", "return 1", "abcd"], "abcd"],
    [["state", "--instance", "i"], undefined],
    [["exec", "--headless", "return 1"], undefined],
    [["exec", "--place", "x.rbxl", "return 1"], undefined],
    [["sessions"], undefined],
  ] as const)("session of %p", async (line, session) => {
    expect((await completeAsync(line, variables)).input["sessionId"]).toBe(session);
  });

  test("the place is for a headless Studio only, so that none is launched unasked", async () => {
    const placeOf = async (...line: string[]) => (await completeAsync(line)).options["place"];
    expect(await placeOf("exec", "--headless", "return 1")).toBe(join(folder, "game"));
    expect(await placeOf("exec", "--headless", "--place", "own.rbxl", "return 1")).toBe("own.rbxl");
    expect(await placeOf("exec", "return 1")).toBeUndefined();
  });

  test("the context takes the place of each command's own", async () => {
    expect((await completeAsync(["logs"])).defaultContext).toBe("server");
    expect((await completeAsync(["version"])).defaultContext).toBeUndefined();
  });
});

test("errors name where a value is from", async () => {
  await writeAsync({});
  const { nameOf } = await completeAsync(["state"], variables);
  expect([nameOf("port"), nameOf("sessionId"), nameOf("context")]).toEqual([
    "SB_PORT",
    "SB_SESSION",
    "--context",
  ]);
});

test.each([
  ['{ "port": 70000 }', ":1:11: port: expected a port from 1 to 65535"],
  ['{\n "context": "both" }', ':2:13: context: expected edit, server or client, got "both"'],
  ['{ "place": "../game.rbxl" }', ":1:12: place: expected a path below the folder of this file"],
  ['{ "place": "/game.rbxl" }', ":1:12: place: expected a path below the folder of this file"],
  // The link leads out of the folder.
  ['{ "place": "link" }', ":1:12: place: expected a path below the folder of this file"],
  ['{ "port": }', ":1:11: expected a value"],
  ["[]", ":1:1: expected an object"],
])("%p is refused with its place", async (text, message) => {
  await writeAsync(text);
  const every = ["exec", "--headless", "return 1"];
  await expect(completeAsync(every)).rejects.toThrow(`${join(folder, "sb.config.json")}${message}`);
  // Commands that stay on this machine do not read it.
  await completeAsync(["version"]);
});

test("a wrong value concerns only the commands that use it", async () => {
  await writeAsync({ place: "../game.rbxl", context: "both", data: 5, port: 4002 });
  expect((await completeAsync(["sessions"])).options["port"]).toBe(4002);
  await completeAsync(["exec", "--context", "edit", "return 1"]);
  await expect(completeAsync(["exec", "return 1"])).rejects.toThrow(
    "context: expected edit, server or client",
  );
  await writeAsync({ port: 70000 });
  await completeAsync(["state", "--port", "4000"]);
  await expect(completeAsync(["state"])).rejects.toThrow("port: expected a port from 1 to 65535");
  expect((await completeAsync(["state"], variables)).options["port"]).toBe(4001);
});

test("a key that says nothing is told with its place, and the others count", async () => {
  await writeAsync('{ "pot": 1,\n "port": 4002, "zzz": {}, "test": { "zzz": 1 } }');
  const { options, unknownKeys } = await completeAsync(["state"]);
  expect(options["port"]).toBe(4002);
  const file = join(folder, "sb.config.json");
  expect(unknownKeys).toEqual([
    `${file}:1:3: unknown key "pot"; did you mean "port"?`,
    `${file}:2:16: unknown key "zzz"`,
  ]);
});

test.skipIf(process.platform === "win32")(
  "a pipe in its place is refused, and its writer is not waited for",
  async () => {
    await rm(join(folder, "sb.config.json"), { force: true });
    Bun.spawnSync(["mkfifo", join(folder, "sb.config.json")]);
    await expect(completeAsync(["state"])).rejects.toThrow("sb.config.json: cannot be read: it is a pipe");
    await rm(join(folder, "sb.config.json"));
  },
);

test("its tools are for others to read", async () => {
  await writeAsync('{ "$schema": "x", "tools": { "broken": 5 }, "port": 4002, }');
  expect((await completeAsync(["state"])).options["port"]).toBe(4002);
});
