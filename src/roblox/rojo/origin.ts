/** Where a node of a project comes from, so that a change of its Instance can be written back to the right file. */
import type { FileKindName } from "./kind-names.ts";

/** A node of a project file: `keys` leads to it from the file's top, as `["tree", "ReplicatedStorage", "Shared"]`. */
export interface ProjectNode {
  readonly file: string;
  readonly keys: readonly string[];
  /** What its `$path` says, as an absolute path. */
  readonly path?: string;
}

/**
 * Which of a node's files states a property, an attribute or the class. `nested`: one of the nodes of inner projects to
 * which the `$path` of the outer one leads.
 */
export type StatedBy = "file" | "meta" | "project" | "nested";

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
  /** The project node that gives the Instance its name, if one does; also beside a `$path`. */
  readonly project?: ProjectNode;
  /** Where the `$path` of `project` leads to another project: the nodes there, outermost first. */
  readonly nested?: readonly ProjectNode[];
  /** The project file whose rules hold for the files of the Instance and for those of its new children. */
  readonly projectFile: string;
  /** Set where the files are outside the project's roots, so that nothing is written there without being asked. */
  readonly isOutside?: true;
  /** Whether children that no file describes stay untouched in Studio. */
  readonly ignoreUnknownInstances: boolean;
  readonly statedClass: StatedBy;
  /** Names are those of the node's maps. A property or attribute that is not listed is stated by the file itself. */
  readonly statedProperties: ReadonlyMap<string, StatedBy>;
  readonly statedAttributes: ReadonlyMap<string, StatedBy>;
}

/** What one of the files of a node states. */
export interface Statement {
  readonly className?: boolean;
  readonly properties: readonly string[];
  readonly attributes: readonly string[];
}

const NOTHING: ReadonlyMap<string, StatedBy> = new Map();

/** Of a node about which its file alone says all. */
export const STATED_BY_FILE = {
  ignoreUnknownInstances: false,
  statedClass: "file",
  statedProperties: NOTHING,
  statedAttributes: NOTHING,
} as const;

/** The origin after one more file of the node has been read. Attributes replace those of the files before. */
export function withStatement(
  origin: Origin,
  by: StatedBy,
  { className, properties, attributes }: Statement,
): Origin {
  return {
    ...origin,
    ...(className === true ? { statedClass: by } : {}),
    statedProperties: new Map([...origin.statedProperties, ...properties.map((name) => [name, by] as const)]),
    statedAttributes:
      attributes.length === 0 ? origin.statedAttributes : new Map(attributes.map((name) => [name, by])),
  };
}

/** The origin of a node of a nested project, as seen by the project around it. */
export function asNested(origin: Origin): Origin {
  const { project, nested = [], ...rest } = origin;
  if (project === undefined) return origin;
  const renamed = (stated: ReadonlyMap<string, StatedBy>): ReadonlyMap<string, StatedBy> =>
    new Map([...stated].map(([name, by]) => [name, by === "project" ? "nested" : by]));
  return {
    ...rest,
    nested: [project, ...nested],
    statedClass: origin.statedClass === "project" ? "nested" : origin.statedClass,
    statedProperties: renamed(origin.statedProperties),
    statedAttributes: renamed(origin.statedAttributes),
  };
}
