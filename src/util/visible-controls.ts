/**
 * Makes control characters visible, so that text from a place (names, log lines) can neither move the cursor, change
 * colours nor rewrite what is already on the screen.
 */

/** C0 but tab and newline, DEL, C1, and the marks that reorder text. */
const HIDDEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
const HIDDEN_IN_JSON = /[\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;
const LINE_BREAKS = /[\t\n\u2028\u2029]/g;

/** Keeps tabs and newlines: for text that may span lines. */
export function visibleControls(text: string): string {
  return text.replace(HIDDEN, escapeCharacter);
}

/** Escapes tabs and newlines too: for names, which must stay on their line. */
export function visibleOnOneLine(text: string): string {
  return visibleControls(text).replace(LINE_BREAKS, escapeCharacter);
}

/** Text of JSON, in which all but the control characters above ASCII are escaped already; it stays the same JSON. */
export function visibleInJson(text: string): string {
  return text.replace(HIDDEN_IN_JSON, (character) => {
    const code = character.charCodeAt(0).toString(16).padStart(4, "0");
    return `\\u${code}`;
  });
}

function escapeCharacter(character: string): string {
  if (character === "\n") return "\\n";
  if (character === "\t") return "\\t";
  if (character === "\r") return "\\r";
  const code = character.charCodeAt(0);
  return code <= 0xff ? `\\x${code.toString(16).padStart(2, "0")}` : `\\u{${code.toString(16)}}`;
}
