/** Scripts, text files and tables: what was not changed keeps its bytes, and the result reads back as the new value. */
import { describe, expect, test } from "bun:test";
import { localizationContents } from "../../../../../src/roblox/rojo/csv.ts";
import { canonicalContents, csvText } from "../../../../../src/roblox/rojo/write/csv.ts";
import { sourceFile, textFile } from "../../../../../src/roblox/rojo/write/texts.ts";
import { byteStringOf, bytesOf, utf8ByteString } from "../../../../../src/util/bytes.ts";
import { randomFrom } from "../../generated.ts";

const source = (old: string | undefined, text: string) =>
  byteStringOf(sourceFile(old === undefined ? undefined : bytesOf(old), text));

describe("a script", () => {
  test.each([
    ["new ones end as in Unix", undefined, "a\nb\n", "a\nb\n"],
    ["lines of Unix stay", "a\nb", "a\nc\n", "a\nc\n"],
    ["lines of Windows stay, and new ones are like them", "a\r\nb\r\n", "a\nnew\nb\n", "a\r\nnew\r\nb\r\n"],
    ["a last line without an end has none", "a\r\nb", "a\nc", "a\r\nc"],
    [
      "a mixed file keeps each line as it was",
      "a\r\nb\nc\r\nd\r\n",
      "a\nb\nnew\nc\nd\n",
      "a\r\nb\nnew\r\nc\r\nd\r\n",
    ],
    ["Studio's own carriage returns are line ends too", "a\r\n", "a\r\nb\r\n", "a\r\nb\r\n"],
    ["a mark is a part of the source", "\xef\xbb\xbfa", "\xef\xbb\xbfb", "\xef\xbb\xbfb"],
  ])("%s", (_, old, text, file) => {
    expect(source(old, text)).toBe(file);
  });

  test("reads back as what was written, and written twice it is the same", () => {
    const random = randomFrom(5);
    const lines = (count: number, ends: readonly string[]) =>
      Array.from(
        { length: count },
        () => `${"ab"[Math.floor(random() * 2)] ?? ""}${ends[Math.floor(random() * ends.length)] ?? ""}`,
      ).join("");
    for (let count = 0; count < 500; count++) {
      const old = lines(Math.floor(random() * 8), ["\n", "\r\n"]);
      const text = lines(Math.floor(random() * 8), ["\n", "\n", ""]);
      const once = source(old, text);
      expect(once.replaceAll("\r\n", "\n")).toBe(text);
      expect(source(once, text)).toBe(once);
      expect(source(old, old)).toBe(old);
    }
  });
});

describe("a text file", () => {
  const file = (old: string | undefined, value: string) => {
    const made = textFile(old === undefined ? undefined : bytesOf(old), value);
    return made && byteStringOf(made);
  };

  test("holds the value as it is, behind the mark that the file had", () => {
    expect(file(undefined, "a\r\nb")).toBe("a\r\nb");
    expect(file("\xef\xbb\xbfold", "new")).toBe("\xef\xbb\xbfnew");
    expect(file(undefined, utf8ByteString("\ufeffx"))).toBe(utf8ByteString("\ufeff\ufeffx"));
    expect(file(undefined, "\xff")).toBeUndefined();
  });
});

describe("a table", () => {
  const entry = (key: string, text: string, values: object = {}) => ({ key, source: text, values });
  const contents = (...entries: object[]) => JSON.stringify(entries);

  test("is written with a row for each entry", () => {
    const text = csvText(
      undefined,
      contents(entry("k", 'a, "b"', { fr: "un", es: "uno" }), { source: "only" }),
    );
    expect(text).toBe('Key,Source,Context,Example,es,fr\nk,"a, ""b""",,,uno,un\n,only,,,,\n');
  });

  test("keeps the order of its columns, its comments, its quotes and its line ends", () => {
    const old = 'Source,Key,es\r\n,,a comment\r\n"Yes",yes,sí\r\n,,about yes\r\nNo,no,no\r\n';
    const same = contents(entry("yes", "Yes", { es: "sí" }), entry("no", "No", { es: "no" }));
    expect(csvText(old, same)).toBe(old);
    const changed = contents(
      entry("yes", "Yes", { es: "sí" }),
      entry("no", "No", { es: "nada" }),
      entry("new", "New"),
    );
    expect(csvText(old, changed)).toBe(old.replace("No,no,no", "No,no,nada") + "New,new,\r\n");
    expect(csvText(old, contents(entry("no", "No", { es: "no" })))).toBe(
      "Source,Key,es\r\n,,a comment\r\nNo,no,no\r\n,,about yes\r\n",
    );
  });

  test("gives every row the column of a new locale", () => {
    const old = 'Key,Source,es\n,,about k\nk,"Yes","sí"\n';
    const text = csvText(old, contents(entry("k", "Yes", { es: "sí" }), entry("n", "No", { de: "nein" })));
    expect(text).toBe('Key,Source,es,de\n,,about k,\nk,"Yes","sí",\nn,No,,nein\n');
  });

  test("reads back as the entries that Studio has", () => {
    const studio = '[{"values":{"fr":"b","de":""},"source":"s","key":"k","context":"","example":"e"}]';
    const text = csvText(undefined, studio) ?? "";
    expect(localizationContents(text)).toBe(canonicalContents(studio) ?? "");
    expect(csvText(text, studio)).toBe(text);
  });

  test.each([
    '{"a":1}',
    "[1]",
    "nothing",
    '[{"key":1}]',
    '[{"values":{"es":"x"}}]',
    '[{"key":"k","values":{"Key":"x"}}]',
  ])("that a file cannot hold is none: %s", (json) => {
    expect(csvText(undefined, json)).toBeUndefined();
  });
});
