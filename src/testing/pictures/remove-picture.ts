/** Removes an expected picture that no test uses. */
import { rm, rmdir } from "node:fs/promises";
import { dirname } from "node:path";
import { unwritableFile } from "../../files/unwritable-file.ts";
import { checkOwnFileAsync } from "../own-file.ts";
import { differenceFile } from "./picture-names.ts";

/** With the picture of its difference, and with folders that are then empty. Throws FILE_ERROR. */
export async function removePictureAsync(folder: string, file: string): Promise<void> {
  await checkOwnFileAsync(folder, file);
  await rm(file, { force: true }).catch((error: unknown) => {
    throw unwritableFile(file, error);
  });
  await rm(differenceFile(file), { force: true }).catch(() => {});
  // The folder of the test, and the one of all pictures beside it.
  for (const empty of [dirname(file), dirname(dirname(file))]) await rmdir(empty).catch(() => {});
}
