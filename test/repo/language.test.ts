/** The check of the language finds each word, pointer and file without an opening comment, and lets plain text pass. */
import { expect, test } from "bun:test";
import { openingFaults, wordFaults } from "../../scripts/check/language.ts";

const files = (texts: { readonly [path: string]: string }) => new Map(Object.entries(texts));

test("unclear words and pointers to pages outside the repository are found with their line", () => {
  const sources = files({
    "a.ts": "/** Whoever calls. */\nconst plain = 1; // Nobody, somebody.\n",
    "b.luau": "-- What is meant\n-- in vain\n",
    "c.md": 'See spec 3 §4.\nThe proof (wire: "Proof").\n',
    "d.sh": "# The caller reads a specification of 3 pages over the wire.\n",
  });
  expect(wordFaults("src", sources)).toEqual([
    'src/a.ts:1: name the person, process or file instead of "Whoever"',
    'src/a.ts:2: name the person, process or file instead of "Nobody"',
    'src/a.ts:2: name the person, process or file instead of "somebody"',
    'src/b.luau:1: name the thing instead of "What is meant"',
    'src/b.luau:2: say what was not reached instead of "in vain"',
    'src/c.md:1: point into docs/ or give the reason instead of "spec 3"',
    'src/c.md:2: point into docs/ or give the reason instead of "wire: ""',
  ]);
});

test("a source file that does not begin with a comment is found; a directive may stand above the comment", () => {
  const sources = files({
    "bare.ts": 'import { a } from "./a.ts";\n/** Late. */\n',
    "bare.luau": "--!strict\nlocal a = 1\n",
    "bare.sh": "#!/bin/sh\nset -eu\n",
    "good.ts": "/** Owns a. */\n",
    "line.ts": "// Owns a line.\n",
    "good.luau": "--!strict\n-- Owns a.\n",
    "good.sh": "#!/bin/sh\n# Installs sb.\n",
  });
  expect(openingFaults("scripts", sources)).toEqual([
    "scripts/bare.ts must begin with a comment that says what the file owns",
    "scripts/bare.luau must begin with a comment that says what the file owns",
    "scripts/bare.sh must begin with a comment that says what the file owns",
  ]);
});
