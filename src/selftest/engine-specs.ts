/**
 * Runs the specs of headless Studio in the checked Studio, in the harness of `sb test`. A case that fails there shows that
 * headless Studio differs from it.
 */
import { readFileSync } from "node:fs";
import specsFile from "../../build/specs.json.zst" with { type: "file" };
import { StudioBridgeError } from "../protocol/errors.ts";
import { HARNESS_NAME, leavingSource, preparingSource } from "../testing/harness.ts";
import type { HarnessCase, HarnessEvent } from "../testing/harness-events.ts";
import { EDIT } from "../testing/test-context.ts";
import { callHarnessAsync, prepareAsync } from "../testing/run/harness-call.ts";
import { isStudioGone } from "./bridge-check.ts";
import type { CheckedStudio } from "./checked-studio.ts";
import { differs, type Finding, holds } from "./findings.ts";
import { testFileOf } from "./spec-source.ts";

const CASE_TIMEOUT_MS = 15_000;
const FILE_TIMEOUT_MS = 60_000;

/** The sources of the specs by their names, such as `classes-lighting`. */
export function readSpecs(): Readonly<Record<string, string>> {
  return JSON.parse(Bun.zstdDecompressSync(readFileSync(specsFile)).toString());
}

/** Adds a finding for each case to `findings`. */
export async function runSpecsAsync(
  studio: CheckedStudio,
  specs: Readonly<Record<string, string>>,
  findings: Finding[],
): Promise<void> {
  const session = studio.bridge.session(studio.session.sessionId);
  await prepareAsync(session, { name: HARNESS_NAME, source: preparingSource(["built-in"]) }, studio.signal);
  try {
    const names = Object.keys(specs);
    for (const [index, name] of names.entries()) {
      studio.status(`Engine: ${name} (${index + 1} of ${names.length})`);
      findings.push(...(await runSpecAsync(studio, name, specs[name] ?? "")));
    }
  } finally {
    // Also after an interruption, but a Studio that is gone has nothing to forget.
    const leaving = { name: HARNESS_NAME, source: leavingSource };
    await prepareAsync(session, leaving, new AbortController().signal).catch(() => {});
  }
}

async function runSpecAsync(studio: CheckedStudio, name: string, spec: string): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  let hasEnded = false;
  // Errors that no code has caught count for nothing: specs make threads that fail on purpose, and look at what becomes of that.
  let running: HarnessCase | undefined;
  const onEvent = (event: HarnessEvent): void => {
    if (event.type === "end") hasEnded = true;
    else if (event.type === "case-start") running = event.case;
    else if (event.type === "broken") findings.push(broken(name, event.failure.message));
    else if (event.type === "case-end") {
      const message = event.failure?.message;
      const verdict = message === undefined ? holds : differs(withoutPosition(message, name));
      const { names } = event.case ?? running ?? { names: [] };
      findings.push({ subject: name, name: names.join(" › "), ...verdict });
    }
  };
  try {
    await callHarnessAsync(
      { session: studio.bridge.session(studio.session.sessionId) },
      {
        file: {
          path: fileOf(name),
          absolutePath: fileOf(name),
          framework: "built-in",
          why: "",
          context: EDIT,
          modules: { [fileOf(name)]: { source: testFileOf(spec), links: {} } },
        },
        caseTimeoutMs: CASE_TIMEOUT_MS,
        snapshots: "none",
        fileTimeoutMs: FILE_TIMEOUT_MS,
        isFresh: false,
        tellsLeft: false,
        done: [],
        onEvent,
        signal: studio.signal,
      },
    );
  } catch (error) {
    if (!(error instanceof StudioBridgeError) || error.code === "CANCELLED" || isStudioGone(error))
      throw error;
    findings.push(broken(name, error.message));
    return findings;
  }
  if (!hasEnded) findings.push(broken(name, "the run of this spec broke off"));
  return findings;
}

const broken = (name: string, message: string): Finding => ({
  subject: name,
  name: "runs to its end",
  ...differs(withoutPosition(message, name)),
});

/** The chunk name, the same as in the tests of headless Studio. */
const fileOf = (name: string): string => `${name}.spec.luau`;

/** A message with "line 12: " in place of the chunk name and the line, because the finding names the spec already. */
function withoutPosition(message: string, name: string): string {
  return message.startsWith(`${fileOf(name)}:`) ? message.replace(/^[^:]*:(\d+): /, "line $1: ") : message;
}
