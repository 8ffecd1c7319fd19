/** Who asks for what a command needs of a Studio, and the words by which others are told of it. */
import type { Asker } from "../bridge/index.ts";
import type { Caller } from "../protocol/fields/callers.ts";
import { lazy } from "../protocol/lazy.ts";
import { fileName } from "../protocol/summary.ts";
import { words } from "../protocol/words.ts";
import { randomHex } from "../util/random-hex.ts";
import { version } from "../version.ts";
import type { RunSurface } from "../output/run-surface.ts";
import type { Command } from "./definition.ts";

/** This process, by an id of its own. */
export const ownCaller = lazy((): Caller => ({
  id: randomHex(8),
  name: words.terminalCaller,
  version,
  pid: process.pid,
}));

/** `input` is the command's own. */
export function askerOf(
  { name, toldInput = [] }: Command,
  input: { readonly [key: string]: unknown },
  surface: { readonly caller?: Caller } & Pick<RunSurface, "emit" | "status">,
): Asker {
  const { caller = ownCaller() } = surface;
  const told = toldInput.flatMap((key) => input[key]).filter((value) => typeof value === "string");
  return { caller, verb: [name, ...told.map(fileName)].join(" "), onHeld: waitingTeller(surface) };
}

/** Says in words when the person at Studio begins to be asked, and then by the progress of the surface. */
function waitingTeller(surface: Pick<RunSurface, "emit" | "status">): (isHeld: boolean) => void {
  let isTold = false;
  return (isHeld) => {
    if (isHeld && !isTold)
      surface.emit({
        stream: "stderr",
        text: (style) => style.dim("Waiting for the person at Studio to allow this."),
      });
    isTold = isHeld;
    surface.status(
      isHeld ? "Waiting for the person at Studio" : "Not waiting for the person at Studio any more",
    );
  };
}
