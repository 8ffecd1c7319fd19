/** Answers the engine's calls about the records of emulated data stores. */
import type { HostOpHandlers } from "../vm/engine-vm.ts";
import { decodeUtf8 } from "../vm/memory.ts";
import type { LocalData } from "./local-data.ts";
import type { MailboxMessage } from "../vm/mailbox.ts";

type DataOp =
  | "dataAccess"
  | "readData"
  | "readDataVersions"
  | "writeData"
  | "overwriteData"
  | "removeDataVersion"
  | "listData";

/** Without `data`, the Studio has no data stores: `dataAccess` says so to the engine, which then makes no other call. */
export function dataHandlers(data: LocalData | undefined): Pick<HostOpHandlers, DataOp> {
  const stored = (): LocalData => {
    if (data === undefined) throw new Error("this Studio has no data stores");
    return data;
  };
  return {
    dataAccess: () => ({ number: data === undefined ? 0 : data.isThrottled ? 2 : 1 }),
    readData: ({ first, second }) => {
      const latest = stored().versions(decodeUtf8(first), decodeUtf8(second)).at(-1);
      return latest === undefined ? { number: 0 } : { number: 1, text: latest };
    },
    readDataVersions: ({ first, second }) => ({
      text: `[${stored().versions(decodeUtf8(first), decodeUtf8(second)).join(",")}]`,
    }),
    writeData: (call) => write(stored(), call, (versions) => versions),
    overwriteData: (call) => write(stored(), call, (versions) => versions.slice(0, -1)),
    removeDataVersion: ({ number, first, second }) => {
      const [store, key] = [decodeUtf8(first), decodeUtf8(second)];
      stored().setVersions(store, key, stored().versions(store, key).toSpliced(number, 1));
      return undefined;
    },
    listData: ({ first }) => {
      const store = decodeUtf8(first);
      return {
        text: store === "" ? `[${stored().storeIds().join(",")}]` : JSON.stringify(stored().keys(store)),
      };
    },
  };
}

/** Adds a version behind the earlier versions that `keep` returns. Ordered data stores keep only the new version. */
function write(
  data: LocalData,
  { number, first, second }: MailboxMessage,
  keep: (versions: readonly string[]) => readonly string[],
): undefined {
  const store = decodeUtf8(first.subarray(0, number));
  const key = decodeUtf8(first.subarray(number));
  const earlier = store.startsWith('["ordered"') ? [] : keep(data.versions(store, key));
  data.setVersions(store, key, [...earlier, decodeUtf8(second)]);
}
