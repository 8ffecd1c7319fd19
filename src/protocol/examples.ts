/**
 * One example of every message and of every value type, more where an edge matters. They become the golden files
 * under test/golden/wire and the samples in docs/protocol.md; a row without an example fails the generator.
 */
import { changeExamples } from "./examples/changes.ts";
import { interfaceExamples } from "./examples/interface.ts";
import { linkExamples } from "./examples/links.ts";
import { modelExamples } from "./examples/models.ts";
import { placeFileExamples } from "./examples/place-files.ts";
import { playTestExamples } from "./examples/play-tests.ts";
import { queryExamples } from "./examples/queries.ts";
import { scriptExamples } from "./examples/scripts.ts";
import { sourceExamples } from "./examples/sources.ts";
import { studioExamples } from "./examples/studio.ts";
import { syncExamples } from "./examples/sync.ts";
import { treeExamples } from "./examples/trees.ts";
import type { MessageExample } from "./examples/example.ts";

export const messageExamples: readonly MessageExample[] = [
  ...linkExamples,
  ...studioExamples,
  ...placeFileExamples,
  ...sourceExamples,
  ...queryExamples,
  ...interfaceExamples,
  ...treeExamples,
  ...scriptExamples,
  ...playTestExamples,
  ...changeExamples,
  ...modelExamples,
  ...syncExamples,
];
