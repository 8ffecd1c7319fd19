/** `sb test --reporter html=FILE`: the page, also in a real browser where this machine has one. */
import { expect, test } from "bun:test";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { BrowserPage, chromium } from "../release/browser.ts";
import { Sandbox, untilAsync } from "../harness.ts";

/** Text that would run if a part of it were taken for HTML, for a program or for an address. */
const ATTACKS = [
  '<img src=x onerror="document.body.dataset.hit=1">',
  "</script><script>document.body.dataset.hit=1</script>",
  "<!--<script>",
  "javascript:document.body.dataset.hit=1",
  "$(x) `x` '; x",
  "\u202egnihton",
];

const SPEC = `return function()
	describe("group", function()
${ATTACKS.map((attack, at) => `		it([==[case ${at} ${attack}]==], function() print([==[${attack}]==]) expect([==[${attack}]==]).to.equal("other") end)`).join("\n")}
		it("passes", function() print("seen " .. 12 * 12) end)
		itSKIP("skipped", function() end)
		itTODO("to do")
	end)
end`;

async function pageAsync(box: Sandbox): Promise<{ readonly file: string; readonly html: string }> {
  await box.writeAsync("src/a.spec.luau", SPEC);
  const { exitCode } = await box.localSbAsync(["test", "--reporter", "html=out/run.html"]);
  expect(exitCode).toBe(1);
  const file = join(box.folder, "out/run.html");
  return { file, html: await readFile(file, "utf8") };
}

test("the page has every case, the source of failures and the output as one block of data", async () => {
  await using box = await Sandbox.createAsync();
  const { html } = await pageAsync(box);
  expect(html).not.toContain("<img");
  expect(html.split("</script>")).toHaveLength(3);
  expect(html).toContain("default-src 'none'; script-src 'sha256-");
  const [, block = ""] = /id="data">(.*?)<\/script>/s.exec(html) ?? [];
  const data = JSON.parse(block);
  expect(data.counts).toEqual({ passed: 1, failed: 6, skipped: 1, todo: 1, flaky: 0 });
  const [file] = data.files;
  expect(file.title).toBe("src/a.spec.luau");
  expect(file.cases).toHaveLength(9);
  const [first] = file.cases;
  expect(first.names).toEqual(["group", `case 0 ${ATTACKS[0]}`]);
  expect(first.failures[0]).toMatchObject({ place: "src/a.spec.luau:3", expected: '"other"' });
  expect(first.failures[0].source.find(({ isHere }: { isHere?: boolean }) => isHere).line).toBe(3);
  expect(first.output).toBe(ATTACKS[0]);
  expect(file.cases[5].output).toBe("\\u{202e}gnihton");
  expect(file.cases[6]).toMatchObject({ status: "passed", output: "seen 144" });
});

test("html without a file is refused with the way to write it", async () => {
  await using box = await Sandbox.createAsync();
  const { exitCode, stderr } = await box.localSbAsync(["test", "--reporter", "html"]);
  expect(exitCode).toBe(2);
  expect(stderr).toContain("--reporter html=FILE");
});

test.skipIf(chromium === undefined)(
  "in a real browser nothing of the data runs, and failures are open (skipped: no Chromium on PATH)",
  async () => {
    await using box = await Sandbox.createAsync();
    const { file } = await pageAsync(box);
    await using page = await BrowserPage.openAsync(pathToFileURL(file).href);
    const readAsync = async (script: string) => JSON.stringify(await page.evaluateAsync(script));
    const opened = `[...document.querySelectorAll("details.case.failed[open]")].length`;
    await untilAsync("the failures are open", async () =>
      (await readAsync(opened)) === "6" ? true : undefined,
    );
    expect(await readAsync("document.body.dataset.hit ?? null")).toBe("null");
    expect(await readAsync("globalThis.violations ?? []")).toBe("[]");
    expect(await readAsync("document.querySelectorAll('script').length")).toBe("2");
    expect(await readAsync("document.querySelectorAll('img, svg, iframe, a[href^=javascript]').length")).toBe(
      "0",
    );
    const shown = String(await page.evaluateAsync("document.body.textContent"));
    for (const attack of ATTACKS) expect(shown).toContain(attack.replaceAll("\u202e", "\\u{202e}"));
    expect(shown).not.toContain("\u202e");
    expect(page.noted.filter((note) => !note.includes(pathToFileURL(file).href))).toEqual([]);
  },
  120_000,
);
