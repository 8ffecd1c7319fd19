import { expect, test } from "bun:test";
import { requiredPaths } from "../../../src/check/required-paths.ts";

const read = (source: string) =>
  requiredPaths(source).map(({ path, line, column }) => {
    const text = typeof path === "string" ? path : [path.base, ...path.names].join("/");
    return `${line}:${column} ${text}`;
  });

test.each<[string, readonly string[]]>([
  ["require(script.Parent.Cart)", ["1:1 script/Parent/Cart"]],
  ['local x = require("./Cart")', ["1:11 ./Cart"]],
  ['require "./Cart"', ["1:1 ./Cart"]],
  ["require([[@self/x]])", ["1:1 @self/x"]],
  ['require(game:GetService("Players").Thing:WaitForChild("X", 5))', ["1:1 game/Players/Thing/X"]],
  ['require(game.ReplicatedStorage["My Module"])', ["1:1 game/ReplicatedStorage/My Module"]],
  ["require(workspace.A)", ["1:1 game/Workspace/A"]],
  ['local RS = game:GetService("RS")\nlocal A = RS.A\n\nrequire(A.B)', ["4:1 game/RS/A/B"]],
])("%j is read", (source, paths) => {
  expect(read(source)).toEqual([...paths]);
});

test.each([
  "-- require(script.A)",
  "--[[\nrequire(script.A)\n]]",
  'print("require(script.A)")',
  "self.require(script.A)",
  'require(script:FindFirstChild("A"))',
  "require(script.A[name])",
  "require(find(script.A))",
  "require(unknown.A)",
  "local A = script.A\nA = script.B\nrequire(A.C)",
  "local A = script.A or script.B\nrequire(A.C)",
  "local A = script.A\nlocal function load(A)\n\treturn require(A.C)\nend",
  "local A = script.A\nfor _, A in list do\n\trequire(A.C)\nend",
  "local A = script.A\nlocal A, B = f()\nrequire(A.C)",
  'require("a" .. b)',
])("%j may lead anywhere, and is left out", (source) => {
  expect(read(source)).toEqual([]);
});
