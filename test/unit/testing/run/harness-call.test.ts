/** Calls of the harness, and the errors of those that have no result. */
import { expect, test } from "bun:test";
import { StudioBridgeError } from "../../../../src/protocol/errors.ts";
import { callHarnessAsync } from "../../../../src/testing/run/harness-call.ts";

const job = {
  file: {
    path: "a.spec.luau",
    absolutePath: "/a.spec.luau",
    framework: "built-in",
    why: "",
    context: { kind: "edit", players: 0 },
  },
  caseTimeoutMs: 1,
  fileTimeoutMs: 1,
  isFresh: true,
  tellsLeft: false,
  snapshots: "none",
  done: [],
  onEvent: () => {},
  signal: new AbortController().signal,
} as const;

test("a Studio that is too busy to answer when the time of the file is over gives the same error as one that answers", async () => {
  const late = new StudioBridgeError("TIMEOUT", "Script execution timed out after 0.5 seconds.");
  const lost = new StudioBridgeError("SESSION_NOT_FOUND", "gone");
  const callAsync = (error: Error) =>
    callHarnessAsync({ session: { callAsync: () => Promise.reject(error) } }, job);
  await expect(callAsync(late)).rejects.toThrow("the time of this file is over (--file-timeout)");
  await expect(callAsync(lost)).rejects.toBe(lost);
});
