/** Luau source without what only looks like code. Line breaks stay, so that lines keep their numbers. */

const blank = (text: string) => text.replace(/[^\n]/g, " ");
const STRING = /"(?:\\[^]|[^"\\\n])*"|'(?:\\[^]|[^'\\\n])*'|`(?:\\[^]|[^`\\])*`|\[(=*)\[[^]*?\]\1\]/;
const COMMENT = /--\[(?<level>=*)\[[^]*?\]\k<level>\]|--[^\n]*/;
const EITHER = new RegExp(`${STRING.source}|(?<comment>${COMMENT.source})`, "g");

export function withoutComments(text: string): string {
  return text.replace(EITHER, (found) => (found.startsWith("--") ? blank(found) : found));
}

/** Of an interpolated string, the expressions stay. */
export function withoutStrings(text: string): string {
  return text.replace(new RegExp(STRING, "g"), (found) => {
    if (!found.startsWith("`")) return blank(found);
    const kept = found.matchAll(/\{([^{}]*)\}/g);
    return [...kept].map(([, expression = ""]) => ` ${expression} `).join("");
  });
}
