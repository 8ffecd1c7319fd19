import { describe, expect, test } from "bun:test";
import { shellWords } from "../../../src/templates/shell-words.ts";
import { defaultDescription, parseTemplate } from "../../../src/templates/template.ts";
import type { Field } from "../../../src/templates/grammar.ts";
import { shellWordsCases, templateCases } from "./template-cases.ts";

/** A field as the cases write it. */
function asCase({ kind, flag, ...field }: Field) {
  return {
    ...field,
    array: kind === "array",
    boolean: kind === "boolean",
    ...(flag === undefined ? {} : { flag }),
  };
}

function messageOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  throw new Error("nothing was thrown");
}

describe("the template cases", () => {
  for (const { id, template, error, ...expected } of templateCases) {
    if (error !== undefined) {
      test(`${id}: refused`, () => expect(messageOf(() => parseTemplate(template))).toContain(error));
      continue;
    }
    test(`${id}: tool`, () => {
      const parsed = parseTemplate(template);
      const { toolName, title, description, fields, schema } = expected;
      const made: unknown = {
        toolName: parsed.toolName,
        title: parsed.title,
        description: defaultDescription(parsed),
        fields: parsed.fields.map(asCase),
      };
      expect(made).toEqual({ toolName, title, description, fields });
      // As text, so that order counts and `__proto__` is a property like any other.
      expect(JSON.stringify(parsed.inputSchema)).toBe(JSON.stringify(schema));
    });
    for (const [index, render] of expected.renders.entries()) {
      test(`${id}: render ${index}`, () => {
        const renderIt = () => parseTemplate(template).render(render.input, { refuseOptions: true });
        if (render.error === undefined) return expect(renderIt()).toEqual(render.argv ?? []);
        const message = messageOf(renderIt);
        expect(message).toContain(render.error);
        const missing = /^missing required parameter: (.+)$/.exec(render.error)?.[1];
        if (missing !== undefined) expect(message).toContain(`${missing} is required`);
      });
    }
  }
});

describe("a template as one string", () => {
  for (const { id, line, argv, error } of shellWordsCases) {
    test(`${id}: ${JSON.stringify(line)}`, () => {
      if (error === undefined) expect(shellWords(line)).toEqual(argv ?? []);
      else expect(messageOf(() => shellWords(line))).toContain(error);
    });
  }

  test("single quotes keep backslashes, double quotes keep those that escape nothing", () => {
    expect(shellWords(String.raw`a 'b\c' "d\e\\" f\g\ `)).toEqual(["a", "b\\c", "d\\e\\", "fg "]);
  });

  test("a backslash at the end of a line joins it with the next, and only blanks of a shell separate words", () => {
    expect(shellWords("a\\\nb \"c\\\nd\" 'e\\\nf' g\u00a0h\r\ni")).toEqual([
      "ab",
      "cd",
      "e\\\nf",
      "g\u00a0h",
      "i",
    ]);
  });
});

describe("values and options", () => {
  const renderAs = (words: readonly string[], input: object, refuseOptions = true) =>
    parseTemplate(words).render(input, { refuseOptions });

  const refused: { words: string[]; input: object }[] = [
    { words: ["rm", "{file}"], input: { file: "-rf" } },
    { words: ["rm", "{file}"], input: { file: "--" } },
    { words: ["rm", "{file}"], input: { file: "-" } },
    { words: ["rm", "[file]"], input: { file: "--force" } },
    { words: ["rm", "{a}{b}"], input: { a: "-", b: "rf" } },
    { words: ["rm", "[a]{b}"], input: { b: "-rf" } },
    { words: ["rm", "{file}"], input: { file: "-1x" } },
    { words: ["rm", "{file}", "--"], input: { file: "-rf" } },
    { words: ["rm", "--{x}", "{file}"], input: { x: "a", file: "-rf" } },
  ];
  test.each(refused)("$words refuses $input", ({ words, input }) => {
    expect(messageOf(() => renderAs(words, input))).toContain('must not start with "-"');
  });

  const taken: { words: string[]; input: object; argv: string[] }[] = [
    { words: ["seq", "{from}"], input: { from: "-5" }, argv: ["seq", "-5"] },
    { words: ["seq", "{from}"], input: { from: "-.5e3" }, argv: ["seq", "-.5e3"] },
    { words: ["rm", "--", "{file}"], input: { file: "-rf" }, argv: ["rm", "--", "-rf"] },
    { words: ["x", "--msg={m}"], input: { m: "-v" }, argv: ["x", "--msg=-v"] },
    { words: ["x", "[--flag]{m}"], input: { flag: true, m: "=1" }, argv: ["x", "--flag=1"] },
    { words: ["git", "{args...}"], input: { args: ["-C", "x"] }, argv: ["git", "-C", "x"] },
  ];
  test.each(taken)("$words takes $input", ({ words, input, argv }) => {
    expect(renderAs(words, input)).toEqual(argv);
  });

  test("a script takes any value, for it has no options", () => {
    expect(renderAs(["say.luau", "{text}"], { text: "-hello" }, false)).toEqual(["say.luau", "-hello"]);
  });

  test("a required list that is given may be empty, as its schema says", () => {
    expect(renderAs(["tar", "{files...}"], { files: [] })).toEqual(["tar"]);
    const message = messageOf(() => renderAs(["tar", "{files...}"], { files: null }));
    expect(message).toBe("missing required parameter: files (files is required)");
  });

  test("a list's items are strings without null bytes", () => {
    const words = ["x", "[list...]"];
    expect(messageOf(() => renderAs(words, { list: ["a", 1] }))).toContain(
      "parameter 'list' must be an array of strings",
    );
    expect(messageOf(() => renderAs(words, { list: ["a\0"] }))).toContain("null byte");
  });

  test("the exact spelling of a parameter wins over the other one", () => {
    expect(renderAs(["x", "{a_b}"], { "a-b": "dash", a_b: "exact" })).toEqual(["x", "exact"]);
    expect(renderAs(["x", "{a_b}"], { a_b: "exact", "a-b": "dash" })).toEqual(["x", "exact"]);
  });
});

describe("words that look like fields", () => {
  test.each([
    ['{"name":"{name}"}', ['{"name":"', "name", '"}']],
    ["[[:space:]a]", ["[[:space:]a]"]],
    ["x[a[:digit:]]", ["x[a[:digit:]]"]],
    ["[---x]", ["[---x]"]],
    ["{a.b}", ["{a.b}"]],
    ["^[0-9]{3}-{1,2}$", ["^[0-9]{3}-{1,2}$"]],
    ["{ not a field }", ["{ not a field }"]],
  ])("%s", (word, parts) => {
    const { fields, text } = parseTemplate(["x", word]);
    const names = new Set(fields.map(({ name }) => name));
    expect([...names]).toEqual(parts.filter((part) => part === "name"));
    expect(text).toBe(`x ${word.replace("{name}", "{{name}}")}`);
  });

  test.each([
    ["{1}", "1"],
    ["{{2nd # the other}}", "2nd"],
    ["[3d]", "3d"],
    ["{4...}", "4"],
  ])("%s as a whole word is the field %s", (word, name) => {
    expect(parseTemplate(["x", word]).fields.map((field) => field.name)).toEqual([name]);
    expect(parseTemplate(["x", "[0-9]"]).fields).toEqual([]);
  });

  test.each(["[--out [x]]", "[a[b]]", "[-X POST {body}]"])("%s is nested", (word) => {
    expect(messageOf(() => parseTemplate(["x", word]))).toContain("Nested templates not supported");
  });
});

describe("warnings", () => {
  test("a tag that fell apart is told with its quoted spelling", () => {
    expect(parseTemplate(shellWords("echo {message # text}")).warnings).toEqual([
      '{message # text} came as several words and is plain text; quote it: "{message # text}"',
    ]);
  });

  test("a field in the text that a shell runs is told", () => {
    expect(parseTemplate(["/bin/sh", "-ec", "echo {i}"]).warnings).toHaveLength(1);
    expect(parseTemplate(["sh", "-c", 'echo "$1"', "sh", "{i}"]).warnings).toEqual([]);
    expect(parseTemplate(["echo", "-c", "echo {i}"]).warnings).toEqual([]);
  });
});
