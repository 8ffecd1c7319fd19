/** The folders in which an agent may name files. A person may name any file. */

export interface FileRoots {
  /** The working folder of the server, which relative names start from. */
  readonly own: string;
  /** Folders that the client has opened for its user. */
  readonly othersAsync: () => Promise<readonly string[]>;
}

/** Who names files; without roots, a person. */
export interface FileCaller {
  readonly fileRoots?: FileRoots;
}
