/** A test file: discovery makes it, and a run takes it. */
import type { LinkedModules } from "./discovery/string-requires.ts";
import type { Framework } from "./events.ts";
import type { TestContext } from "./test-context.ts";

export interface TestFile {
  /** Relative to the project's folder, with slashes. */
  readonly path: string;
  readonly absolutePath: string;
  readonly framework: Framework;
  /** True if the text of the file has decided about the framework, and not the settings. */
  readonly isGuessed?: boolean;
  /** True if the file returns what it requires: that value decides about the framework when the file runs. */
  readonly returnsRequired?: boolean;
  /** The reason for that framework, as `--list` shows it. */
  readonly why: string;
  readonly context: TestContext;
  /** The error in the file's own `--@sb` line, for which it cannot run. */
  readonly fault?: string;
  /** If the file is part of the place: the names from a service to its module. */
  readonly instance?: readonly string[];
  /** If the file is not part of the place: the file and the modules that it requires. */
  readonly modules?: LinkedModules;
  /** The module of the project that lists the cases of the file, if its framework is the project's own. */
  readonly adapter?: AdapterModule;
}

/** Where an adapter is, as a test file has it. */
export interface AdapterModule {
  readonly file: string;
  readonly instance?: readonly string[];
  readonly modules?: LinkedModules;
}
