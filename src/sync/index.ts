/** What other commands and tools use of sync: the folder's only way in from outside. */
export { undoSyncOfStepAsync } from "./undo-project.ts";
export { instanceOfFileAsync, syncForToolAsync, toolOverrides } from "./sync-for-tools.ts";
export type { ToolChange, ToolSync, UnusedOverride } from "./sync-for-tools.ts";
