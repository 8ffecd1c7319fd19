/** Lets a person change a source in their own text editor. What they wrote is never lost: where it cannot be written, it stays in a file. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SessionCommandContext } from "../../command-kit/context.ts";
import { hashOf, readScriptAsync } from "../../scripts/script-sources.ts";
import { readSourceFileAsync } from "../../files/script-source.ts";
import { invalidInput } from "../../protocol/messages.ts";
import type { GivenEdit } from "../../scripts/edit-input.ts";
import type { EditResult } from "../../scripts/edit-scripts.ts";

interface Wish {
  readonly path: string;
  /** What the hash of the source must be; without it, what it is when it is read. */
  readonly hash?: string | undefined;
}

/** `writeAsync` writes what came out. Throws INVALID_INPUT where there is no terminal for a text editor. */
export async function editInEditorAsync(
  context: SessionCommandContext,
  { path, hash }: Wish,
  writeAsync: (edit: GivenEdit) => Promise<EditResult>,
): Promise<EditResult> {
  if (context.openEditorAsync === undefined)
    throw invalidInput(
      "There is no terminal for a text editor.",
      "Give the change as flags: --old TEXT --new TEXT, --lines A:B --new TEXT, or --file FILE.",
    );
  const script = await readScriptAsync(context, path);
  if (script.bytes !== undefined)
    throw invalidInput(`${path} is not valid UTF-8.`, "--file FILE replaces the whole source.");
  const folder = await mkdtemp(join(tmpdir(), "sb-edit-"));
  const file = join(folder, `${fileNameOf(script.path)}.luau`);
  await writeFile(file, script.source, { mode: 0o600 });
  let isKept = true;
  try {
    await context.openEditorAsync(file);
    const source = await readSourceFileAsync(file);
    const result = await writeAsync({ path: script.id, source, hash: hash ?? hashOf(script) });
    isKept = !result.ok;
    return result;
  } finally {
    if (!isKept) await rm(folder, { recursive: true, force: true });
    else context.emit({ stream: "stderr", text: ({ yellow }) => yellow(`What you wrote is in ${file}`) });
  }
}

/** The last name of a path, without what some systems have no files of. */
function fileNameOf(path: string): string {
  const [name = ""] = /[^.[\]"]*$/.exec(path.replaceAll(/[^\w. -]/g, "_")) ?? [];
  return name.trim() === "" ? "script" : name;
}
