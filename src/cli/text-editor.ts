/** Opens a file in the text editor that the person has chosen for their terminal, and waits until they are done. */
import { StudioBridgeError } from "../protocol/errors.ts";

const CHOOSE_ANOTHER = "Name your text editor in $EDITOR, for example EDITOR=nano.";

/** Throws PROGRAM_FAILED where the editor does not start or ends with a failure. */
export async function openTextEditorAsync(file: string): Promise<void> {
  const editor = process.env["VISUAL"] || process.env["EDITOR"] || (isWindows ? "notepad" : "vi");
  const stdio = ["inherit", "inherit", "inherit"] as const;
  const exitCode = await startedAsync(
    () => Bun.spawn(commandOf(editor, file), { stdio: [...stdio], env: process.env }).exited,
    editor,
  );
  if (exitCode !== 0) throw failed(`The text editor ${editor} ended with exit code ${exitCode}.`);
}

const isWindows = process.platform === "win32";

/** An editor may have arguments, which the shell tells apart, as it does for other programs that start editors. */
function commandOf(editor: string, file: string): string[] {
  // With a handler of its own, the shell outlives a Ctrl+C that the editor understands as a key.
  if (!isWindows) return ["/bin/sh", "-c", `trap : INT; ${editor} "$@"`, editor, file];
  const words = Array.from(editor.matchAll(/"([^"]*)"|(\S+)/g), ([, quoted, plain]) => quoted ?? plain ?? "");
  return [...words, file];
}

async function startedAsync(start: () => Promise<number>, editor: string): Promise<number> {
  try {
    return await start();
  } catch (cause) {
    throw failed(`The text editor ${editor} could not be started.`, cause);
  }
}

function failed(message: string, cause?: unknown): StudioBridgeError {
  return new StudioBridgeError("PROGRAM_FAILED", message, { hint: CHOOSE_ANOTHER, cause });
}
