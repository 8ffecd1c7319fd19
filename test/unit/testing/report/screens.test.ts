/** Whole screens of a run with each kind of failure, kept as snapshots at four widths, and on a terminal without Unicode. */
import { expect, test } from "bun:test";
import type { TestEvent } from "../../../../src/testing/events.ts";
import { LiveLine } from "../../../../src/testing/report/live.ts";
import { Reporters } from "../../../../src/testing/report/reporters.ts";
import { createStyle, type Style } from "../../../../src/util/style.ts";
import { cells } from "../../../../src/util/text-width.ts";
import { runOf, type SampleCase } from "./sample-run.ts";

const CART = "src/shop/Cart.spec.luau";
const DEEP = "src/a/folder/with/a/long/name/and/another/Inventory.spec.luau";
const SOURCES: Readonly<Record<string, readonly string[]>> = {
  [CART]: [
    "return function()",
    '\tit("adds the tax of each item to the total", function()',
    "\t\texpect(cart:total()).to.equal(2.38) -- 每个商品的税都要加到总额里，这样客户才能看到正确的价格 🛒🛒🛒",
    "\tend)",
  ],
  "src/shop/Cart.luau": [
    "local Cart = {}",
    "function Cart:total() return self.net + self.tax(self.net) + self.shipping(self.address) end",
  ],
};
const at = (path: string, line: number, name?: string) => ({
  path,
  line,
  ...(name === undefined ? {} : { name }),
});
const failing = (
  name: string,
  failure: SampleCase["failure"],
  more: Partial<SampleCase> = {},
): SampleCase => ({
  names: ["Cart", name],
  status: "failed",
  ...(failure === undefined ? {} : { failure }),
  ...more,
});

const RUN: Readonly<Record<string, readonly SampleCase[]>> = {
  "src/Round.spec.luau": [
    { names: ["ends"], earlier: ["too early"], durationMs: 310 },
    { names: ["begins"] },
  ],
  [CART]: [
    failing("adds the tax of each item to the total, also where its price is not known yet", {
      message: "expected the value to equal 2.38, but it is 2.2",
      expected: "2.38",
      received: "2.2",
      frames: [at(CART, 3), at("src/shop/Cart.luau", 2, "total")],
    }),
    failing("keeps its items in order", {
      message: "expected the tables to be equal",
      expected: '{\n  "apple",\n  "梨",\n}',
      received: '{\n  "梨",\n}',
    }),
    failing("waits for the server", {
      message: "timed out after 5 s",
      isTimeout: true,
      frames: [at("src/shop/Cart.luau", 2)],
      waitsIn: "src/shop/Cart.luau:2",
    }),
    failing(
      "shows a diff",
      { message: "expect(received).toEqual(expected)\n\n- Expected\n+ Received\n\n- 1\n+ 2" },
      { output: ["one", "two", "[warn] tax table is empty", "a line with \u001b[31mcolours\u001b[0m"] },
    ),
    { names: ["Cart", "is empty at first"] },
    { names: ["Cart", "is rounded"], status: "skipped", reason: "no prices yet" },
  ],
  [DEEP]: [{ names: ["has room"] }, { names: ["is sorted"], status: "todo" }],
  "src/broken.spec.luau": [
    failing("", { message: "Expected <eof>, got 'end'", frames: [] }, { names: ["(file)"] }),
  ],
};

function screen(name: "pretty" | "line", options: Partial<Style> & { readonly columns: number }): string {
  const style = createStyle({ color: false, isScreen: true, prettyJson: false, ...options });
  const texts: string[] = [];
  const reporters = new Reporters([{ name }], {
    write: (text) => void texts.push(text(style)),
    sourceOf: (path) => SOURCES[path],
    showsOutput: false,
    showsCompiled: false,
    slowest: 3,
    maxFailures: 10,
    again: "sb test --failed",
    unwritable: (file) => new Error(file),
    github: { folder: "/repo", workspace: undefined },
    summaryFile: undefined,
    load: () => 0.34,
  });
  const slow = (event: TestEvent): TestEvent =>
    event.type === "file-end" && event.file === DEEP
      ? { ...event, durationMs: 4200, leaked: ["Workspace.Left", "ReplicatedStorage.Net"] }
      : event.type === "file-start" && event.file === DEEP
        ? { ...event, worker: 2 }
        : event;
  for (const event of runOf(RUN)) reporters.report(slow(event));
  return texts.join("\n");
}

test.each([40, 60, 120, 200])("a run with each kind of failure at %p columns", (columns) => {
  const text = screen("pretty", { columns });
  expect(text).toMatchSnapshot();
  // Paths are never cut, because people copy them; messages and counts are not cut either.
  const isCut = (line: string) => !/Inventory\.spec|expected the value|--show-output| Cases /.test(line);
  expect(text.split("\n").filter((line) => cells(line) > columns && isCut(line))).toEqual([]);
});

test("a pipe gets only the failed files and one line of counts, without the load of the machine", () => {
  const text = screen("line", { columns: Infinity, isScreen: false });
  expect(text).not.toContain("✓");
  expect(text.split("\n").at(-1)).toBe(
    " Files  2 failed, 2 passed      Cases  5 failed, 1 flaky, 3 passed, 1 skipped, 1 todo      1.2 s",
  );
});

test("a terminal without Unicode gets words and signs of ASCII", () => {
  const text = screen("pretty", { columns: 80, hasUnicode: false });
  expect(text).toContain(" ok src/Round.spec.luau");
  expect(text).toContain(" FAIL src/shop/Cart.spec.luau");
  expect(text).toContain("> 3 |     expect(cart:total())");
  expect(text).not.toMatch(/[✓✗─▶│›·…]/);
});

test("expected values are green, received ones red and paths dim where there are colours", () => {
  const text = screen("pretty", { columns: 120, color: true });
  expect(text).toContain("expected  \u001b[32m2.38\u001b[39m");
  expect(text).toContain("received  \u001b[31m2.2\u001b[39m");
  expect(text).toContain("\u001b[32m- Expected\u001b[39m\n  \u001b[31m+ Received\u001b[39m");
  expect(text).toContain(`\u001b[2m  ${CART}:3\u001b[22m`);
});

test("the progress line counts files and cases, and marks a slow case", () => {
  const live = new LiveLine();
  const [run, ...events] = runOf({
    "a.spec.luau": [{ names: ["x"] }],
    "b.spec.luau": [{ names: ["group", "y"] }],
  });
  if (run === undefined) throw new Error("the sample begins with a run");
  live.add(run, 0);
  expect(live.text(0)).toBe("0/2 files  0 passed");
  for (const event of events) {
    if (event.type === "case-end" && event.file === "b.spec.luau") break;
    live.add(event, 100);
  }
  expect(live.text(200)).toBe("1/2 files  1 passed  b.spec.luau › group › y");
  expect(live.text(1600)).toBe("1/2 files  1 passed  b.spec.luau › group › y (slow: 1.5 s)");
});
