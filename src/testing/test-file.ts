/** A test file as discovery finds it, and as a run takes it. */
import type { LinkedModules } from "./discovery/string-requires.ts";
import type { Framework } from "./events.ts";
import type { TestContext } from "./test-context.ts";

export interface TestFile {
  /** Relative to the project's folder, with slashes. */
  readonly path: string;
  readonly absolutePath: string;
  readonly framework: Framework;
  /** Why that framework, for `--list`. */
  readonly why: string;
  readonly context: TestContext;
  /** Why it cannot run, where its own `--@sb` line is not understood. */
  readonly fault?: string;
  /** The names from a service to its module, where the file is part of the place. */
  readonly instance?: readonly string[];
  /** The file and the modules that it requires, where it is not part of the place. */
  readonly modules?: LinkedModules;
}
