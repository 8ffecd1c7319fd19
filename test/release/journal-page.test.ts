/**
 * The page of a journal in a real browser, made by `sb` from hostile names of places, Instances, clients and lines: nothing of it
 * runs, its policy forbids nothing that it does, and its filters and commands work.
 */
import { expect, setDefaultTimeout, test } from "bun:test";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { z } from "zod";
import { Sandbox, untilAsync } from "../harness.ts";
import { McpPeer } from "../peers/mcp-peer.ts";
import { BrowserPage, chromium } from "./browser.ts";

setDefaultTimeout(180_000);

/** Each would set `hit`, or call `x`, if it were taken for anything but text. */
const HOSTILE = [
  "</script><script>document.body.dataset.hit=1</script>",
  "<!--<script>",
  "<img src=x onerror='document.body.dataset.hit=1'>",
  '"><svg onload="document.body.dataset.hit=1">',
  "javascript:document.body.dataset.hit=1",
  "$(touch x)",
  "`touch x`",
  "'; touch x; '",
  "a'b\"c$d",
  "&lt;b&gt;",
];
/** These cannot be part of a path that a command takes again. */
const ON_LINES = [...HOSTILE, "two\nlines", "\u202eesrever", "\u2028\u2029", "\u001b[31m"];

const luau = (text: string): string =>
  `"${[...new TextEncoder().encode(text)].map((byte) => `\\${String(byte).padStart(3, "0")}`).join("")}"`;
const pathOf = (name: string): string => `Workspace["${name.replaceAll(/["\\]/g, "\\$&")}"]`;

async function journaledAsync(box: Sandbox): Promise<string> {
  await box.headlessAsync("</script><b>Place");
  await box.sbAsync(["journal", "lines", "on"]);
  const names = ON_LINES.map(luau).join(", ");
  const script = `for _, name in { ${names} } do print(name) local f = Instance.new("Folder", workspace) f.Name = name end`;
  expect((await box.sbAsync(["exec", script])).exitCode).toBe(0);
  for (const name of HOSTILE) expect((await box.sbAsync(["query", pathOf(name)])).exitCode).toBe(0);
  expect((await box.sbAsync(["exec", "error('no')"])).exitCode).toBe(1);
  {
    await using peer = new McpPeer(box);
    await peer.initializeAsync(undefined, { name: HOSTILE[2] ?? "", version: "1" });
    await peer.toolAsync("studio_query", { path: "Workspace" });
  }
  await untilAsync("the calls are kept", async () =>
    (await box.sbAsync(["journal"])).stdout.includes("a'b") ? true : undefined,
  );
  const file = join(box.folder, "run.html");
  expect((await box.sbAsync(["journal", "--export", file])).exitCode).toBe(0);
  return file;
}

const texts = z.array(z.string());
const visibleRows = `[...document.querySelectorAll("tbody tr")].filter((row) => row.offsetParent !== null)`;
const box = (label: string): string =>
  `[...document.querySelectorAll("label")].find((l) => l.textContent.trim() === ${JSON.stringify(label)}).querySelector("input")`;

async function expectInertAsync(page: BrowserPage, file: string): Promise<void> {
  expect(await page.evaluateAsync("document.body.dataset.hit ?? null")).toBe(null);
  expect(await page.evaluateAsync("globalThis.violations ?? []")).toEqual([]);
  const elements = texts.parse(
    await page.evaluateAsync(
      `[...new Set([...document.body.querySelectorAll("*")].map((e) => e.localName))]`,
    ),
  );
  const known = "code form h1 input label main p script span table tbody td th thead tr";
  expect(elements.filter((name) => !known.split(" ").includes(name))).toEqual([]);
  expect(await page.evaluateAsync("document.querySelectorAll('script').length")).toBe(2);
  const others = page.noted.filter((note) => !note.includes(pathToFileURL(file).href));
  expect(others).toEqual([]);
}

async function expectFiltersAsync(page: BrowserPage): Promise<void> {
  const countAsync = async (selector: string) =>
    Number(await page.evaluateAsync(`${visibleRows}.filter((row) => row.matches("${selector}")).length`));
  const all = await countAsync("tr");
  const [lines, bad] = [await countAsync(".line"), await countAsync(".bad")];
  expect(lines).toBeGreaterThanOrEqual(ON_LINES.length);
  expect(bad).toBeGreaterThan(0);
  await page.clickAsync(box("lines of Output"));
  expect(await countAsync("tr")).toBe(all - lines);
  await page.clickAsync(box("only failed and refused"));
  expect(await countAsync("tr")).toBe(bad);
  await page.clickAsync(box("only failed and refused"));
  await page.clickAsync(box("lines of Output"));
  expect(await countAsync("tr")).toBe(all);
}

/** A click selects a command whole; in a shell it has the path as one word, and runs nothing else. */
async function expectCommandsAsync(page: BrowserPage, folder: string): Promise<void> {
  const selected: string[] = [];
  const count = Number(await page.evaluateAsync("document.querySelectorAll('td code:first-child').length"));
  for (let at = 0; at < count; at++) {
    await page.clickAsync(`document.querySelectorAll("td code:first-child")[${at}]`);
    selected.push(String(await page.evaluateAsync("getSelection().toString()")).trim());
  }
  const paths = selected.map((command) => {
    const script = `sb() { printf '%s' "$2"; }\n${command}`;
    return Bun.spawnSync(["sh", "-c", script], { cwd: folder, env: {} }).stdout.toString();
  });
  const wanted = [...HOSTILE.map((name) => `game.${pathOf(name)}`), "game.Workspace"];
  expect(paths.toSorted()).toEqual(wanted.toSorted());
  expect(await Bun.file(join(folder, "x")).exists()).toBe(false);
}

test.skipIf(chromium === undefined)(
  "nothing in the page of a hostile journal runs, and its filters and commands work (skipped: no Chromium on PATH)",
  async () => {
    await using sandbox = await Sandbox.createAsync();
    const file = await journaledAsync(sandbox);
    expect(await readFile(file, "utf8")).not.toContain("\u202e");
    await using page = await BrowserPage.openAsync(pathToFileURL(file).href);
    await expectInertAsync(page, file);
    const cells = texts.parse(
      await page.evaluateAsync(`[...document.querySelectorAll("td")].map((cell) => cell.textContent)`),
    );
    for (const text of HOSTILE) expect(cells).toContain(text);
    for (const text of ["two\nlines", "\\u{202e}esrever", "\\x1b[31m"]) expect(cells).toContain(text);
    await expectFiltersAsync(page);
    await expectCommandsAsync(page, sandbox.folder);
    await expectInertAsync(page, file);
    await page.evaluateAsync(
      `{ const e = document.createElement("script"); e.textContent = "document.body.dataset.hit = 1"; document.body.append(e); }`,
    );
    await untilAsync("the policy forbids a script that is added", async () =>
      String(await page.evaluateAsync("globalThis.violations ?? []")).includes("script-src")
        ? true
        : undefined,
    );
    expect(await page.evaluateAsync("document.body.dataset.hit ?? null")).toBe(null);
  },
);
