/** What the VM's glue promises, apart from any engine behaviour. */
import { expect, spyOn, test } from "bun:test";
import { takeSnapshot } from "../../../../scripts/build-snapshot.ts";
import { HeadlessStudio, type HeadlessStudioOptions } from "../../../../src/headless/window/studio.ts";
import { assets, fresh, noNetwork } from "../../../headless/run-spec.ts";

const ERROR = 3;

interface Output {
  readonly lines: string[];
  readonly errors: string[];
}

function start(options: Partial<HeadlessStudioOptions> = {}): { studio: HeadlessStudio } & Output {
  const lines: string[] = [];
  const errors: string[] = [];
  const log = (type: number, text: string): void => void (type === ERROR ? errors : lines).push(text);
  const studio = new HeadlessStudio({ assets, host: { ...noNetwork, log }, ...options });
  return { studio, lines, errors };
}

function run(source: string, options?: Partial<HeadlessStudioOptions>): Output {
  const { studio, lines, errors } = start(options);
  using _ = studio;
  studio.runSource("=script", source);
  return { lines, errors };
}

test("strings are bytes in both directions, zeros and a megabyte included", () => {
  const { lines, errors } = run(`
    local Host = engine("./Kernel/Host")
    local big = string.rep("\\0\\xff\u00e4", 250_000)
    local utf8Text = "\\0\u00e4" .. string.rep("x", 1_000_000)
    Host.call("setSetting", 0, "key", utf8Text)
    local _, back = Host.call("getSetting", 0, "key")
    print(back == utf8Text, #big)
  `);
  expect({ lines, errors }).toEqual({ lines: ["true 1000000"], errors: [] });
});

test("an event larger than the mailbox arrives whole", () => {
  const text = "x".repeat(3_000_000);
  const { lines, errors } = run(`print(#"${text}")`);
  expect({ lines, errors }).toEqual({ lines: ["3000000"], errors: [] });
});

test("errors are caught by pcall, xpcall and coroutines", () => {
  const { lines } = run(`
    print(pcall(error, "a"))
    print(xpcall(error, function(e) return e .. "!" end, "b"))
    print(coroutine.resume(coroutine.create(function() error("c", 0) end)))
    print(pcall(function() local t = nil; return t.x end))
  `);
  expect(lines).toEqual(["false a", "false b!", "false c", "false script:5: attempt to index nil with 'x'"]);
});

test("an uncaught error is reported with the script's frames only", () => {
  const { lines, errors } = run(`local function inner()
  error("boom")
end
task.spawn(inner)
task.spawn(function() local v = Vector2.new(1, 2); return v.Nope end)`);
  expect(errors).toEqual(["script:2: boom", "script:5: Nope is not a valid member of Vector2"]);
  expect(lines).toEqual([
    "Stack Begin",
    "Script 'script', Line 2 - function inner",
    "Stack End",
    "Stack Begin",
    "Script 'script', Line 5",
    "Stack End",
  ]);
});

const LOOPS: Readonly<Record<string, string>> = {
  "a plain loop": "while true do end",
  "a loop that catches its own end": "while true do pcall(function() while true do end end) end",
  "a loop in a coroutine": "while true do coroutine.wrap(function() while true do end end)() end",
  "a loop of spawned threads": "while true do task.spawn(function() for i = 1, 1000 do end end) end",
  "a string pattern": "string.find(string.rep('a', 100000), string.rep('.-', 30) .. 'b')",
  "a sort": "local t = table.create(300, 0) while true do table.sort(t, function(a, b) return a < b end) end",
};

for (const [name, source] of Object.entries(LOOPS)) {
  test(`${name} is stopped when its time is over, and the VM goes on`, () => {
    const { studio, lines, errors } = start({ scriptTimeoutSeconds: 0.3 });
    using _ = studio;
    studio.runSource("=script", source);
    expect(errors.length).toBeGreaterThan(0);
    expect(errors.every((text) => text.endsWith("Script timeout: exhausted allowed execution time"))).toBe(
      true,
    );
    lines.length = 0;
    errors.length = 0;
    studio.runSource("=after", "local n = 0 for i = 1, 1e3 do n += 1 end print(n)");
    expect({ lines, errors }).toEqual({ lines: ["1000"], errors: [] });
  });
}

test("a script's own time budget holds until it is taken back", () => {
  const { studio, lines, errors } = start({ scriptTimeoutSeconds: 5 });
  using _ = studio;
  studio.runSource("=set", `engine("./Kernel/Host").setBudget(0.3)`);
  studio.runSource("=script", "while true do end");
  expect(errors).toEqual(["Script timeout: exhausted allowed execution time"]);
  studio.runSource("=set", `engine("./Kernel/Host").setBudget(0)`);
  studio.runSource("=script", "local t = os.clock() while os.clock() - t < 0.5 do end print('done')");
  expect(lines.at(-1)).toBe("done");
});

test("each resumption has its own time budget", () => {
  // A hundredth of a millisecond passes with each look at the clock, so that no pause of the machine uses up a budget.
  let nowMs = 0;
  using _clock = spyOn(performance, "now").mockImplementation(() => (nowMs += 0.01));
  const { lines, errors } = run(
    `for i = 1, 4 do task.defer(function() local t = os.clock() while os.clock() - t < 0.3 do end print(i) end) end`,
    { scriptTimeoutSeconds: 0.9 },
  );
  expect({ lines, errors }).toEqual({ lines: ["1", "2", "3", "4"], errors: [] });
});

test("the cancel flag stops the running script and only that", async () => {
  const shared = new SharedArrayBuffer(4);
  const canceller = new Worker(
    `data:text/javascript,${encodeURIComponent(
      "self.onmessage = ({ data }) => setTimeout(() => Atomics.store(new Int32Array(data), 0, 1), 30);",
    )}`,
  );
  const { studio, lines, errors } = start({ cancelFlag: new Int32Array(shared) });
  using _ = studio;
  canceller.postMessage(shared);
  studio.runSource("=script", "while true do pcall(function() while true do end end) end");
  canceller.terminate();
  expect(errors).toEqual([]);
  studio.runSource("=after", "for i = 1, 1e6 do end print('after')");
  expect(lines.at(-1)).toBe("after");
});

test("out of memory ends the VM with a plain reason, and later calls say it again", () => {
  const { studio, errors } = start({ memoryLimitMb: 64 });
  using _ = studio;
  const fill = (): void =>
    studio.runSource("=script", "local s = string.rep('x', 6e7) local t = { s .. 1, s .. 2, s .. 3 }");
  expect(fill).toThrow("out of memory");
  expect(errors).toEqual(["not enough memory"]);
  expect(() => studio.runSource("=after", "print(1)")).toThrow("out of memory");
});

test("a script that uses up its memory gets an error with its place, and the VM goes on", () => {
  const { studio, lines, errors } = start({ memoryLimitMb: 64 });
  using _ = studio;
  const fill = "local t = {}\nwhile true do\nt[#t + 1] = string.rep('x', 1e6) .. #t\nend";
  const message = "not enough memory: scripts may use 64 MB (--memory MB sets another limit)";
  for (let round = 1; round <= 3; round += 1) {
    studio.runSource("=script", fill);
    expect(errors).toHaveLength(round);
  }
  expect(new Set(errors)).toEqual(new Set([message]));
  studio.runSource("=caught", `print(pcall(loadstring([[${fill}]])))`);
  studio.runSource("=after", 'print(#string.rep("x", 4e7))');
  expect(lines.slice(-2)).toEqual([`false ${message}`, "40000000"]);
});

test("a freshly booted VM runs, waits, fails and is stopped like one from a snapshot", async () => {
  const { studio, lines, errors } = start({ assets: fresh, scriptTimeoutSeconds: 0.5 });
  using _ = studio;
  studio.runSource(
    "=script",
    "print(Vector3.one, workspace.Name, time() < 5) task.wait(0.01) print('waited')",
  );
  while (studio.hasTimer) await Bun.sleep(1);
  studio.runSource("=loop", "while true do end");
  studio.runSource("=script", `error("x")`);
  expect({ lines: lines.slice(0, 2), errors }).toEqual({
    lines: ["1, 1, 1 Workspace true", "waited"],
    errors: ["Script timeout: exhausted allowed execution time", "script:1: x"],
  });
});

test("what begins from a kept memory collects no garbage before half as much again is in use", () => {
  const { studio, lines } = start();
  using _ = studio;
  studio.runSource("=filling", "_G.kept = {} for index = 1, 5e4 do _G.kept[index] = { index } end");
  const kept = studio.keep();
  for (let round = 0; round < 2; round += 1) {
    studio.returnTo(kept);
    studio.runSource(
      "=script",
      `local weak = setmetatable({ {} }, { __mode = "v" })
      local before = gcinfo()
      while weak[1] do table.create(100) end
      print(gcinfo() >= 1.5 * before)`,
    );
  }
  expect(lines).toEqual(["true", "true"]);
});

test("two VMs from one snapshot draw different random numbers", () => {
  const draw = (): Output => run("print(math.random(), Random.new():NextNumber())");
  expect(draw().lines).not.toEqual(draw().lines);
});

test("the saved VM has the same bytes whenever it is made", async () => {
  const first = takeSnapshot(fresh);
  await Bun.sleep(20);
  expect(Buffer.compare(takeSnapshot(fresh), first)).toBe(0);
});

test("what the compiler can't take is an error of loadstring, and the VM goes on", () => {
  const { lines } = run(`
    print(loadstring(string.rep("(", 1e5), "deep"))
    print(loadstring("\\nlocal t = {" .. string.rep("f(", 300) .. string.rep(")", 300) .. "}", "=registers"))
    print(loadstring("local ok = 1\\n" .. string.rep("x = = 1\\n", 5000), "=broken"))
    print(loadstring(string.rep("x = = 1 ", 150), "=row"))
    print(loadstring("return 5")())`);
  expect(lines).toEqual([
    `nil [string "deep"]:1: Exceeded allowed recursion depth; simplify your expression to make the code compile`,
    "nil registers:2: Out of registers when trying to allocate 2 registers: exceeded limit 255",
    "nil broken:2: Expected identifier when parsing expression, got '='",
    "nil row:1: Expected identifier when parsing expression, got '='",
    "5",
  ]);
});

test("one request for too much memory fails alone", () => {
  const { lines, errors } = run("print(pcall(string.rep, 'x', 1e9)) print(#string.rep('x', 1e6))");
  expect({ lines, errors }).toEqual({ lines: ["false not enough memory", "1000000"], errors: [] });
});

test("endless recursion is a script's error", () => {
  const { lines } = run("local function f() return f() + 1 end print((select(2, pcall(f))))");
  expect(lines).toEqual(["script:1: stack overflow"]);
});

test("a defect of the engine is logged and the VM goes on", async () => {
  const { studio, lines, errors } = start();
  using _ = studio;
  studio.runSource(
    "=script",
    `engine("./Kernel/Scheduler").deferCall(function() error("oops") end) task.defer(print, "later")`,
  );
  studio.runSource("=after", "print('after')");
  expect(errors.map((text) => text.split("\n")[0])).toEqual(["Headless Studio has a defect: script:1: oops"]);
  while (studio.hasTimer) await Bun.sleep(1);
  expect(lines.toSorted()).toEqual(["after", "later"]);
});
