/** Failures as agents read them. */
import { expect, test } from "bun:test";
import { failureFacts } from "../../../../src/mcp/studio/failure-facts.ts";
import { errorCodes, isErrorCode, StudioBridgeError } from "../../../../src/protocol/errors.ts";

const codes = Object.keys(errorCodes).filter(isErrorCode);

test.each(codes)("the next step after %s names no flag and no command that is a tool", (code) => {
  const { hint } = failureFacts(new StudioBridgeError(code, "It failed."), {});
  expect(hint).not.toContain("--");
  expect(hint).not.toMatch(/`sb (sessions|query|state|logs|exec|script|undo|play|checkpoint|sync`)/);
});

test.each([
  [
    "Choose a session of Roblox Studio with --session; `sb sessions` lists them.",
    "Choose a session of Roblox Studio with sessionId; studio_sessions lists them.",
  ],
  ["Raise it with --timeout (milliseconds).", "Raise it with timeoutMs."],
  [
    "`sb script grep . Workspace.Map --regex` finds scripts below it.",
    'studio_grep with pattern: ".", regex: true and root: "Workspace.Map" finds scripts below it.',
  ],
  ["Leave out --dry-run.", "Leave out dryRun."],
  ["End the test with `sb play stop` first.", "End the test with studio_play (action: stop) first."],
  [
    "Look at it with `sb checkpoint diff NAME`; `--force` restores it anyway.",
    "Look at it with studio_checkpoint (action: diff, name: NAME); `force` restores it anyway.",
  ],
])("%j becomes %j", (hint, forAgents) => {
  const error = new StudioBridgeError("SCRIPT_RUNTIME_ERROR", "It failed.", { hint });
  expect(failureFacts(error, {})["hint"]).toBe(forAgents);
});

test.each([
  [
    "INVALID_INPUT",
    "Write 10:20, 10: or :20; lines count from 1.",
    "Write 10:20, 10: or :20; lines count from 1.",
  ],
  ["INVALID_INPUT", "`sb help edit` shows an example.", "Call the tool again with other arguments."],
  [
    "INSTANCE_NOT_FOUND",
    "Workspace has no Mp. Did you mean Map? `sb query Workspace --children` lists the Instances below it.",
    "Workspace has no Mp. Did you mean Map? studio_query (path: Workspace, children: true) lists the Instances below it.",
  ],
] as const)(
  "the hint that an %s error has of its own reaches agents unless it names a command: %j",
  (code, hint, forAgents) => {
    expect(failureFacts(new StudioBridgeError(code, "It failed.", { hint }), {})["hint"]).toBe(forAgents);
  },
);

test("an agent is shown no example of the command line", () => {
  const error = new StudioBridgeError("INVALID_INPUT", "Expression is required. Example: sb query Workspace");
  expect(failureFacts(error, {})["error"]).toBe("Expression is required.");
});
