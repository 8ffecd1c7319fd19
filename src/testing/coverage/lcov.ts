/** Coverage as LCOV, which editors, Codecov and Coveralls read. */
import { visibleOnOneLine } from "../../util/visible-controls.ts";
import { type FileCoverage, functionNames, totalsOf } from "./file-coverage.ts";

export function lcovText(files: readonly FileCoverage[]): string {
  return files.map(recordOf).join("");
}

function recordOf(file: FileCoverage): string {
  const names = functionNames(file.functions);
  const { lines, functions } = totalsOf([file]);
  const records = [
    "TN:",
    `SF:${visibleOnOneLine(file.path)}`,
    ...file.functions.map(({ line }, index) => `FN:${line},${names[index]}`),
    ...file.functions.map(({ hits }, index) => `FNDA:${hits},${names[index]}`),
    `FNF:${functions.total}`,
    `FNH:${functions.covered}`,
    ...file.lines.map(([line, hits]) => `DA:${line},${hits}`),
    `LF:${lines.total}`,
    `LH:${lines.covered}`,
    "end_of_record",
  ];
  return `${records.join("\n")}\n`;
}
