/** What `sb.ui` of a test wishes: input to a player, and what the screen of that player shows. */
import type { BridgeSession } from "../../bridge/index.ts";
import { giveInputAsync } from "../../input/give-input.ts";
import { checkedSteps } from "../../input/steps.ts";
import { isSeen } from "../../interface/boxes.ts";
import { objectLine, seenObjects } from "../../interface/interface-lines.ts";
import { ownPathAsync } from "../../interface/own-path.ts";
import { StudioBridgeError } from "../../protocol/errors.ts";
import { shownPath, wirePath } from "../../tree/instance-path.ts";
import type { UiWish } from "../harness-events.ts";
import { type PictureBook, PictureDiffersError } from "../pictures/picture-book.ts";
import { matchPictureAsync } from "./picture-wish.ts";

type Session = Pick<BridgeSession, "callAsync">;

export interface Stage {
  /** Where the file runs. */
  readonly session: Session;
  /** The client of the player; undefined where the file runs in the edited place. */
  readonly player: Session | undefined;
  readonly caseTimeoutMs: number;
  /** The expected pictures of the file; undefined where no pictures can be compared. */
  readonly pictures?: PictureBook | undefined;
  /** Hears of a picture that shows how another one differs from what was expected. */
  readonly onDifference?: ((picture: string) => void) | undefined;
}

/** How long a step waits at most; a case with a shorter limit gets its failure before the limit ends it. */
const LONGEST_MS = 5_000;
const PART_OF_CASE = 0.8;

/** The answer as the harness reads it. Does not throw: a wish that fails has its reason in `problem`. */
export async function uiAnswerAsync(stage: Stage, wish: UiWish, signal: AbortSignal): Promise<object> {
  try {
    return { ui: wish.id, value: await valueAsync(stage, wish, signal) };
  } catch (error) {
    if (error instanceof StudioBridgeError && error.hint !== undefined)
      return { ui: wish.id, problem: `${error.message} ${error.hint}` };
    return { ui: wish.id, problem: error instanceof Error ? error.message : String(error) };
  }
}

function valueAsync(stage: Stage, wish: UiWish, signal: AbortSignal): Promise<unknown> {
  switch (wish.act) {
    case "input":
      return inputAsync(stage, wish, signal);
    case "look":
      return lookAsync(stage, wish.target, signal);
    case "see":
      return seeAsync(stage, wish.target ?? "", signal);
    case "picture":
      return pictureAsync(stage, wish, signal);
    case "viewport":
      return viewportAsync(stage, wish, signal);
  }
}

async function viewportAsync(
  { session, player = session }: Stage,
  { viewport }: UiWish,
  signal: AbortSignal,
): Promise<true> {
  await player.callAsync("setViewport", viewport === undefined ? {} : { viewport }, { signal });
  return true;
}

async function pictureAsync(stage: Stage, wish: UiWish, signal: AbortSignal): Promise<object> {
  const { session, player = session, pictures, onDifference } = stage;
  if (pictures === undefined) throw new Error("this run compares no pictures");
  try {
    return await matchPictureAsync(player, pictures, wish, signal);
  } catch (error) {
    if (error instanceof PictureDiffersError && error.difference !== undefined)
      onDifference?.(error.difference);
    throw new Error(`matchPicture: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
}

async function inputAsync(
  { player, caseTimeoutMs }: Stage,
  { steps: given = [], timeoutMs: wished, force }: UiWish,
  signal: AbortSignal,
): Promise<unknown> {
  if (player === undefined)
    throw new StudioBridgeError(
      "CONTEXT_UNAVAILABLE",
      "input is given to a player, and the edited place has none.",
      { hint: "Begin the file with `--@sb context=client`, so that it runs in a play test." },
    );
  const steps = checkedSteps(given, "steps");
  const timeoutMs = Math.round(wished ?? Math.min(LONGEST_MS, caseTimeoutMs * PART_OF_CASE));
  const shown = await giveInputAsync(player, { steps, timeoutMs, force: force === true }, signal);
  const failed = shown.steps.find(({ ok }) => !ok);
  if (failed === undefined) return shown.steps;
  const which = steps.length === 1 ? failed.do : `step ${failed.index + 1}, ${failed.do}`;
  throw new Error(`${which}: ${failed.code ?? "failed"}: ${failed.message ?? ""}`);
}

async function readAsync({ session, player }: Stage, root: string | undefined, signal: AbortSignal) {
  const read = await (player ?? session).callAsync(
    "readInterface",
    root === undefined ? {} : { path: wirePath(root) },
    { signal },
  );
  return {
    ...read,
    root: shownPath(read.root),
    objects: read.objects.map((object) => ({ ...object, path: shownPath(object.path) })),
  };
}

async function lookAsync(stage: Stage, root: string | undefined, signal: AbortSignal): Promise<string> {
  const { session, player = session } = stage;
  const path =
    root === undefined
      ? undefined
      : await ownPathAsync((request) => player.callAsync("readInterface", request, { signal }), root);
  return seenObjects(await readAsync(stage, path, signal), false)
    .map(objectLine)
    .join("\n");
}

/** A path counts from the player's interface, then from `game`, as those of steps do. */
async function seeAsync(stage: Stage, target: string, signal: AbortSignal): Promise<object> {
  const read = await readAsync(stage, undefined, signal);
  const plain = shownPath(wirePath(target));
  const names = [`${read.root}.${plain}`, plain];
  const found = read.objects.filter(({ id, path }) => id === target || names.includes(path));
  const [first, second] = found;
  if (second !== undefined) throw new Error(`AMBIGUOUS: ${found.length} objects are at ${target}.`);
  return first === undefined
    ? { isVisible: false }
    : { isVisible: isSeen(first), ...(first.text === undefined ? {} : { text: first.text }) };
}
