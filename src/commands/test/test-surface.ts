/** The command's surface as a run of tests sees it. */
import { caveatFieldsAsync } from "../../command-kit/caveats/caveats.ts";
import type { CommandContext } from "../../command-kit/context.ts";
import { checkSourcesAsync } from "../../project/readable-file.ts";
import type { TestSurface } from "../../testing/project/test-surface.ts";
import { openStudioAsync } from "./open-studio.ts";

export const testSurface = (context: CommandContext): TestSurface => ({
  signal: context.signal,
  emit: (emission) => context.emit(emission),
  status: (text) => context.status(text),
  note: (text) => context.note(text),
  isAgent: context.fileRoots !== undefined,
  checkSourcesAsync: (path, sources) => checkSourcesAsync(path, sources, context),
  openStudioAsync: (target, opening, signal) => openStudioAsync(target, opening, { ...context, signal }),
  caveatFieldsAsync: (counted) => caveatFieldsAsync(counted, context),
  openKeys: context.openKeys,
});
