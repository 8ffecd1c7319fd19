/** Answers the engine's calls about the records of emulated data stores. */
import type { HostOpHandlers } from "../vm/engine-vm.ts";
import { decodeUtf8 } from "../vm/memory.ts";
import type { LocalData } from "./local-data.ts";

type DataOp = "dataAccess" | "readData" | "readDataVersions" | "writeData" | "removeDataVersion" | "listData";

/** Without `data`, only the question for access has an answer. */
export function dataHandlers(data: LocalData | undefined): Pick<HostOpHandlers, DataOp> {
  const of = (): LocalData => {
    if (data === undefined) throw new Error("this Studio has no data stores");
    return data;
  };
  return {
    dataAccess: () => ({ number: data === undefined ? 0 : 1 }),
    readData: ({ first, second }) => {
      const latest = of().versions(decodeUtf8(first), decodeUtf8(second)).at(-1);
      return latest === undefined ? { number: 0 } : { number: 1, text: latest };
    },
    readDataVersions: ({ first, second }) => ({
      text: `[${of().versions(decodeUtf8(first), decodeUtf8(second)).join(",")}]`,
    }),
    writeData: ({ number, first, second }) => {
      const store = decodeUtf8(first.subarray(0, number));
      const key = decodeUtf8(first.subarray(number));
      // Ordered data stores keep no earlier versions.
      const earlier = store.startsWith('["ordered"') ? [] : of().versions(store, key);
      of().setVersions(store, key, [...earlier, decodeUtf8(second)]);
      return undefined;
    },
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
