/** Escapes texts for XML 1.0, in reports for CI servers. */

/** Characters that XML 1.0 cannot hold. */
const ILLEGAL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu;
const ANSI = /\u001b\[[0-9;]*m/g;
const clean = (text: string): string => text.replace(ANSI, "").replace(ILLEGAL, "\ufffd");

export const xmlContent = (text: string): string =>
  clean(text).replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll("]]>", "]]&gt;");

export const xmlAttribute = (text: string): string =>
  xmlContent(text)
    .replaceAll('"', "&quot;")
    .replaceAll("\n", "&#10;")
    .replaceAll("\t", "&#9;")
    .replaceAll("\r", "&#13;");
