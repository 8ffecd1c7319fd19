/** The page of a journal under hostile names, lines and clients: nothing of the data is ever markup, program or address. */
import { describe, expect, test } from "bun:test";
import { commandsAgain } from "../../../src/journal/again.ts";
import { exportPage } from "../../../src/journal/export-page.ts";
import type { JournaledSession } from "../../../src/journal/format.ts";
import type { LaneLine } from "../../../src/journal/lane-lines.ts";
import type { JournaledCall } from "../../../src/journal/read.ts";
import { Redaction } from "../../../src/journal/redact.ts";

const HOSTILE = [
  "</script><script>hit()</script>",
  "<!--<script>",
  "]]>",
  "<img src=x onerror=hit()>",
  "javascript:hit()",
  '"><svg onload=hit()>',
  "$(touch x)",
  "`touch x`",
  "'; touch x",
  "‘; touch x",
  "two\nlines",
  "\u2028\u2029",
  "\u202eesrever",
  "\u0000\u001b[31m",
  "&lt;b&gt;",
  "__proto__",
  "${hit()}",
  "\\u003cb\\u003e",
];

const session = (placeName: string): JournaledSession => ({
  ...{ sessionId: "s1", instanceId: "w1", context: "edit", placeName, placeId: 0 },
});
const call = (text: string, at = 1): JournaledCall => ({
  ...{ at, requestId: "r", client: text, clientId: "c", sessionId: "s1", session: session(text) },
  ...{ action: "queryDataModel", summary: `query game.${text}`, hash: "", changes: true },
  ...{ outcome: "error", code: text, ms: 1 },
});
const line = (body: string): LaneLine => ({
  ...{ time: 2, session: session(body), level: "Print", body, context: undefined },
});

interface FakeElement {
  readonly name: string;
  textContent: string;
  readonly children: FakeElement[];
}

/** Runs the page's own program over elements that know only what it may use; anything else raises. */
function shownTexts(html: string): string[] {
  const [, data = ""] = /<script type="application\/json" id="data">(.*?)<\/script>/s.exec(html) ?? [];
  const [, program = ""] = /<script>(.*?)<\/script>\n<\/html>/s.exec(html) ?? [];
  const texts: string[] = [];
  const allowed = new Set(["textContent", "className", "hidden", "colSpan", "type", "checked"]);
  const element = (name: string): FakeElement => {
    const own = { name, textContent: "", children: [] as FakeElement[] };
    const methods = {
      appendChild: (child: FakeElement) => void own.children.push(child),
      addEventListener: () => {},
    };
    return new Proxy(own, {
      get: (target, key) => Reflect.get(methods, key) ?? Reflect.get(target, key),
      set: (target, key, value) => {
        if (!allowed.has(String(key))) throw new Error(`the page sets ${String(key)}`);
        if (key === "textContent") texts.push(String(value));
        return Reflect.set(target, key, value);
      },
    });
  };
  const document = {
    getElementById: (id: string) => (id === "data" ? { textContent: data } : element("main")),
    createElement: (name: string) => element(name),
  };
  new Function("document", program)(document);
  return texts;
}

describe("the page", () => {
  const { html } = exportPage(
    HOSTILE.map((text) => call(text)),
    HOSTILE.map(line),
    false,
  );

  test("has exactly its own elements, whatever the data says", () => {
    const tags = [...html.matchAll(/<\/?[a-z!][^>\s]*/gi)].map(([tag]) => tag);
    expect(tags).toEqual([
      ...["<!doctype", "<html", "<meta", "<meta", "<meta", "<title", "</title", "<style", "</style"],
      ...["<main", "</main", "<script", "</script", "<script", "</script", "</html"],
    ]);
  });

  test("shows every hostile text as text, with control characters and reordering marks visible", () => {
    const texts = shownTexts(html);
    for (const text of [
      "</script><script>hit()</script>",
      "<img src=x onerror=hit()>",
      "&lt;b&gt;",
      "${hit()}",
    ])
      expect(texts).toContain(text);
    const everything = texts.join("");
    expect(everything).not.toMatch(/[\u0000\u001b\u202e]/);
    expect(everything).toContain("esrever");
  });

  test("lets nothing run but its own program and style, by their hashes, and loads nothing", () => {
    const [, policy = ""] = /Content-Security-Policy" content="([^"]*)"/.exec(html) ?? [];
    const [, program = ""] = /<script>(.*?)<\/script>\n<\/html>/s.exec(html) ?? [];
    const [, style = ""] = /<style>(.*?)<\/style>/s.exec(html) ?? [];
    const hash = (text: string) => new Bun.CryptoHasher("sha256").update(text).digest("base64");
    expect(policy.split("; ")).toEqual([
      "default-src 'none'",
      `script-src 'sha256-${hash(program)}'`,
      `style-src 'sha256-${hash(style)}'`,
      "img-src data:",
      "base-uri 'none'",
      "form-action 'none'",
    ]);
    for (const forbidden of [
      "innerHTML",
      "outerHTML",
      "insertAdjacent",
      "document.write",
      "eval(",
      "href",
      "src =",
    ])
      expect(program).not.toContain(forbidden);
  });

  test("never grows beyond twenty megabytes, and counts what had no room", () => {
    const large = Array.from({ length: 400 }, (_, index) => call("<".repeat(20_000), index));
    const page = exportPage(large, [], false);
    expect(Buffer.byteLength(page.html)).toBeLessThanOrEqual(20 * 1024 * 1024);
    expect(page.cut).toBeGreaterThan(0);
    expect(page.calls + page.cut).toBe(400);
    expect(page.html).toContain(`the oldest ${page.cut} rows had no room`);
  });
});

describe("a redacted page", () => {
  test("has no name of an Instance, a place or a file, and no line", () => {
    const secrets = [
      "query game.Secret",
      "edit 1 set, 1 create: game.Secret, Part in game.Secret",
      "run Secret.luau",
    ];
    const calls = secrets.map((summary) => ({ ...call("Secret"), client: "sb", code: "DENIED", summary }));
    const { html, lines } = exportPage(calls, [line("Secret")], true);
    expect(html).not.toContain("Secret");
    expect(lines).toBe(0);
  });

  test("has the same number for the same Instance, and keeps what was done", () => {
    const redaction = new Redaction();
    expect(redaction.summary("set game.A.B")).toBe("set Instance#1");
    expect(redaction.summary("edit 2 set: game.C, game.A.B, … (5)")).toBe(
      "edit 2 set: Instance#2, Instance#1, … (5)",
    );
    expect(redaction.summary("edit game.A, with a comma.B")).toBe("edit Instance#3");
    expect(redaction.summary("edit 1 create: Part in game.C")).toBe("edit 1 create: Part in Instance#2");
    expect(redaction.summary("play start with 2 clients")).toBe("play");
    expect(redaction.summary("undo")).toBe("undo");
  });
});

describe("the command that makes a call again", () => {
  const again = (path: string) => commandsAgain({ action: "queryDataModel", summary: `query ${path}` });

  test("is quoted for both kinds of shells", () => {
    expect(again("game.Workspace")).toEqual(["sb query 'game.Workspace'"]);
    expect(again("game.It's")).toEqual(["sb query 'game.It'\\''s'", "sb query 'game.It''s'"]);
    expect(again("game.‘x")).toEqual(["sb query 'game.‘x'", "sb query 'game.‘‘x'"]);
  });

  test.each(HOSTILE.filter((text) => /[\n\u2028\u202e\u0000]/.test(text)))("is not given for %p", (text) => {
    expect(again(`game.${text}`)).toEqual([]);
  });

  test.each(["$(touch x)", "`touch x`", "'; touch x; '", "$HOME", "!!", "a\\"])(
    "gives a POSIX shell the path %p as it is",
    (text) => {
      const [posix = ""] = again(text);
      const script = `sb() { printf '%s' "$2"; }; ${posix}`;
      const { stdout } = Bun.spawnSync(["sh", "-c", script], { env: {} });
      expect(stdout.toString()).toBe(text);
    },
  );

  test("is not made up for calls of which the journal does not have everything", () => {
    expect(commandsAgain({ action: "applyPatch", summary: "set game.Workspace" })).toEqual([]);
    expect(commandsAgain({ action: "queryDataModel", summary: "query game.Cut…" })).toEqual([]);
    expect(again("--json")).toEqual([]);
  });
});
