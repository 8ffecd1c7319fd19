/** Reads the YAML of Rojo projects. Keys that are numbers or truth values stay what they are, as Rojo keeps them. */

/** Throws an Error. Of several documents, as Rojo, nothing is made. */
export function parseYaml(source: string): unknown {
  const documents = source.split(/^(?:---|\.\.\.)(?=\s|$)/m).filter((part) => /^\s*[^\s#%]/m.test(part));
  if (documents.length > 1) throw new Error("it has several documents");
  return withTypedKeys(Bun.YAML.parse(source), source);
}

/** Bun's parser gives each key as a text, so that only the file tells `1` from `"1"`. Objects become Maps. */
function withTypedKeys(value: unknown, source: string): unknown {
  if (Array.isArray(value)) return value.map((entry) => withTypedKeys(entry, source));
  if (typeof value !== "object" || value === null) return value;
  return new Map(
    Object.entries(value).map(([key, entry]) => [typedKey(key, source), withTypedKeys(entry, source)]),
  );
}

type Key = string | number | boolean;

function typedKey(key: string, source: string): Key {
  const scalar = scalarOf(key);
  if (scalar === key) return key;
  const isQuoted = new RegExp(`(["'])${escaped(key)}\\1\\s*:|!!str\\s+${escaped(key)}\\s*:`).test(source);
  if (!isQuoted) return scalar;
  const isBare = new RegExp(`(^|[\\s{,])${escaped(key)}\\s*:`, "m").test(
    source.replaceAll(/!!str\s+\S+/g, ""),
  );
  if (isBare) throw new Error(`the key ${key} stands in quotes and without: write all of them in one way`);
  return key;
}

/** What a key without quotes means. The parser has put numbers into their plain form. */
function scalarOf(key: string): Key {
  if (key === "true" || key === "false") return key === "true";
  if (key === "Infinity" || key === "-Infinity") return Number(key);
  return key !== "NaN" && String(Number(key)) === key ? Number(key) : key;
}

const escaped = (key: string): string => key.replaceAll(/[.+]/g, "\\$&");
