/** The host's part of texts: what free fonts, and those of an installed Studio, say of their widths. */
import type { HostOpHandlers } from "../vm/engine-vm.ts";
import { decodeUtf8 } from "../vm/memory.ts";
import { installedFamily } from "./studio-fonts.ts";

/** As in Fonts.luau. */
const OF_STUDIO = 1;

/** Answers out of the text of build/fonts.txt, which is read at the first question, and out of the folder of a Studio, if any. */
export function fontHandlers(
  text: () => string,
  folder: string | undefined,
): Pick<HostOpHandlers, "fontMetrics"> {
  let lines: readonly string[] | undefined;
  return {
    fontMetrics: ({ number, first }) => {
      const family = decodeUtf8(first);
      if (number === OF_STUDIO) return { text: folder === undefined ? "" : installedFamily(folder, family) };
      const [, codes = "", ...faces] = (lines ??= text().split("\n"));
      const own = faces.filter((line) => line.startsWith(`${family} `));
      return { text: own.length === 0 ? "" : [codes, ...own].join("\n") };
    },
  };
}
