/** The error for a path that leads to no Instance, with the path as it was typed and a suggestion. */
import { StudioBridgeError } from "../protocol/errors.ts";
import { nearest } from "../util/nearest.ts";
import { shellWord } from "../util/shell-word.ts";
import { visibleOnOneLine } from "../util/visible-controls.ts";
import type { SessionLink } from "./session-link.ts";
import { inCommandWords } from "./plugin-failure.ts";
import { shownPath } from "../tree/instance-path.ts";

/** Where the plugin stopped. */
interface Stop {
  readonly resolvedTo: string;
  readonly failedSegment: string;
  readonly suggestions: readonly string[];
  /** The segment names a service that the place has not made. */
  readonly isUnmadeService: boolean;
  /** The segment names a property, which nothing can follow. */
  readonly isProperty: boolean;
}

/** A property that no Instance of the answer has. */
export interface MissingProperty {
  readonly property: string;
  readonly suggestion?: string | undefined;
}

/** Anything that is not about a path comes back as it is, in the words of commands. */
export async function pathFailureAsync(
  failure: unknown,
  link: FailedCall,
  studio?: Studio,
): Promise<unknown> {
  const error = inCommandWords(failure);
  if (!(error instanceof StudioBridgeError)) return error;
  if (error.code === "PROPERTY_NOT_FOUND") return noProperty(error);
  const stop = stopIn(error);
  if (error.code !== "INSTANCE_NOT_FOUND" || stop === undefined) return error;
  const [names, elsewhere] = await Promise.all([
    childNamesAsync(stop.resolvedTo, link),
    studio === undefined ? undefined : elsewhereOfAsync(stop, studio),
  ]);
  return notFound(error, stop, names, elsewhere);
}

type FailedCall = Pick<SessionLink, "callAsync">;
/** Whose other contexts are looked into. */
type Studio = Pick<SessionLink, "bridge" | "session">;

/** Where else the path exists that the plugin could not follow, as a sentence. */
async function elsewhereOfAsync(
  { resolvedTo, failedSegment }: Stop,
  studio: Studio,
): Promise<string | undefined> {
  if (failedSegment.startsWith("@")) return undefined;
  const { elsewhereAsync } = await import("./answer-context.ts");
  return elsewhereAsync(`${resolvedTo}.${failedSegment}`, studio);
}

/** None where they cannot be asked for. */
async function childNamesAsync(
  path: string,
  { callAsync }: Pick<SessionLink, "callAsync">,
): Promise<readonly string[]> {
  try {
    const { instance } = await callAsync("queryDataModel", { path, depth: 1, properties: [] });
    return instance.children?.map(({ name }) => name) ?? [];
  } catch {
    return [];
  }
}

/**
 * For verdicts, which have a message and no hint: what a path that leads nowhere may have meant; empty where nothing is
 * near it, and for what is about something else.
 */
export async function nearPathAsync(details: unknown, link: FailedCall & Studio): Promise<string> {
  const stop = stopIn({ data: { details } });
  if (stop === undefined) return "";
  const elsewhere = await elsewhereOfAsync(stop, link);
  if (elsewhere !== undefined) return elsewhere;
  const slashes = slashHint(stop);
  if (slashes !== undefined) return slashes;
  const names = stop.suggestions.length > 0 ? [] : await childNamesAsync(stop.resolvedTo, link);
  const meant = suggestionsOf(stop, names).map(visibleOnOneLine).join(" or ");
  return meant === "" ? "" : `Did you mean ${meant}?`;
}

function suggestionsOf({ suggestions, failedSegment }: Stop, names: readonly string[]): readonly string[] {
  const guess = sameLetters(failedSegment, names) ?? nearest(failedSegment, names);
  return suggestions.length > 0 || guess === undefined ? suggestions : [guess];
}

/** Where the name that does not exist looks like a path of files. */
function slashHint({
  resolvedTo,
  failedSegment,
}: Pick<Stop, "resolvedTo" | "failedSegment">): string | undefined {
  if (!failedSegment.includes("/")) return undefined;
  const names = failedSegment.split("/").filter((name) => name !== "");
  const path = [shownPath(resolvedTo), ...names].filter((name) => name !== "game").join(".");
  return `Names are joined by dots: ${visibleOnOneLine(path)}.`;
}

function notFound(
  error: StudioBridgeError,
  stop: Stop,
  names: readonly string[],
  elsewhere: string | undefined,
): StudioBridgeError {
  const { resolvedTo, failedSegment } = stop;
  const suggestions = suggestionsOf(stop, names);
  return retold(error, elsewhere ?? stopHint(stop, suggestions), {
    ...detailsOf(error),
    resolvedTo,
    failedSegment,
    suggestions,
  });
}

function stopHint(
  { resolvedTo, failedSegment, isUnmadeService, isProperty }: Stop,
  suggestions: readonly string[],
): string {
  if (/^@\d+$/.test(failedSegment))
    return "An id counts in the session that gave it, as long as the Instance is there and the plugin stays loaded. Name the Instance by its path.";
  const slashes = slashHint({ resolvedTo, failedSegment });
  if (slashes !== undefined) return slashes;
  const shown = shownPath(resolvedTo);
  const parent = visibleOnOneLine(shown);
  const segment = visibleOnOneLine(failedSegment);
  if (isProperty)
    return `${segment} is a property of ${parent}, and a path ends at a property: \`sb query ${shellWord(`${shown}.${failedSegment}`)}\` shows its whole value.`;
  if (isUnmadeService)
    return `This place has not made the service ${segment} yet, and reading it makes none. \`sb exec 'game:GetService("${segment}")'\` makes it.`;
  const meant = suggestions.map(visibleOnOneLine).join(" or ");
  return [
    `${parent} has no ${segment}.`,
    ...(meant === "" ? [] : [`Did you mean ${meant}?`]),
    `\`sb query ${shellWord(shown)} --children\` lists the Instances below it.`,
  ].join(" ");
}

/** The plugin tells every wrong name, and the names that there are; an older plugin tells the first wrong one alone. */
function noProperty(error: StudioBridgeError): StudioBridgeError {
  const details = detailsOf(error);
  const known = textsIn(details["known"]);
  const wrong = textsIn(details["properties"] ?? [details["property"]]);
  const missing = wrong.map((property): MissingProperty => {
    const suggestion = sameLetters(property, known) ?? nearest(property, known);
    return suggestion === undefined ? { property } : { property, suggestion };
  });
  const guesses = missing.flatMap(({ property, suggestion }) => {
    if (suggestion === undefined) return [];
    return [wrong.length === 1 ? suggestion : `${suggestion} for ${visibleOnOneLine(property)}`];
  });
  const hint = guesses.length === 0 ? error.hint : `Did you mean ${guesses.join(", ")}?`;
  return retold(error, hint, { path: details["path"], missing });
}

/** The properties that a failure of `pathFailureAsync` is about; none where it is about something else. */
export function missingIn(failure: unknown): readonly MissingProperty[] {
  if (!(failure instanceof StudioBridgeError) || failure.code !== "PROPERTY_NOT_FOUND") return [];
  const { missing } = detailsOf(failure);
  return Array.isArray(missing) ? missing : [];
}

function sameLetters(word: string, names: readonly string[]): string | undefined {
  return names.find((name) => name.toLowerCase() === word.toLowerCase());
}

function retold(error: StudioBridgeError, hint: string, details: object): StudioBridgeError {
  return new StudioBridgeError(error.code, visibleOnOneLine(error.message), {
    hint,
    data: { ...error.data, details },
    cause: error,
    ...(error.outcome === undefined ? {} : { outcome: error.outcome }),
  });
}

function stopIn({ data }: Pick<StudioBridgeError, "data">): Stop | undefined {
  const { resolvedTo, failedSegment, ...facts } = detailsOf({ data });
  if (typeof resolvedTo !== "string" || typeof failedSegment !== "string") return undefined;
  return {
    resolvedTo,
    failedSegment,
    suggestions: textsIn(facts["suggestions"]),
    isUnmadeService: facts["isUnmadeService"] === true,
    isProperty: facts["isProperty"] === true,
  };
}

/** What the plugin says of a failure beside its message. */
export function detailsOf({ data }: Pick<StudioBridgeError, "data">): { readonly [name: string]: unknown } {
  const { details } = data;
  return typeof details === "object" && details !== null ? { ...details } : {};
}

function textsIn(list: unknown): readonly string[] {
  return Array.isArray(list) ? list.filter((item) => typeof item === "string") : [];
}
