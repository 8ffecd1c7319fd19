/** The kinds of files that Rojo knows, by the names that sync rules have for them. */
const FILE_KINDS = [
  "serverScript",
  "clientScript",
  "pluginScript",
  "legacyServerScript",
  "legacyClientScript",
  "runContextServerScript",
  "runContextClientScript",
  "moduleScript",
  "project",
  "jsonModel",
  "json",
  "toml",
  "yaml",
  "csv",
  "text",
  "rbxm",
  "rbxmx",
] as const;

export type FileKindName = (typeof FILE_KINDS)[number];

export const isFileKind = (name: string): name is FileKindName =>
  FILE_KINDS.some((candidate) => candidate === name);
