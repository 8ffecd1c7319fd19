/** Checks that a test does not wait for the answers of a server that has already ended. */
import { expect, test } from "bun:test";
import { tmpdir } from "node:os";
import { StdioPeer } from "./mcp-peer.ts";

/** Answers nothing, and ends as it is asked something. */
const PROGRAM = 'process.stdin.once("data", () => process.exit(3))';

test("what a server leaves unanswered as it ends is told at once, with how it ended", async () => {
  const options = { cwd: tmpdir(), env: {} };
  await using peer = new StdioPeer([process.execPath, "-e", PROGRAM], options);
  const first = peer.requestAsync("ping");
  await expect(first).rejects.toThrow("request 1 is not answered: the server ended with exit code 3");
  await expect(peer.answerAsync("other")).rejects.toThrow("request other is not answered: the server ended");
});
