/** `--fonts studio`: texts measured with the fonts of an installed Studio, which is a made folder here. Through the compiled binary. */
import { beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { freeFont } from "../fixtures/free-font.ts";
import { sandbox } from "../sandbox.ts";

const box = sandbox();

/** BuilderSans is measured as Montserrat without the flag. */
const WIDTHS = `
local function width(family)
	local label = Instance.new("TextLabel")
	label.FontFace, label.TextSize = Font.new("rbxasset://fonts/families/" .. family .. ".json"), 40
	label.Text, label.Size = "Wide enough", UDim2.fromOffset(900, 50)
	return label.TextBounds.X
end
local function log()
	local lines = {}
	for _, entry in game:GetService("LogService"):GetLogHistory() do
		table.insert(lines, entry.message)
	end
	return table.concat(lines, "\\n")
end
return width("BuilderSans"), width("Oswald"), width("Montserrat"), log()`;

const studioEnvironment = () => ({ SB_STUDIO_PATH: join(box.folder, "Studio"), CI: "" });

async function widthsAsync(words: readonly string[], env: Readonly<Record<string, string>>) {
  const { stdout, stderr, exitCode } = await box.localSbAsync(
    ["exec", "--headless", "--json", ...words, WIDTHS],
    env,
  );
  expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 0 });
  const { returnValues } = JSON.parse(stdout);
  return { widths: returnValues.slice(0, 3), log: String(returnValues[3]) };
}

beforeAll(async () => {
  const fonts = "Studio/content/fonts";
  const faces = [{ name: "Regular", weight: 400, style: "normal", assetId: "rbxasset://fonts/Own.ttf" }];
  await box.writeAsync("Studio/RobloxStudioBeta.exe", "");
  await box.writeAsync(`${fonts}/families/BuilderSans.json`, JSON.stringify({ name: "Builder Sans", faces }));
  await box.writeAsync(`${fonts}/families/Oswald.json`, "{");
  await Bun.write(join(box.folder, fonts, "Own.ttf"), freeFont("oswald"));
}, 60_000);

test("a family of the Studio is measured with its own font, and one that cannot be read as without the flag", async () => {
  const usual = await widthsAsync([], studioEnvironment());
  const [builder, oswald, montserrat] = usual.widths;
  expect(builder).toBe(montserrat);
  expect(usual.log).toContain("does not know how wide the font BuilderSans is");
  const own = await widthsAsync(["--fonts", "studio"], studioEnvironment());
  expect(own.widths).toEqual([oswald, oswald, montserrat]);
  expect(own.log).toContain("The font Oswald of the installed Studio cannot be read");
  expect(own.log).not.toContain("BuilderSans");
});

test("tests are run with it too, and the command that runs them again has it", async () => {
  const file = `return function()
	it("fits", function() ${WIDTHS.replace("return width", "expect(width")}
	).to.equal(0) end)
end`;
  await box.writeAsync("wide.spec.luau", file.replace(/, width\("Oswald"\).*$/m, ""));
  const words = ["test", "wide.spec.luau", "--fonts", "studio"];
  const { stdout, exitCode } = await box.localSbAsync(words, studioEnvironment());
  expect({ exitCode, isAgain: stdout.includes("--fonts studio") }).toEqual({ exitCode: 1, isAgain: true });
  expect(stdout).not.toContain("measured as");
});

const REFUSALS: readonly (readonly [string, Readonly<Record<string, string>>, number, string])[] = [
  ["where no Studio is installed", { SB_STUDIO_PATH: "nowhere", CI: "" }, 1, "SB_STUDIO_PATH"],
  ["in continuous integration", { CI: "true" }, 2, "continuous integration"],
];

test.each(REFUSALS)("it is refused %s", async (_where, env, exitCode, sentence) => {
  for (const words of [
    ["exec", "--headless", "--fonts", "studio", "return 1"],
    ["headless", "--detach", "--fonts=studio"],
  ]) {
    const refused = await box.localSbAsync(words, env);
    expect({ exitCode: refused.exitCode, stderr: refused.stderr }).toEqual({
      exitCode,
      stderr: expect.stringContaining(sentence),
    });
  }
});

test("it is for headless Studios only, and knows no other word", async () => {
  const other = await box.localSbAsync(["exec", "--fonts", "studio", "return 1"], { CI: "" });
  expect({ exitCode: other.exitCode, stderr: other.stderr }).toEqual({
    exitCode: 2,
    stderr: expect.stringContaining("--fonts"),
  });
  const word = await box.localSbAsync(["exec", "--headless", "--fonts", "mine", "return 1"], { CI: "" });
  expect({ exitCode: word.exitCode, stderr: word.stderr }).toEqual({
    exitCode: 2,
    stderr: expect.stringContaining("expected studio"),
  });
});
