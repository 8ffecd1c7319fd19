/** `--fixtures` through the compiled binary: the commands that take it, the setting, and that secrets stay out of argv. */
import { beforeAll, expect, test } from "bun:test";
import { binaryPath } from "../../build.ts";
import { sandbox } from "../sandbox.ts";

const box = sandbox({ headless: true });

const FIXTURES = {
  marketplace: { owned: { "11": true } },
  assets: { "7": "models/tree.rbxmx" },
  config: { speed: 3 },
  secrets: { API: { env: "MY_SECRET" } },
};
const MODEL = `<roblox version="4"><Item class="Part" referent="a"><Properties><string name="Name">Tree</string></Properties></Item></roblox>`;
const OWNS = `return game:GetService("MarketplaceService"):UserOwnsGamePassAsync(-1, 11)`;
const ALL = `
local secret = game:GetService("HttpService"):GetSecret("API")
return game:GetService("InsertService"):LoadAsset(7):GetChildren()[1].Name,
  game:GetService("ConfigService"):GetConfigAsync():GetValue("speed"), tostring(secret), typeof(secret:AddPrefix("Bearer "))`;
const SPEC = `return function()
	it("owns the pass", function()
		expect(game:GetService("MarketplaceService"):UserOwnsGamePassAsync(-1, 11)).to.equal(true)
	end)
end`;
const env = { MY_SECRET: "abc123" };

beforeAll(async () => {
  await box.writeAsync("fixtures.json", JSON.stringify(FIXTURES, null, 2));
  await box.writeAsync("models/tree.rbxmx", MODEL);
  await box.writeAsync("spec/pass.spec.luau", SPEC);
}, 120_000);

test("exec, run and test answer from the file, and refuse without it", async () => {
  const flags = ["--headless", "--fixtures", "fixtures.json"];
  const all = await box.sbAsync(["exec", ...flags, ALL], { env });
  expect(all).toMatchObject({ exitCode: 0, stdout: "Tree\n3\nSecret\nSecret\n" });
  const file = await box.writeAsync("owns.luau", OWNS);
  expect(await box.sbAsync(["run", ...flags, file], { env })).toMatchObject({
    exitCode: 0,
    stdout: "true\n",
  });
  expect(await box.sbAsync(["test", "--fixtures", "fixtures.json", "spec"], { env })).toMatchObject({
    exitCode: 0,
  });
  const without = await box.sbAsync(["exec", "--headless", OWNS]);
  expect(without.exitCode).toBe(1);
  expect(without.stderr).toContain(
    "of 11, which no --fixtures file names, is not available in headless Studio",
  );
}, 120_000);

test("the setting stands for the flag, relative to its file", async () => {
  await box.writeAsync("sb.config.json", `{ "fixtures": "fixtures.json" }`);
  expect(await box.sbAsync(["exec", "--headless", OWNS], { env })).toMatchObject({
    exitCode: 0,
    stdout: "true\n",
  });
  expect(await box.sbAsync(["test", "spec"], { env })).toMatchObject({ exitCode: 0 });
  // A Studio that is there already has no use for it.
  expect(await box.sbAsync(["exec", "return 1"])).toMatchObject({ exitCode: 0, stdout: "1\n" });
  await box.writeAsync("sb.config.json", `{ "fixtures": "../fixtures.json" }`);
  const outside = await box.sbAsync(["exec", "--headless", OWNS]);
  expect(outside.exitCode).toBe(2);
  expect(outside.stderr).toContain("fixtures: expected a path below the folder of this file");
  await box.writeAsync("sb.config.json", "{}");
}, 120_000);

test("without a headless Studio of its own, and for a bad file, a command says so and starts nothing", async () => {
  const connected = await box.sbAsync(["exec", "--fixtures", "fixtures.json", "return 1"]);
  expect(connected).toMatchObject({ exitCode: 2, stdout: "" });
  expect(connected.stderr).toContain("Cannot use --fixtures without --headless.");
  await box.writeAsync("bad.json", `{ "badges": { "x": {} } }`);
  const bad = await box.sbAsync(["exec", "--headless", "--fixtures", "bad.json", "print(1)"]);
  expect(bad).toMatchObject({ exitCode: 2, stdout: "" });
  expect(bad.stderr).toContain("bad.json:1:20: badges.x: ");
});

test("a watch reads the fixtures again when they change", async () => {
  const file = (owned: boolean) => JSON.stringify({ marketplace: { owned: { "11": owned } } });
  await box.writeAsync("watched.json", file(true));
  const child = Bun.spawn([binaryPath, "test", "--watch", "--fixtures", "watched.json", "spec"], {
    cwd: box.folder,
    env: box.env({ CI: "" }),
    stdin: "ignore",
    stdout: "pipe",
    stderr: "ignore",
  });
  try {
    let said = "";
    const reader = child.stdout.getReader();
    const untilAsync = async (text: string): Promise<void> => {
      while (!said.includes(text)) {
        const { done, value } = await reader.read();
        if (done) throw new Error(`it ended: ${said}`);
        said += new TextDecoder().decode(value);
      }
    };
    await untilAsync("Cases  1 passed");
    await box.writeAsync("watched.json", file(false));
    await untilAsync("Cases  1 failed");
  } finally {
    child.kill();
    await child.exited;
  }
}, 120_000);
