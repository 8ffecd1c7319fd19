/** Reads the YAML of Rojo projects. Keys that are numbers or truth values stay what they are, as Rojo keeps them. */

/** Throws an Error. Of several documents, as Rojo, nothing is made. */
export function parseYaml(source: string): unknown {
  const documents = source.split(/^(?:---|\.\.\.)(?=\s|$)/m).filter((part) => /^\s*[^\s#%]/m.test(part));
  if (documents.length > 1) throw new Error("it has several documents");
  return new KeyReader(source).typed(Bun.YAML.parse(source));
}

type Key = string | number | boolean;

/** A key in quotes, or one that is said to be a text. */
const TEXT_KEY = /(["'])([^"'\n]*)\1\s*:|!!str\s+([^\s:]+)\s*:/g;

/** Bun's parser gives each key as a text, so that only the file tells `1` from `"1"`. */
class KeyReader {
  readonly #source: string;
  readonly #texts: ReadonlySet<string>;

  constructor(source: string) {
    this.#source = source;
    this.#texts = new Set([...source.matchAll(TEXT_KEY)].map(([, , quoted, said]) => quoted ?? said ?? ""));
  }

  /** Objects become Maps. */
  typed(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((entry) => this.typed(entry));
    if (typeof value !== "object" || value === null) return value;
    return new Map(Object.entries(value).map(([key, entry]) => [this.#key(key), this.typed(entry)]));
  }

  /** Throws an Error for a key that the file has both as a text and as what it means without quotes. */
  #key(key: string): Key {
    const scalar = scalarOf(key);
    if (scalar === key || !this.#texts.has(key)) return scalar;
    const bare = new RegExp(`(^|[\\s{,])${RegExp.escape(key)}\\s*:`, "m");
    if (bare.test(this.#source.replaceAll(TEXT_KEY, "")))
      throw new Error(`the key ${key} is written with quotes and without: write it in one way`);
    return key;
  }
}

/** What a key without quotes means. The parser has put numbers into their plain form. */
function scalarOf(key: string): Key {
  if (key === "true" || key === "false") return key === "true";
  if (key === "Infinity" || key === "-Infinity") return Number(key);
  return key !== "NaN" && String(Number(key)) === key ? Number(key) : key;
}
