/** Runs as events, for the tests of reports: files with the cases that a test names. */
import type { CaseEnd, Failure, TestEvent } from "../../../../src/testing/events.ts";
import { type FileResult, Tally } from "../../../../src/testing/report/tally.ts";

export interface SampleCase {
  readonly names: readonly [string, ...string[]];
  readonly status?: CaseEnd["status"];
  readonly failure?: Partial<Failure>;
  readonly reason?: string;
  readonly line?: number;
  readonly durationMs?: number;
  readonly output?: readonly string[];
  /** Failures of earlier tries. */
  readonly earlier?: readonly string[];
}

/** The events of one file, as the runner sends them: each try begins and ends the file. */
export function eventsOf(file: string, cases: readonly SampleCase[]): TestEvent[] {
  const tries = 1 + Math.max(0, ...cases.map(({ earlier = [] }) => earlier.length));
  return Array.from({ length: tries }, (_, at) => at + 1).flatMap((tryNumber): TestEvent[] => {
    const isRetried = tryNumber < tries;
    return [
      { type: "file-start", file, try: tryNumber, framework: "built-in", worker: 1 },
      ...cases.flatMap((each) => caseEvents(file, each, tryNumber)),
      { type: "file-end", file, try: tryNumber, durationMs: 12, ...(isRetried ? { isRetried } : {}) },
    ];
  });
}

function caseEvents(file: string, sample: SampleCase, tryNumber: number): TestEvent[] {
  const { names, earlier = [], output = [], durationMs = 3, line, reason } = sample;
  if (tryNumber > earlier.length + 1) return [];
  const of = { file, try: tryNumber, id: names.join(" › "), names: [...names] };
  const lost = earlier[tryNumber - 1];
  const failure = lost === undefined ? sample.failure : { message: lost };
  const status = lost === undefined ? (sample.status ?? "passed") : "failed";
  return [
    { type: "case-start", ...of },
    ...output.map((text): TestEvent => ({
      type: "output",
      file,
      try: tryNumber,
      id: of.id,
      level: "Print",
      text,
    })),
    {
      type: "case-end",
      ...of,
      status,
      durationMs,
      ...(line === undefined ? {} : { line }),
      ...(reason === undefined ? {} : { reason }),
      ...(failure === undefined ? {} : { failure: { message: "failed", frames: [], ...failure } }),
    },
  ];
}

export function runOf(files: Readonly<Record<string, readonly SampleCase[]>>): TestEvent[] {
  return [
    { type: "run", id: "1", version: "0", target: "headless", startedAt: 0, files: Object.keys(files) },
    ...Object.entries(files).flatMap(([file, cases]) => eventsOf(file, cases)),
    { type: "run-end", durationMs: 1234 },
  ];
}

export function resultsOf(files: Readonly<Record<string, readonly SampleCase[]>>): FileResult[] {
  const tally = new Tally();
  for (const event of runOf(files)) tally.add(event);
  return tally.files();
}

/** Each kind of case once. */
export const MIXED: Readonly<Record<string, readonly SampleCase[]>> = {
  "src/shop/Cart.spec.luau": [
    {
      names: ["Cart", "total", "adds the tax of each item"],
      status: "failed",
      line: 3,
      failure: {
        message: "expected the value to equal 2.38, but it is 2.2",
        expected: "2.38",
        received: "2.2",
        frames: [
          { path: "src/shop/Cart.spec.luau", line: 4 },
          { path: "src/shop/Cart.luau", line: 2, name: "total" },
        ],
      },
      output: ["one", "two", "three", "four"],
    },
    { names: ["Cart", "is empty # at first"], line: 9 },
    { names: ["Cart", "is rounded"], status: "skipped", reason: "no prices yet" },
    { names: ["Cart", "is paid"], status: "todo" },
  ],
  "src/Round.spec.luau": [{ names: ["ends"], earlier: ["too early"], durationMs: 310 }],
  "src/broken.spec.luau": [
    {
      names: ["(file)"],
      status: "failed",
      failure: { message: "Expected <eof>", frames: [{ path: "src/broken.spec.luau", line: 7 }] },
    },
  ],
  "src/empty.spec.luau": [],
};

/** Text that would do harm if a report wrote it unchanged. */
export const HARMFUL = '\u001b[2Jwiped\u0007 ]]> <b> & "q" %0A ::error:: # \\ \u202e\ud800';
