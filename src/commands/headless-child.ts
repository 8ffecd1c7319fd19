/** The hidden command that a headless Studio's child process runs; its options arrive on stdin, its end is stdin's. */
import * as z from "zod";
import { lazy } from "../protocol/lazy.ts";
import { defineCommand, streamed } from "./define.ts";

export const headlessChildCommand = defineCommand({
  name: "headless-child",
  summary: "Run a headless Studio for another sb",
  description: "Runs a headless Studio for another sb process. Not for people.",
  group: "Studio",
  examples: [],
  surfaces: ["cli"],
  target: "none",
  annotations: { readOnly: false, destructive: false, idempotent: false },
  input: lazy(() => z.strictObject({})),
  output: lazy(() => z.object({})),
  cli: { hidden: true },
  async handler(_input, { signal }) {
    const { readChildOptionsAsync } = await import("../headless/index.ts");
    const { runHeadlessAsync } = await import("./run-headless.ts");
    const { options, parentGone } = await readChildOptionsAsync(Bun.stdin.stream());
    const ended = new AbortController();
    void parentGone.then(() => ended.abort());
    await runHeadlessAsync({
      ...options,
      signal: AbortSignal.any([signal, ended.signal]),
    });
    return streamed;
  },
});
