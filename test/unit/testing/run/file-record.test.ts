/** The events that a record makes of uncaught errors and of output: the case that fails, or the file, and the limits. */
import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CaseEnd, TestEvent } from "../../../../src/testing/events.ts";
import type { HarnessEvent, Uncaught } from "../../../../src/testing/harness-events.ts";
import { Tally } from "../../../../src/testing/report/tally.ts";
import { FileRecord } from "../../../../src/testing/run/file-record.ts";

const folder = mkdtempSync(join(tmpdir(), "sb-file-record-"));
afterAll(() => rmSync(folder, { recursive: true }));

const PATH = "cart.spec.luau";
const FILE = {
  path: PATH,
  absolutePath: join(folder, PATH),
  framework: "built-in",
  why: "it returns a function",
  context: { kind: "edit", players: 1 },
} as const;
writeFileSync(
  FILE.absolutePath,
  [
    "return function()",
    ...["one", "two", "three"].map((name) => `it("${name}", function()\nf()\nend)`),
    "end",
  ].join("\n"),
);
const [ONE, TWO, THREE] = [
  { id: "one", names: ["one"], line: 2 },
  { id: "two", names: ["two"], line: 5 },
  { id: "three", names: ["three"], line: 8 },
];

const started = (of: typeof ONE): HarnessEvent => ({ type: "case-start", case: of });
const ended = (of: typeof ONE, message?: string): HarnessEvent => ({
  type: "case-end",
  case: of,
  status: message === undefined ? "passed" : "failed",
  durationMs: 1,
  ...(message === undefined ? {} : { failure: { message } }),
});
/** An uncaught error in a thread whose stack has these lines of the file, innermost first. */
const uncaught = (message: string, ...lines: readonly number[]): Uncaught => ({
  type: "uncaught",
  origin: "thread",
  failure: { message, trace: lines.map((line) => `${PATH}:${line}`).join("\n") },
});
const END: HarnessEvent = { type: "end" };

function recorded(
  events: readonly HarnessEvent[],
  options: { readonly try?: number; readonly hasFailed?: boolean; readonly allowedErrors?: RegExp[] } = {},
): readonly TestEvent[] {
  const reported: TestEvent[] = [];
  const report = (event: TestEvent): void => void reported.push(event);
  const record = new FileRecord({
    file: FILE,
    try: 1,
    worker: 1,
    fileOfScript: () => undefined,
    report,
    ...options,
  });
  for (const event of events) record.add(event);
  record.end(1);
  return reported;
}

const endsOf = (events: readonly TestEvent[]): readonly CaseEnd[] =>
  events.filter((event) => event.type === "case-end");

/** Each end of a case as `id status message`. */
const told = (events: readonly HarnessEvent[]): string[] =>
  endsOf(recorded(events)).map(({ id, status, failure }) =>
    `${id} ${status} ${failure?.message ?? ""}`.trim(),
  );

test("an error of a thread fails the case that started it, if that case still runs", () => {
  expect(told([started(ONE), uncaught("lost", 3), ended(ONE), END])).toEqual([
    "one failed in a thread of its own: lost",
  ]);
});

test("an error that the settings allow fails neither a case nor the file, and is no error that an earlier file has left", () => {
  const late: HarnessEvent = { type: "late", name: "a", origin: "thread", failure: { message: "lost too" } };
  const events = [
    started(ONE),
    uncaught("lost", 3),
    ended(ONE),
    started(TWO),
    uncaught("more", 3),
    late,
    ended(TWO),
    END,
  ];
  const allowed = recorded(events, { allowedErrors: [/^lost/] });
  expect(endsOf(allowed).map(({ id, status }) => `${id} ${status}`)).toEqual([
    "one passed",
    "two passed",
    "(file) failed",
  ]);
  expect(allowed.filter(({ type }) => type === "late-error")).toEqual([]);
});

test("an error of a thread whose case has ended fails the file, names the case, and the case that runs passes", () => {
  const events = [started(ONE), ended(ONE), started(TWO), uncaught("lost", 3), ended(TWO), END];
  expect(told(events)).toEqual([
    "one passed",
    "two passed",
    '(file) failed in a thread that "one" left behind: lost',
  ]);
  const between = [started(ONE), ended(ONE), uncaught("lost", 3), started(TWO), ended(TWO), END];
  expect(told(between)).toEqual(told(events));
});

test("an error whose stack leads to no case fails the running case only if the error is its own, else the file", () => {
  const before = [started(ONE), ended(ONE), started(TWO)];
  expect(told([...before, { ...uncaught("lost", 1), isOwn: true }, ended(TWO), END])).toEqual([
    "one passed",
    "two failed in a thread of its own: lost",
  ]);
  expect(told([...before, uncaught("lost", 1), ended(TWO), uncaught("more"), END])).toEqual([
    "one passed",
    "two passed",
    '(file) failed in a thread of unknown origin, while "two" ran: lost\nin a thread of its own: more',
  ]);
});

test("an error whose stack leads to several cases fails the running one of them only if the error is its own", () => {
  const again = { ...ONE, id: "one again" };
  const before = [started(ONE), ended(ONE), started(again)];
  expect(told([...before, { ...uncaught("lost", 3), isOwn: true }, ended(again), END])).toEqual([
    "one passed",
    "one again failed in a thread of its own: lost",
  ]);
  expect(told([...before, uncaught("lost", 3), ended(again), END])).toEqual([
    "one passed",
    "one again passed",
    "(file) failed in a thread of one of the 2 cases of line 2: lost",
  ]);
});

test("a case with a failure of its own keeps it, and of several failed threads the first one counts", () => {
  expect(told([started(ONE), uncaught("lost", 3), ended(ONE, "own"), END])).toEqual(["one failed own"]);
  expect(told([started(ONE), uncaught("first", 3), uncaught("second", 3), ended(ONE), END])).toEqual([
    "one failed in a thread of its own: first",
  ]);
});

test("a case that never yielded has the stack that the engine gives with its last error", () => {
  const end = ended(ONE, "never yielded in 1 s");
  if (end.type === "case-end" && end.failure !== undefined) end.failure.isTimeout = true;
  const [only] = endsOf(recorded([started(ONE), uncaught("lost", 3), uncaught("stopped", 4), end, END]));
  expect(only?.failure).toMatchObject({ message: "never yielded in 1 s", frames: [{ path: PATH, line: 4 }] });
});

test("all failures of a file become one, and equal ones are listed once", () => {
  const late = [uncaught("lost", 3), uncaught("lost", 3), uncaught("other", 6)];
  const many = Array.from({ length: 20 }, (_, index) => uncaught(`number ${index}`, 9));
  const ran = [ONE, TWO, THREE].flatMap((each) => [started(each), ended(each)]);
  const ofFile = (events: readonly HarnessEvent[]) => endsOf(recorded([...ran, ...events, END])).slice(3);
  expect(ofFile(late)).toMatchObject([
    {
      id: "(file)",
      failure: {
        message:
          'in a thread that "one" left behind: lost\nin a thread that "two" left behind: other (cart.spec.luau:6)',
        frames: [{ path: PATH, line: 3 }],
      },
    },
  ]);
  expect(ofFile(many)[0]?.failure?.message.split("\n")).toHaveLength(11);
  expect(ofFile(many)[0]?.failure?.message).toEndWith("\nand 10 more");
});

test("a file that fails in one try and not in the next is flaky, and its cases that passed both times are not", () => {
  const tally = new Tally();
  const cases = [started(ONE), ended(ONE)];
  for (const event of recorded([...cases, uncaught("lost", 3), END])) tally.add(event);
  for (const event of recorded([...cases, END], { try: 2, hasFailed: true })) tally.add(event);
  expect(tally.files()[0]?.cases.map(({ id, isFlaky, end }) => [id, end.status, isFlaky])).toEqual([
    ["one", "passed", false],
    ["(file)", "passed", true],
  ]);
});

type Output = Extract<HarnessEvent, { readonly type: "output" }>;
const printed = (text: string, id?: string, level: Output["level"] = "Print"): HarnessEvent => ({
  type: "output",
  level,
  text,
  ...(id === undefined ? {} : { id }),
});
/** Each output as `id: text`. */
const outputOf = (events: readonly HarnessEvent[]): string[] =>
  recorded(events).flatMap((event) => (event.type === "output" ? [`${event.id}: ${event.text}`] : []));

test("of the output of a case and of the message of its failure, 1 MB is kept, with the number of characters that are left out", () => {
  const text = "x".repeat(600_000);
  const lines = [printed(text, "one"), printed(text, "one"), printed("more", "one"), printed(text)];
  const events = [started(ONE), ...lines, ended(ONE, "y".repeat(1_000_010)), printed("end"), END];
  expect(outputOf(events)).toEqual([
    `one: ${text}`,
    `one: ${"x".repeat(400_000)}`,
    `undefined: ${text}`,
    "one: (200004 more characters of output are left out)",
    "undefined: end",
  ]);
  expect(endsOf(recorded(events))[0]?.failure?.message).toEndWith("yyy… (10 more characters)");
});

test("the warning of a wait is output of the waiting case, even if another case runs when it comes", () => {
  const warning = printed("Infinite yield possible on 'Workspace:WaitForChild(\"Door\")'", "two", "Warning");
  const stackOf = (line: number) =>
    ["Stack Begin", `Script '${PATH}', Line ${line}`, "Stack End"].map((text) =>
      printed(text, "two", "Info"),
    );
  const ownersOf = (...lines: readonly HarnessEvent[]): string[] =>
    outputOf([started(ONE), ended(ONE), started(TWO), ...lines, printed("next", "two"), ended(TWO), END]).map(
      (line) => line.split(":")[0] ?? "",
    );
  expect(ownersOf(warning, ...stackOf(3))).toEqual(["one", "one", "one", "one", "two"]);
  expect(ownersOf(warning, ...stackOf(6))).toEqual(Array(5).fill("two"));
  expect(ownersOf(warning, ...stackOf(1))).toEqual(Array(5).fill("two"));
  expect(ownersOf(warning)).toEqual(["two", "two"]);

  // The thread of a case that was stopped has no stack any more.
  const stopped = ended(ONE, "timed out after 5 s");
  if (stopped.type === "case-end" && stopped.failure !== undefined) stopped.failure.waits = `${PATH}:3`;
  const events = [started(ONE), stopped, started(TWO), warning, printed("next", "two"), ended(TWO), END];
  expect(outputOf(events).map((line) => line.split(":")[0])).toEqual(["one", "two"]);
});

test("a file that waits while it is loaded has the stack of the warning, which names the module that waits", () => {
  const warning = printed(
    "Infinite yield possible on 'Workspace:WaitForChild(\"Door\")'",
    undefined,
    "Warning",
  );
  const stack = ["Stack Begin", "Script 'Shop.Door', Line 7", "Stack End"];
  const broken: HarnessEvent = { type: "broken", failure: { message: "timed out", isTimeout: true } };
  const failureOf = (...events: readonly HarnessEvent[]) =>
    endsOf(recorded([...events, broken, END]))[0]?.failure;
  expect(failureOf()).toEqual({ message: "timed out", isTimeout: true, frames: [] });
  expect(failureOf(warning, ...stack.map((text) => printed(text, undefined, "Info")))).toEqual({
    message: "timed out",
    isTimeout: true,
    frames: [{ path: "Shop.Door", line: 7 }],
    waitsIn: "Shop.Door:7",
  });
});
