/**
 * The one writer of HTML pages. A page is whole in itself: its data is one block of JSON, in which nothing can end the block,
 * and only the program and the style of the page itself may run, by their hashes. The program shows data as text alone.
 */
import start from "./start.page.js" with { type: "text" };
import { visibleControls } from "../util/visible-controls.ts";

export interface Page {
  readonly title: string;
  /** Ours, never made of data. */
  readonly style: string;
  /** Ours, never made of data. It follows `start.page.js`, which reads the data. */
  readonly program: string;
  readonly data: unknown;
}

export function htmlPage({ title, style, program: own, data }: Page): string {
  const program = `${start}\n${own}`;
  const policy = [
    "default-src 'none'",
    `script-src '${hashOf(program)}'`,
    `style-src '${hashOf(style)}'`,
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  return [
    "<!doctype html>",
    '<html lang="en">',
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    '<meta name="viewport" content="width=device-width">',
    `<title>${escapedText(title)}</title>`,
    `<style>${style}</style>`,
    '<main id="page"></main>',
    `<script type="application/json" id="data">${jsonBlock(data)}</script>`,
    `<script>${program}</script>`,
    "</html>",
    "",
  ].join("\n");
}

/** Control characters and marks that reorder text are visible, and no text of the data can be taken for HTML. */
export function jsonBlock(data: unknown): string {
  const json = JSON.stringify(data, (_key, value: unknown) =>
    typeof value === "string" ? visibleControls(value) : value,
  );
  return json.replace(/[<>&\u2028\u2029]/g, (character) => {
    const code = character.charCodeAt(0).toString(16).padStart(4, "0");
    return `\\u${code}`;
  });
}

const hashOf = (text: string): string =>
  `sha256-${new Bun.CryptoHasher("sha256").update(text).digest("base64")}`;

const escapedText = (text: string): string =>
  visibleControls(text).replace(/[<>&"]/g, (character) => `&#${character.charCodeAt(0)};`);
