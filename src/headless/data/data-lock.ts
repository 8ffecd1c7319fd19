/** One headless Studio at a time writes a folder of data: the file `lock` in it names the process. */
import { join } from "node:path";
import { lockAsync, lockOwnerAsync, type LockOwner } from "../../util/process-lock.ts";
import { systemReason } from "../../util/system-error.ts";
import { dataFault } from "./data-fault.ts";

/** Makes the folder where it does not exist. Throws FILE_ERROR where it cannot be used. */
export async function lockDataFolderAsync(folder: string): Promise<AsyncDisposable> {
  const lock = await lockAsync(lockOf(folder), "sb --data").catch((error: unknown) => {
    throw dataFault(folder, systemReason(error), "Name a folder that you may write.");
  });
  if (!lock.isOurs) throw inUse(folder, lock.owner);
  return { [Symbol.asyncDispose]: () => lock.releaseAsync() };
}

/** Throws FILE_ERROR where another process uses the folder. */
export async function checkDataIsFreeAsync(folder: string): Promise<void> {
  const owner = await lockOwnerAsync(lockOf(folder));
  if (owner !== undefined) throw inUse(folder, owner);
}

const lockOf = (folder: string): string => join(folder, "lock");

function inUse(folder: string, { pid }: LockOwner): Error {
  return dataFault(
    folder,
    `the headless Studio of process ${pid} uses it`,
    "End that Studio first, or name another folder. Tests (sb test) and --data memory need no folder of their own.",
  );
}
