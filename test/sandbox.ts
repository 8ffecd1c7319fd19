/** The sandbox that the tests of a file share. */
import { afterAll, beforeAll } from "bun:test";
import { Sandbox } from "./harness.ts";

/** Of a hook: a guard against hangs, since a machine may be busy. */
const HOOK_TIMEOUT_MS = 120_000;

interface SharedSandbox {
  /** A headless Studio is connected before the first test; a text is the name of its place. */
  readonly headless?: boolean | string;
}

/** It is ready in the hooks that the file declares after it, and ends after the last test. */
export function sandbox({ headless = false }: SharedSandbox = {}): Sandbox {
  const box = new Sandbox();
  beforeAll(async () => {
    await box.openAsync();
    if (headless !== false) await box.headlessAsync(headless === true ? undefined : headless);
  }, HOOK_TIMEOUT_MS);
  afterAll(() => box[Symbol.asyncDispose](), HOOK_TIMEOUT_MS);
  return box;
}
