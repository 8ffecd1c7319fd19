/** Opens the expected pictures of the test files of a run. */
import { DEFAULT_SCREEN, type ScreenChoice } from "../../headless/index.ts";
import type { CompiledSources } from "../../source-maps/compiled-sources.ts";
import type { SnapshotMode } from "../events.ts";
import type { TestFile } from "../test-file.ts";
import { PictureBook } from "./picture-book.ts";
import { pictureFolder } from "./picture-names.ts";

export interface PictureWishes {
  /** The project's folder. */
  readonly folder: string;
  readonly snapshots: SnapshotMode;
  readonly screen?: ScreenChoice | undefined;
}

export function pictureBooks(
  { folder, snapshots, screen }: PictureWishes,
  sources: CompiledSources,
): (file: TestFile, client: number | undefined) => PictureBook {
  const { width, height, scale } = screen?.viewport ?? DEFAULT_SCREEN.viewport;
  return (file, client) =>
    new PictureBook({
      folder,
      pictures: pictureFolder(folder, file, sources.sourceOf(file.path)),
      mode: snapshots,
      // The first client shares its pictures with a run that has one client.
      client: client === 1 ? undefined : client,
      viewport: `${width}x${height}@${scale}`,
    });
}
