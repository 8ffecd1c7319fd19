/** Coverage as Cobertura XML, which GitLab, Azure and Jenkins read: a package for each folder, a class for each file. */
import { posix } from "node:path";
import { xmlAttribute, xmlContent } from "../report/xml.ts";
import { type FileCoverage, functionNames, percentOf, type Share, totalsOf } from "./file-coverage.ts";

/** `folder` is the project's, from which the paths start; `atMs` is the time of the run since the epoch. */
export function coberturaText(files: readonly FileCoverage[], folder: string, atMs: number): string {
  const { lines } = totalsOf(files);
  const folders = Map.groupBy(files, ({ path }) => posix.dirname(path));
  return `${[
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<!DOCTYPE coverage SYSTEM "http://cobertura.sourceforge.net/xml/coverage-04.dtd">',
    `<coverage ${ratesOf(lines)} lines-covered="${lines.covered}" lines-valid="${lines.total}" branches-covered="0" branches-valid="0" complexity="0" version="sb" timestamp="${Math.round(atMs)}">`,
    `  <sources><source>${xmlContent(folder)}</source></sources>`,
    "  <packages>",
    ...[...folders].flatMap(([name, inside]) => packageLines(name, inside)),
    "  </packages>",
    "</coverage>",
  ].join("\n")}\n`;
}

function packageLines(name: string, files: readonly FileCoverage[]): string[] {
  return [
    `    <package name="${xmlAttribute(name)}" ${ratesOf(totalsOf(files).lines)} complexity="0">`,
    "      <classes>",
    ...files.flatMap(classLines),
    "      </classes>",
    "    </package>",
  ];
}

function classLines(file: FileCoverage): string[] {
  const names = functionNames(file.functions);
  const name = posix.basename(file.path);
  return [
    `        <class name="${xmlAttribute(name)}" filename="${xmlAttribute(file.path)}" ${ratesOf(totalsOf([file]).lines)} complexity="0">`,
    "          <methods>",
    ...file.functions.flatMap(({ line, hits }, index) => [
      `            <method name="${xmlAttribute(names[index] ?? "")}" signature="" ${ratesOf({ covered: Math.min(hits, 1), total: 1 })} complexity="0">`,
      `              <lines><line number="${line}" hits="${hits}"/></lines>`,
      "            </method>",
    ]),
    "          </methods>",
    "          <lines>",
    ...file.lines.map(([line, hits]) => `            <line number="${line}" hits="${hits}"/>`),
    "          </lines>",
    "        </class>",
  ];
}

/** The rate of branches is always 0, because Luau does not count branches. */
const ratesOf = (share: Share): string =>
  `line-rate="${Number((percentOf(share) / 100).toFixed(4))}" branch-rate="0"`;
