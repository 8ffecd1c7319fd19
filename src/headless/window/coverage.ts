/** Asks the engine which members headless Studio simulates. */
import { loadClassText, loadFontText, loadOutlines, loadLuauAsync, loadSnapshot } from "../assets.ts";
import type { HeadlessHost } from "../process/host.ts";
import { HeadlessStudio } from "./studio.ts";

export interface CoveredMember {
  readonly name: string;
  readonly kind: "method" | "property" | "event";
  /** Of an event: it fires. */
  readonly simulated: boolean;
  /** It answers only what the file of `--fixtures` names, and refuses everything else. */
  readonly needsFixtures?: boolean;
  /** It is an emulation that works, or fires, only with `--walk`. */
  readonly needsWalk?: boolean;
}

export interface CoveredClass {
  readonly name: string;
  readonly superclass?: string;
  /** Its members are simulated only with `--data`. */
  readonly needsData: boolean;
  /** Its own, without inherited ones. */
  readonly members: readonly CoveredMember[];
}

/** One class, or all of them; undefined where there is no class of that name. */
export async function readCoverageAsync(className?: string): Promise<readonly CoveredClass[] | undefined> {
  const lines: string[] = [];
  const refuse = (): never => {
    throw new Error("the engine must list what it simulates without a call to the host");
  };
  const host: HeadlessHost = {
    log: (_, text) => void lines.push(text),
    openSocket: refuse,
    sendSocket: refuse,
    closeSocket: refuse,
    requestHttp: refuse,
    exit: refuse,
    noted: refuse,
    testStarted: refuse,
  };
  using studio = new HeadlessStudio({
    assets: {
      luau: await loadLuauAsync(),
      engine: { snapshot: loadSnapshot() },
      classData: loadClassText,
      fontData: loadFontText,
      outlineData: loadOutlines,
    },
    host,
  });
  const name = className === undefined ? "nil" : JSON.stringify(className);
  studio.runSource(
    "=coverage",
    `print(game:GetService("HttpService"):JSONEncode(engine("./Coverage").read(${name}) or {}))`,
  );
  return parse(lines.join("\n"));
}

/** Both sides are this program; anything but its JSON is a defect and says itself what went wrong. */
function parse(text: string): readonly CoveredClass[] | undefined {
  const classes: CoveredClass[] = JSON.parse(text);
  return classes.length === 0 ? undefined : classes;
}
