/** Where a node of a project comes from, so that a change of its Instance can be written back to the right file. */
import type { FileKindName } from "./kind-names.ts";

/** A node of a project file: `keys` leads to it from the file's top, as `["tree", "ReplicatedStorage", "Shared"]`. */
export interface ProjectNode {
  readonly file: string;
  readonly keys: readonly string[];
  /** What its `$path` says, as an absolute path. */
  readonly path?: string;
}

/** Which of a node's files states a property, an attribute or the class. */
export type StatedBy = "file" | "meta" | "project";

export interface Origin {
  /**
   * `folder`: a folder, with or without an init file. `projectNode`: a project file alone describes the Instance.
   * `part`: the Instance is inside a file of several Instances, such as a model. Otherwise the kind of its file.
   */
  readonly kind: FileKindName | "folder" | "projectNode" | "part";
  /** The file or folder that makes the Instance, absolute. For `part` and `projectNode`, the file that contains it. */
  readonly path: string;
  /** The kind of the file at `path`, and of the init file of a folder; undefined where there is no such file. */
  readonly fileKind?: FileKindName;
  /** The init file of a folder, absolute. */
  readonly init?: string;
  /** The meta file, absolute, if there is one. */
  readonly meta?: string;
  /** For `part`: the way from the top of the file, by the positions of children. */
  readonly position?: readonly number[];
  /** The project node, if one names this Instance; also beside a `$path`. */
  readonly project?: ProjectNode;
  /** Whether children that no file describes stay untouched in Studio. */
  readonly ignoreUnknownInstances: boolean;
  /** Which file states what; names are those of the node's maps. */
  readonly statedProperties: ReadonlyMap<string, StatedBy>;
  readonly statedAttributes: ReadonlyMap<string, StatedBy>;
}
