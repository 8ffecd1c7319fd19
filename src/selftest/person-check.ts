/** Asks the person at the terminal what no script can see in Studio. */
import type { Keys, OpenKeys, RunSurface } from "../output/run-surface.ts";
import { StudioBridgeError } from "../protocol/errors.ts";
import type { SessionInfo } from "../protocol/network.ts";
import type { Probed } from "./assumption-probes.ts";
import { NO_STEP, type CheckedStudio } from "./checked-studio.ts";
import { cannotTell, differs, holds, type Verdict } from "./findings.ts";
import { type PersonQuestion, personQuestions } from "./person-questions.ts";
import { wrap } from "../util/text-width.ts";

const ANSWERS: Readonly<Record<string, Verdict>> = {
  y: holds,
  n: differs("a person at Studio has seen that it is not so"),
  s: cannotTell("the person has skipped the question"),
};
/** A key that begins what the person was asked to do first. */
const READY: ReadonlySet<string> = new Set(["enter", "space"]);
const CANNOT_SHOW = "it could not be shown to the person";

export const personTexts: readonly string[] = [
  CANNOT_SHOW,
  ...Object.values(ANSWERS).map(({ seen = "" }) => seen),
];

export interface PersonSurface extends Pick<RunSurface, "emit" | "signal"> {
  readonly openKeys: OpenKeys;
}

/** Throws INVALID_INPUT where no person can press a key. */
export async function askPersonAsync(studio: CheckedStudio, surface: PersonSurface): Promise<Probed> {
  using person = new Person(surface);
  const probed = new Map<string, Verdict>();
  for (const [index, question] of personQuestions.entries())
    probed.set(question.id, await verdictAsync(studio, person, question, index));
  return probed;
}

async function verdictAsync(
  studio: CheckedStudio,
  person: Person,
  { first, show, question }: PersonQuestion,
  index: number,
): Promise<Verdict> {
  const number = `${index + 1} of ${personQuestions.length}`;
  if (first !== undefined) {
    person.say(`${number}. ${first}`, "Enter: it is done   s: skip");
    if ((await person.keyAsync((key) => READY.has(key) || key === "s")) === "s")
      return ANSWERS["s"] ?? cannotTell(CANNOT_SHOW);
  }
  const isShown = show === undefined || (await wasShownAsync(studio, show));
  if (!isShown) return cannotTell(CANNOT_SHOW);
  person.say(first === undefined ? `${number}. ${question}` : question, "y: yes   n: no   s: skip");
  return ANSWERS[await person.keyAsync((key) => key in ANSWERS)] ?? cannotTell(CANNOT_SHOW);
}

async function wasShownAsync(studio: CheckedStudio, show: string): Promise<boolean> {
  const { success } = await studio.callAsync("execute", { script: show + NO_STEP, timeoutMs: 30_000 });
  return success;
}

/** The person at the keyboard. */
class Person implements Disposable {
  readonly #surface: PersonSurface;
  readonly #keys: Keys;
  #hear: (key: string) => void = () => {};

  constructor(surface: PersonSurface) {
    this.#surface = surface;
    const keys = surface.openKeys((key) => this.#hear(key));
    if (keys === undefined) throw noPerson();
    this.#keys = keys;
  }

  [Symbol.dispose](): void {
    this.#keys[Symbol.dispose]();
  }

  say(text: string, choices: string): void {
    this.#surface.emit({
      stream: "stderr",
      text: (style) => {
        const width = Number.isFinite(style.columns) ? style.columns : 80;
        return ["", ...wrap(text, width), style.dim(choices)].join("\n");
      },
    });
  }

  /** The next key that fits. What was pressed before the question is no answer to it. */
  async keyAsync(fits: (key: string) => boolean): Promise<string> {
    const { signal } = this.#surface;
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const abort = () => reject(signal.reason);
    signal.addEventListener("abort", abort, { once: true });
    this.#hear = (key) => {
      if (fits(key.toLowerCase())) resolve(key.toLowerCase());
    };
    try {
      signal.throwIfAborted();
      return await promise;
    } finally {
      this.#hear = () => {};
      signal.removeEventListener("abort", abort);
    }
  }
}

function noPerson(): StudioBridgeError {
  return new StudioBridgeError("INVALID_INPUT", "--person asks a person at a terminal, and here is none.", {
    hint: "Run it in a terminal, without --json and without a pipe.",
  });
}

/**
 * Before anything is checked, so that no person waits for questions that cannot come. Throws INVALID_INPUT where there is no
 * keyboard, and for headless Studio.
 */
export function checkPerson(
  { origin }: Pick<SessionInfo, "origin">,
  openKeys: OpenKeys | undefined,
): OpenKeys {
  if (origin === "headless")
    throw new StudioBridgeError("INVALID_INPUT", "--person asks what is seen in Roblox Studio.", {
      hint: "Headless Studio has no window; open the place in Roblox Studio, or leave out --person.",
    });
  const keys = openKeys?.(() => {});
  keys?.[Symbol.dispose]();
  if (openKeys === undefined || keys === undefined) throw noPerson();
  return openKeys;
}
