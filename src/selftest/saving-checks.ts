/** Checks of the actions that headless Studio answers itself, and that the plugin in Studio refuses: saving, ending, its limits. */
import type { BridgeCheck } from "./bridge-check.ts";
import { failureCodeAsync } from "./bridge-check.ts";
import type { CheckedStudio } from "./checked-studio.ts";
import { cannotTell, sameAs } from "./findings.ts";

const isHeadless = ({ session }: CheckedStudio): boolean => session.origin === "headless";

export const savingChecks: readonly BridgeCheck[] = [
  {
    action: "queryPlaceFile",
    name: "is refused in Studio, and answered in headless Studio",
    runAsync: async (studio) =>
      sameAs(
        await failureCodeAsync(studio.callAsync("queryPlaceFile", {})),
        isHeadless(studio) ? undefined : "SAVE_REFUSED",
      ),
  },
  {
    action: "savePlace",
    name: "is refused in Studio, and in headless Studio without the whole path of a file",
    runAsync: async (studio) =>
      sameAs(
        await failureCodeAsync(studio.callAsync("savePlace", { file: "selftest.rbxl" })),
        isHeadless(studio) ? "SAVE_FAILED" : "SAVE_REFUSED",
      ),
  },
  {
    action: "queryCaveats",
    name: "is refused in Studio, and answered in headless Studio",
    runAsync: async (studio) =>
      sameAs(
        await failureCodeAsync(studio.callAsync("queryCaveats", { of: "studio" })),
        isHeadless(studio) ? undefined : "CAVEATS_REFUSED",
      ),
  },
  {
    action: "setViewport",
    name: "is refused in Studio, and given back in headless Studio",
    runAsync: async (studio) =>
      sameAs(
        await failureCodeAsync(studio.callAsync("setViewport", {})),
        isHeadless(studio) ? undefined : "CAPABILITY_NOT_SUPPORTED",
      ),
  },
  {
    action: "endStudio",
    name: "is refused in Studio",
    runAsync: async (studio) => {
      if (isHeadless(studio)) return cannotTell("it would end the headless Studio that is checked");
      return sameAs(
        await failureCodeAsync(studio.callAsync("endStudio", { unsaved: "keep" })),
        "SAVE_REFUSED",
      );
    },
  },
];
