/** A folder of a test file in which the state of sb is too, so that a test leaves nothing behind and does not see the user's state. */
import { afterAll, beforeAll } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const VARIABLE = "XDG_STATE_HOME";

/** The folder is there while tests run. */
export function ownFolder(prefix: string): { readonly path: string } {
  const folder = { path: "" };
  let before: string | undefined;
  beforeAll(async () => {
    folder.path = await mkdtemp(join(tmpdir(), prefix));
    before = process.env[VARIABLE];
    process.env[VARIABLE] = join(folder.path, "state");
  });
  afterAll(async () => {
    if (before === undefined) delete process.env[VARIABLE];
    else process.env[VARIABLE] = before;
    await rm(folder.path, { recursive: true, force: true });
  });
  return folder;
}
