/** The words for the weights and styles of fonts. */

/** By number. */
export const FONT_STYLES = ["Normal", "Italic"];
/** From 100, in steps of 100. */
export const FONT_WEIGHTS = "Thin ExtraLight Light Regular Medium SemiBold Bold ExtraBold Heavy".split(" ");
