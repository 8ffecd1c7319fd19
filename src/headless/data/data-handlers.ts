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

/** Without `data`, only the question for access has an answer. */
export function dataHandlers(data: LocalData | undefined): Pick<HostOpHandlers, DataOp> {
  const of = (): LocalData => {
    if (data === undefined) throw new Error("this Studio has no data stores");
    return data;
  };
  return {
    dataAccess: () => ({ number: data === undefined ? 0 : data.isThrottled ? 2 : 1 }),
    readData: ({ first, second }) => {
      const latest = of().versions(decodeUtf8(first), decodeUtf8(second)).at(-1);
      return latest === undefined ? { number: 0 } : { number: 1, text: latest };
    },
    readDataVersions: ({ first, second }) => ({
      text: `[${of().versions(decodeUtf8(first), decodeUtf8(second)).join(",")}]`,
    }),
    writeData: (call) => write(of(), call, (versions) => versions),
    overwriteData: (call) => write(of(), call, (versions) => versions.slice(0, -1)),
    removeDataVersion: ({ number, first, second }) => {
      const [store, key] = [decodeUtf8(first), decodeUtf8(second)];
      of().setVersions(store, key, of().versions(store, key).toSpliced(number, 1));
      return undefined;
    },
    listData: ({ first }) => {
      const store = decodeUtf8(first);
      return { text: store === "" ? `[${of().storeIds().join(",")}]` : JSON.stringify(of().keys(store)) };
    },
  };
}

/** Adds a version after those of the earlier ones that `keep` leaves. Ordered data stores keep none. */
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
