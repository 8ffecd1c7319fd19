/** `sb journal --export`: the file. test/release/journal-page.test.ts opens the page in a real browser. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Sandbox, untilAsync } from "../harness.ts";

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
