/** Lets only one headless Studio at a time write a folder of data. The file `lock` in the folder names its process. */
import { join } from "node:path";
import { lockAsync, lockOwnerAsync, type LockOwner } from "../../util/process-lock.ts";
import { systemReason } from "../../util/system-error.ts";
import { dataFault } from "./data-fault.ts";

/** Locks the folder, which it makes if necessary. Throws FILE_ERROR if the folder is in use or cannot be written. */
export async function lockDataFolderAsync(folder: string): Promise<AsyncDisposable> {
  const lock = await lockAsync(lockOf(folder), "sb --data").catch((error: unknown) => {
    throw dataFault(folder, systemReason(error), "Name a folder that you may write.");
  });
  if (!lock.isOurs) throw inUse(folder, lock.owner);
  return { [Symbol.asyncDispose]: () => lock.releaseAsync() };
}

/** Throws FILE_ERROR if another process uses the folder. */
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
