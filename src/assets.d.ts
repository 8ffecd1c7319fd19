/** Files that the build embeds; importing one gives its path. */
declare module "*.zst" {
  const path: string;
  export default path;
}

/** Embedded as text: `with { type: "text" }`. */
declare module "*.md" {
  const text: string;
  export default text;
}

declare module "*.bash" {
  const text: string;
  export default text;
}

declare module "*.zsh" {
  const text: string;
  export default text;
}

declare module "*.fish" {
  const text: string;
  export default text;
}

declare module "*.ps1" {
  const text: string;
  export default text;
}

declare module "*.txt" {
  const text: string;
  export default text;
}

declare module "*.yml" {
  const text: string;
  export default text;
}

declare module "*.luau" {
  const text: string;
  export default text;
}

/** Programs and styles of the HTML pages that `sb` writes. */
declare module "*.page.js" {
  const text: string;
  export default text;
}

declare module "*.css" {
  const text: string;
  export default text;
}
