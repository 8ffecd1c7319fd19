/** The framework that discovery chooses for a file. */
import { describe, expect, test } from "bun:test";
import { frameworkOf } from "../../../../src/testing/discovery/framework.ts";

const empty = { hasTestEz: false, jestProjects: new Set<string>() };
const nameOf = (source: string, facts = empty, names?: readonly string[]) =>
  frameworkOf(source, names, facts).framework;

describe("the framework of a file", () => {
  test("is Jest where JestGlobals is required, but not where a comment names it", () => {
    expect(nameOf('local J = require(Packages.JestGlobals)\nJ.it("x", f)')).toBe("jest");
    expect(nameOf('local J = require("@pkg/jest-globals")')).toBe("jest");
    expect(nameOf("-- like JestGlobals\n--[[ JestGlobals ]]\nreturn function() end")).toBe("built-in");
  });

  test("is Jest below a jest.config, and only there", () => {
    const facts = { ...empty, jestProjects: new Set(["ReplicatedStorage\0Specs"]) };
    const source = 'local J = require(script.Parent.Globals)\nJ.it("x", f)';
    expect(nameOf(source, facts, ["ReplicatedStorage", "Specs", "Deep", "a.spec"])).toBe("jest");
    expect(nameOf(source, facts, ["ReplicatedStorage", "Other", "a.spec"])).toBe("script");
  });

  test("is frktest, @std/test or tiniest where the file requires it, and tiniest where its function takes it", () => {
    expect(nameOf('local frktest = require("@pkg/frktest")\nreturn function() end')).toBe("frktest");
    expect(nameOf('local test = require("@std/test")\ntest.case("a", f)')).toBe("std-test");
    expect(nameOf("local tiniest = require(Packages.tiniest)\nreturn function() end")).toBe("tiniest");
    expect(nameOf("return function(tiniest)\nend")).toBe("tiniest");
    expect(nameOf("return function(t)\nend")).toBe("built-in");
  });

  test("is TestEZ for a function where the place has TestEZ, else the built-in one", () => {
    const source = "local x = 1\nreturn function()\n  it('x', function() end)\nend\n";
    expect(nameOf(source, { ...empty, hasTestEz: true })).toBe("testez");
    expect(nameOf(source)).toBe("built-in");
  });

  test("is functions for a table, even if a variable holds it", () => {
    expect(nameOf("return { a = function() end }")).toBe("functions");
    expect(nameOf("local tests: Tests = {}\nfunction tests.a() end\nreturn tests\n")).toBe("functions");
    expect(nameOf("local tests = {}\nreturn table.freeze(tests)")).toBe("functions");
  });

  test("is that of the function or the table which the file ends with, if no line begins with return", () => {
    expect(nameOf("local M = require(x) return { a = function() return {} end }")).toBe("functions");
    expect(nameOf("local x = '}' return function() if x then it('end', f) end end;\n")).toBe("built-in");
    expect(nameOf("do\n  return {\n    a = f,\n  }\nend")).toBe("script");
    expect(nameOf("local function f() return function() end end print(f())")).toBe("script");
    expect(nameOf("local function f() return function() end end")).toBe("script");
  });

  test("is built-in for a function, even if a variable holds it", () => {
    expect(nameOf("local function spec()\n  it('x', f)\nend\nreturn spec\n")).toBe("built-in");
    expect(nameOf("local spec: Spec = function()\nend\n\nreturn spec")).toBe("built-in");
  });

  test("is decided by the value where the file returns what it requires", () => {
    const required = (source: string, hasTestEz = false) =>
      frameworkOf(source, undefined, { ...empty, hasTestEz });
    expect(required("return require(script.Parent.Shared)")).toEqual({
      framework: "built-in",
      why: "it returns what it requires",
      returnsRequired: true,
    });
    expect(required('local tests = require("./Shared") :: any\nreturn tests\n', true)).toMatchObject({
      framework: "testez",
      returnsRequired: true,
    });
    expect(required("local x = require(a)\nreturn { a = function() end }").returnsRequired).toBeUndefined();
    expect(nameOf("local function f()\n  return require(a)\nend\nf()")).toBe("script");
  });

  test("is a script for anything else", () => {
    expect(nameOf("assert(1 + 1 == 2)")).toBe("script");
    expect(nameOf("local function f() return {} end\nprint(f())")).toBe("script");
  });
});
