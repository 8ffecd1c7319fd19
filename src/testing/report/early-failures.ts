/**
 * Failures of files that still run. The report of a file appears when the file ends. Of a long file, the first failures are also told in
 * two lines each while it runs, so that a person can begin to fix them.
 */
import type { Style } from "../../util/style.ts";
import { fit } from "../../util/text-width.ts";
import { visibleOnOneLine } from "../../util/visible-controls.ts";
import type { CaseEnd, TestEvent } from "../events.ts";
import { flow } from "./layout.ts";
import { runOfFile } from "./tally.ts";
import { headline, positionOf, titled } from "./text-failure.ts";

/** A file that ends within this time after the failure shows the failure only in its report. */
const PATIENCE_MS = 1000;
/** Further failures wait for the report of their file. */
const MAX_SHOWN = 10;

interface Waiting {
  readonly file: string;
  readonly sinceMs: number;
  readonly end: CaseEnd;
}

export class EarlyFailures {
  #retries = 0;
  #shown = 0;
  #waiting: readonly Waiting[] = [];

  /** `nowMs` counts from any moment, the same as in `due`. */
  add(event: TestEvent, nowMs: number): void {
    if (event.type === "run") this.#retries = event.retries ?? 0;
    if (event.type === "file-end") {
      const file = runOfFile(event);
      this.#waiting = this.#waiting.filter((waiting) => waiting.file !== file);
    }
    // A case that is tried again may still pass.
    if (event.type !== "case-end" || event.status !== "failed" || event.try <= this.#retries) return;
    const waiting = { file: runOfFile(event), sinceMs: nowMs, end: event };
    this.#waiting = [...this.#waiting, waiting];
  }

  /** The failures that are to be shown now. Each one is returned once. */
  due(nowMs: number): readonly CaseEnd[] {
    const due = this.#waiting.filter(({ sinceMs }) => nowMs - sinceMs >= PATIENCE_MS);
    this.#waiting = this.#waiting.filter((waiting) => !due.includes(waiting));
    const shown = due.slice(0, MAX_SHOWN - this.#shown);
    this.#shown += shown.length;
    return shown.map(({ end }) => end);
  }
}

/** The position, the names of the case, and the first line of the message. */
export function earlyFailureText(end: CaseEnd, style: Style): string {
  const { path, line } = positionOf(end);
  const indent = "     ";
  const parts = [
    ` ${style.red("✗")} ${visibleOnOneLine(`${path}:${line}`)}`,
    visibleOnOneLine(titled(end.names.join(" › "), end)),
    style.dim("(its file still runs)"),
  ];
  const message = fit(visibleOnOneLine(headline(end)), style.columns - indent.length);
  return `${flow(parts, style.columns, indent)}\n${indent}${message}`;
}
