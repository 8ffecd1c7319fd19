/** What becomes of errors that no code has caught: which case they fail, or that they fail the file. */
import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CaseEnd, TestEvent } from "../../../../src/testing/events.ts";
import type { HarnessEvent } from "../../../../src/testing/harness-events.ts";
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
/** An error in a thread of which the stack has these lines of the file, innermost first. */
const uncaught = (message: string, ...lines: readonly number[]): HarnessEvent => ({
  type: "uncaught",
  origin: "thread",
  failure: { message, trace: lines.map((line) => `${PATH}:${line}`).join("\n") },
});
const END: HarnessEvent = { type: "end" };

function recorded(events: readonly HarnessEvent[], attempt = 1, hasFailed = false): readonly TestEvent[] {
  const reported: TestEvent[] = [];
  const report = (event: TestEvent): void => void reported.push(event);
  const record = new FileRecord({
    file: FILE,
    attempt,
    hasFailed,
    worker: 1,
    fileOfScript: () => undefined,
    report,
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

test("an error of a thread fails the case that has started it, while that runs", () => {
  expect(told([started(ONE), uncaught("lost", 3), ended(ONE), END])).toEqual([
    "one failed in a thread of its own: lost",
  ]);
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

test("an error of a thread that no case is known for fails the case that runs, and otherwise the file", () => {
  const events = [
    started(ONE),
    ended(ONE),
    started(TWO),
    uncaught("lost", 1),
    ended(TWO),
    uncaught("more"),
    END,
  ];
  expect(told(events)).toEqual([
    "one passed",
    "two failed in a thread of its own: lost",
    "(file) failed in a thread of its own: more",
  ]);
});

test("a case that fails by itself keeps its own failure, and of several threads the first one counts", () => {
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

test("all failures of a file are one, in which the same one stands once", () => {
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
  for (const event of recorded([...cases, END], 2, true)) tally.add(event);
  expect(tally.files()[0]?.cases.map(({ id, isFlaky, end }) => [id, end.status, isFlaky])).toEqual([
    ["one", "passed", false],
    ["(file)", "passed", true],
  ]);
});
