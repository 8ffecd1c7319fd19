/** The file of `--fixtures`: what is read of it, and where each fault in it is. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readFixturesAsync } from "../../../src/project/fixtures.ts";
import { StudioBridgeError } from "../../../src/protocol/errors.ts";

let root = "";
let folder = "";
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "fixtures-")));
  folder = join(root, "game");
  await mkdir(folder);
});
afterEach(() => rm(root, { recursive: true }));

const MODEL = `<roblox version="4"><Item class="Part" referent="a"><Properties/></Item></roblox>`;

async function readAsync(fixtures: unknown, variables: NodeJS.ProcessEnv = {}) {
  const file = join(folder, "fixtures.json");
  await writeFile(file, typeof fixtures === "string" ? fixtures : JSON.stringify(fixtures, null, 2));
  return readFixturesAsync(file, variables);
}

/** The message without the folder. */
async function faultAsync(fixtures: unknown): Promise<string> {
  try {
    await readAsync(fixtures);
  } catch (error) {
    if (error instanceof StudioBridgeError) return error.message.replaceAll(`${folder}/`, "");
    throw error;
  }
  return "none";
}

test("secrets come from the environment, models from files below the project, the rest as it is written", async () => {
  await writeFile(join(root, "sb.config.json"), "{}");
  await writeFile(join(root, "tree.rbxmx"), MODEL);
  const read = await readAsync(
    {
      $schema: "x",
      marketplace: { owned: { 1: true }, products: { 2: { info: { Name: "A" }, prompt: "bought" } } },
      groups: { 3: {} },
      config: { speed: 3, list: [1, { a: null }] },
      assets: { 7: "../tree.rbxmx" },
      secrets: { API: { env: "TOKEN" } },
    },
    { TOKEN: "abc" },
  );
  expect(JSON.parse(read.facts)).toEqual({
    marketplace: { owned: { 1: true }, products: { 2: { info: { Name: "A" }, prompt: "bought" } } },
    groups: { 3: { members: {} } },
    config: { speed: 3, list: [1, { a: null }] },
    secrets: { API: "abc" },
  });
  expect(Buffer.from(read.assets["7"] ?? "", "base64").toString("latin1")).toStartWith("<roblox!");
});

test("a fault is told with its line and the path of its field", async () => {
  const prompt = { marketplace: { products: { 12: { prompt: "maybe" } } } };
  expect(await faultAsync(prompt)).toStartWith("fixtures.json:5:19: marketplace.products.12.prompt: ");
  expect(await faultAsync({ marketplace: { owned: { 1: "yes" } } })).toBe(
    "fixtures.json:4:12: marketplace.owned.1: expected true, false or a list of names of players",
  );
  expect(await faultAsync({ badges: { first: {} } })).toContain("badges.first: ");
  expect(await faultAsync({ groups: { 1: { members: { A: { rank: 256, role: "x" } } } } })).toContain(
    "groups.1.members.A.rank: expected 1 to 255",
  );
  expect(await faultAsync({ badgs: {} })).toContain("badgs");
  expect(await faultAsync({ secrets: { API: { env: "NO_SUCH" } } })).toContain(
    "secrets.API.env: the variable NO_SUCH is not set",
  );
  expect(await faultAsync({ secrets: { API: { env: "A", value: "abc" } } })).toContain("secrets.API");
  expect(await faultAsync('{ "config": }')).toStartWith("fixtures.json:1:13: ");
  expect(await faultAsync('{ "groups": { "1": {\n"info": {}, "info": {} } } }')).toBe(
    "fixtures.json:2:13: info: there twice",
  );
  expect(await faultAsync("[]")).toBe("fixtures.json:1:1: expected an object");
});

test("a model outside of the project is refused, also through a link, and so is what is no model", async () => {
  await writeFile(join(root, "tree.rbxmx"), MODEL);
  await symlink(join(root, "tree.rbxmx"), join(folder, "link.rbxmx"));
  await writeFile(join(folder, "text.rbxm"), "hello");
  const outside = "assets.7: expected a file below the project, also where links lead";
  for (const path of ["../tree.rbxmx", join(folder, "text.rbxm"), "link.rbxmx"])
    expect(await faultAsync({ assets: { 7: path } })).toContain(outside);
  expect(await faultAsync({ assets: { 7: "text.rbxm" } })).toContain("assets.7: text.rbxm: ");
  expect(await faultAsync({ assets: { 7: "none.rbxm" } })).toContain("assets.7: none.rbxm: ");
});

test("a file that is not there is told with the next step", async () => {
  const read = readFixturesAsync(join(folder, "none.json"));
  await expect(read).rejects.toMatchObject({
    code: "FILE_ERROR",
    hint: expect.stringContaining("--fixtures"),
  });
});
