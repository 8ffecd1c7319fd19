/** `sb journal --export`: the file, and the page in a real browser where this machine has one. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Sandbox, untilAsync } from "../harness.ts";

const browser = ["chromium", "chromium-browser", "google-chrome"].find((name) => Bun.which(name) !== null);

let box: Sandbox;
let file: string;
beforeEach(async () => {
  box = await Sandbox.createAsync();
  file = join(box.folder, "run.html");
});
afterEach(async () => {
  await box[Symbol.asyncDispose]();
});

/** Makes Instances and lines whose text would run if it were taken for HTML. */
const ATTACK = `<img src=x onerror="document.body.dataset.hit=1"></script><script>document.body.dataset.hit=1</script>`;

async function attackedAsync(): Promise<void> {
  await box.headlessAsync("Alpha");
  await box.sbAsync(["journal", "lines", "on"]);
  const made = `local f = Instance.new("Folder", workspace) f.Name = [=[${ATTACK}]=] print([=[${ATTACK}]=])`;
  expect((await box.sbAsync(["exec", made])).exitCode).toBe(0);
  await box.sbAsync(["query", `Workspace["${ATTACK.replaceAll('"', '\\"')}"]`]);
  await untilAsync("the calls are kept", async () =>
    (await box.sbAsync(["journal"])).stdout.includes("onerror") ? true : undefined,
  );
}

test("the page is written once, for its user alone, and the command says what is in it", async () => {
  await attackedAsync();
  const { exitCode, stdout, stderr } = await box.sbAsync(["journal", "--export", file]);
  expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: `Written: ${file}\n` });
  expect(stderr).toMatch(/The page has \d+ calls and [1-9]\d* lines of Output\. Names and paths/);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  const html = await readFile(file, "utf8");
  expect(html).not.toContain("<img");
  expect(html.split("</script>")).toHaveLength(3);
  await writeFile(file, "mine");
  const again = await box.sbAsync(["journal", "--export", file]);
  expect(again.exitCode).toBe(1);
  expect(again.stderr).toContain("it is there already");
  expect(again.stderr).toContain("--force");
  expect(await readFile(file, "utf8")).toBe("mine");
  const redacted = await box.sbAsync(["journal", "--export", file, "--force", "--redact", "--json"]);
  expect(JSON.parse(redacted.stdout).exported).toMatchObject({ file, lines: 0, cut: 0 });
  const without = await readFile(file, "utf8");
  expect(without).not.toContain("onerror");
  expect(without).not.toContain("Alpha");
  const nowhere = await box.sbAsync(["journal", "--export", join(box.folder, "none", "x.html")]);
  expect([nowhere.exitCode, nowhere.stdout]).toEqual([1, ""]);
  expect((await box.sbAsync(["journal", "--redact"])).exitCode).toBe(2);
}, 120_000);

test.skipIf(browser === undefined)(
  "in a real browser nothing of the data runs, and all rows are there (skipped: no Chromium on PATH)",
  async () => {
    await attackedAsync();
    await box.sbAsync(["journal", "--export", file]);
    const words = ["--headless", "--no-sandbox", "--disable-gpu", "--dump-dom", pathToFileURL(file).href];
    const { stdout } = Bun.spawnSync([browser ?? "", ...words], {
      env: { PATH: process.env["PATH"] ?? "", HOME: box.folder },
    });
    const dom = stdout.toString();
    expect(dom).toContain('class="ended"');
    expect(dom).toContain("&lt;img src=x");
    expect(dom).not.toContain("data-hit");
    expect(dom).not.toContain("<img");
  },
  120_000,
);
