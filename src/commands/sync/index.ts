/** Sync for the tools that other servers gave their own names and forms: the folder's only way in from outside. */
export { instanceOfFileAsync, syncForToolAsync, toolOverrides } from "./sync-for-tools.ts";
export type { ToolChange, ToolSync } from "./sync-for-tools.ts";
