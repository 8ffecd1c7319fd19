/**
 * install.ps1, as far as it can be judged without PowerShell: its grammar, and what it shares with install.sh. It has never
 * been run; docs/install.md says so.
 */
import { beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { Language, Parser } from "web-tree-sitter";
import type { Node } from "web-tree-sitter";

const root = join(import.meta.dir, "..", "..");
const grammar = join(root, "node_modules", "tree-sitter-powershell", "tree-sitter-powershell.wasm");
const text = await Bun.file(join(root, "scripts", "release", "install.ps1")).text();
let parser: Parser;

beforeAll(async () => {
  await Parser.init();
  parser = new Parser();
  parser.setLanguage(await Language.load(grammar));
});

function parse(script: string): Node {
  const tree = parser.parse(script);
  if (tree === null) throw new Error("the parser gave no tree");
  return tree.rootNode;
}

test("it parses, and a copy that was cut off in a function does not", () => {
  expect(parse(text).hasError).toBe(false);
  expect(parse(text.slice(0, text.indexOf("Move-IntoPlace"))).hasError).toBe(true);
});

test("nothing runs before the last line, so that a download that was cut off does nothing", () => {
  const statements = parse(text).descendantsOfType("statement_list")[0]?.namedChildren ?? [];
  const kinds = statements.flatMap((node) => (node === null || node.type === "comment" ? [] : [node.type]));
  const others = kinds.filter((kind) => kind !== "function_statement");
  expect(kinds.length).toBeGreaterThan(5);
  // The home, which is an assignment, and the call.
  expect(others).toEqual(["pipeline", "pipeline"]);
  expect(text.trimEnd().split("\n").at(-1)).toBe("Start-Installer");
});
