/** Each format of coverage is read back: LCOV and Istanbul's JSON by public readers, Cobertura by the rules of its DTD. */
import { expect, test } from "bun:test";
import { createCoverageMap } from "istanbul-lib-coverage";
import lcovParse from "lcov-parse";
import { parseXml, type XmlElement } from "../../../../src/roblox/xml-parser.ts";
import type { CoverageFormat } from "../../../../src/testing/coverage/format-words.ts";
import { coverageFileOf } from "../../../../src/testing/coverage/formats.ts";
import { SAMPLE } from "./sample-coverage.ts";

const textOf = (format: CoverageFormat): string =>
  coverageFileOf(format, SAMPLE, { folder: "/project", startedAtMs: 1000 })?.text ?? "";

test("LCOV has each line and function with its hits, and the sums", async () => {
  const { promise, resolve, reject } = Promise.withResolvers<readonly lcovParse.LcovFile[]>();
  lcovParse(textOf("lcov"), (fault, files) => (files === undefined ? reject(fault) : resolve(files)));
  const [cart, ...others] = await promise;
  expect(cart).toMatchObject({
    file: "src/shop/Cart.luau",
    lines: { found: 7, hit: 4 },
    functions: { found: 4, hit: 2 },
  });
  expect(cart?.lines.details[2]).toEqual({ line: 4, hit: 12 });
  expect(cart?.functions.details).toEqual([
    { name: "total", line: 3, hit: 12 },
    { name: "(anonymous):6", line: 6, hit: 0 },
    { name: "get:9", line: 9, hit: 0 },
    { name: "get:11", line: 11, hit: 3 },
  ]);
  expect(others.map(({ file }) => file)).toEqual(["src/Never & <odd>.luau", "src/Whole.luau"]);
});

test("the JSON is a coverage map of Istanbul with the same sums", () => {
  const map = createCoverageMap(JSON.parse(textOf("json")));
  expect(map.files()).toHaveLength(3);
  expect(map.getCoverageSummary().toJSON()).toMatchObject({
    lines: { total: 9, covered: 5 },
    functions: { total: 5, covered: 3 },
  });
  const cart = map.fileCoverageFor("/project/src/shop/Cart.luau");
  expect(cart.getUncoveredLines().map(Number)).toEqual([6, 9, 12]);
});

/** Of coverage-04.dtd: the attributes that an element must have, and the elements in it, in their order. */
const DTD: Readonly<Record<string, { readonly attributes: readonly string[]; readonly children: RegExp }>> = {
  coverage: {
    attributes: [
      "line-rate",
      "branch-rate",
      "lines-covered",
      "lines-valid",
      "branches-covered",
      "branches-valid",
      "complexity",
      "version",
      "timestamp",
    ],
    children: /^(sources )?packages $/,
  },
  sources: { attributes: [], children: /^(source )*$/ },
  source: { attributes: [], children: /^$/ },
  packages: { attributes: [], children: /^(package )*$/ },
  package: { attributes: ["name", "line-rate", "branch-rate", "complexity"], children: /^classes $/ },
  classes: { attributes: [], children: /^(class )*$/ },
  class: {
    attributes: ["name", "filename", "line-rate", "branch-rate", "complexity"],
    children: /^methods lines $/,
  },
  methods: { attributes: [], children: /^(method )*$/ },
  method: {
    attributes: ["name", "signature", "line-rate", "branch-rate", "complexity"],
    children: /^lines $/,
  },
  lines: { attributes: [], children: /^(line )*$/ },
  line: { attributes: ["number", "hits"], children: /^(conditions )*$/ },
};

test("Cobertura keeps to its DTD", () => {
  const elements: XmlElement[] = [];
  parseXml(textOf("cobertura").replace(/<!DOCTYPE[^>]*>/, ""), {
    take: () => undefined,
    begin: (element) => void elements.push(element),
    end: () => true,
  });
  for (const element of elements) {
    const rule = DTD[element.name];
    expect(rule === undefined ? `unknown ${element.name}` : "").toBe("");
    expect([...element.attributes.keys()].sort()).toEqual([...(rule?.attributes ?? [])].sort());
    const children = element.children.map(({ name }) => `${name} `).join("");
    expect(children).toMatch(rule?.children ?? /$^/);
  }
  const [root] = elements;
  expect(root?.attributes.get("line-rate")).toBe("0.5556");
  expect(
    elements.filter(({ name }) => name === "class").map(({ attributes }) => attributes.get("filename")),
  ).toEqual(["src/shop/Cart.luau", "src/Never & <odd>.luau", "src/Whole.luau"]);
});
