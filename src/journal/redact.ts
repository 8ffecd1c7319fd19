/** Takes names out of what an export shows: each Instance has a number in their place, the same one everywhere. */

export class Redaction {
  readonly #numbers = new Map<string, number>();

  /** A summary without names: paths become numbers, and words behind a command go. */
  summary(text: string): string {
    const start = text.search(/(?<!\S)(game\b|@\d)/);
    if (start < 0) return /^[a-z ]+$/.test(text) ? text : (text.split(" ")[0] ?? "");
    return `${text.slice(0, start)}${this.#paths(text.slice(start)).join(", ")}`;
  }

  name(kind: string, name: string): string {
    return `${kind}#${this.#numberOf(`${kind} ${name}`)}`;
  }

  /** A name may have a comma in it, so what follows one and is no path belongs to the path before. */
  #paths(text: string): string[] {
    const paths: string[] = [];
    for (const part of text.split(", ")) {
      const isPath = /^(game\b|@\d|…)|^\w+ in game\b/.test(part);
      if (isPath || paths.length === 0) paths.push(part);
      else paths.push(`${paths.pop()}, ${part}`);
    }
    return paths.map((path) => this.#path(path));
  }

  #path(path: string): string {
    if (/^… \(\d+\)$|^@\d+$/.test(path)) return path;
    const [, prefix = "", place = path] = /^(\w+ in )(.*)$/s.exec(path) ?? [];
    return place === "game" ? path : `${prefix}Instance#${this.#numberOf(place)}`;
  }

  #numberOf(key: string): number {
    const known = this.#numbers.get(key) ?? this.#numbers.size + 1;
    this.#numbers.set(key, known);
    return known;
  }
}
