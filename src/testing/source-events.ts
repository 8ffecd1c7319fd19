/** Gives the events of a run the lines of TypeScript and other sources, where a source map knows them. */
import type { CompiledSources } from "../source-maps/compiled-sources.ts";
import type { Failure, Frame, Report, TestEvent } from "./events.ts";

/** A file and a line in a text, such as `out/cart.luau:48`. */
const POSITION = /([^\s:()"'`]+\.luau?):([1-9]\d*)/g;

export const withSources =
  (sources: CompiledSources, report: Report): Report =>
  (event) =>
    report(sourcedEvent(event, sources));

function sourcedEvent(event: TestEvent, sources: CompiledSources): TestEvent {
  switch (event.type) {
    case "file-start": {
      const source = sources.mappedSourceOf(event.file);
      return source === undefined ? event : { ...event, source };
    }
    case "case-start":
      return withSource(event, sources);
    case "case-end":
      return event.failure === undefined
        ? withSource(event, sources)
        : {
            ...withSource(event, sources, sources.noteShown(event.file)),
            failure: sourcedFailure(event.failure, sources),
          };
    case "late-error":
      return { ...event, failure: sourcedFailure(event.failure, sources) };
    default:
      return event;
  }
}

/** `unmapped` is the source of a file without a source map. */
function withSource<Event extends { readonly file: string; readonly line?: number | undefined }>(
  event: Event,
  sources: CompiledSources,
  unmapped?: string,
): Event {
  const position = event.line === undefined ? undefined : sources.positionOf(event.file, event.line);
  const path = position?.path ?? sources.mappedSourceOf(event.file) ?? unmapped;
  if (path === undefined) return event;
  return { ...event, source: { path, ...(position === undefined ? {} : { line: position.line }) } };
}

function sourcedFailure(failure: Failure, sources: CompiledSources): Failure {
  const inText = (text: string): string =>
    text.replaceAll(POSITION, (whole, path: string, line: string) => {
      const source = sources.positionOf(path, Number(line));
      return source === undefined ? whole : `${source.path}:${source.line}`;
    });
  return {
    ...failure,
    message: inText(failure.message),
    frames: failure.frames.map((frame) => sourcedFrame(frame, sources)),
    ...(failure.waitsIn === undefined ? {} : { waitsIn: inText(failure.waitsIn) }),
  };
}

function sourcedFrame(frame: Frame, sources: CompiledSources): Frame {
  const { path, line } = frame;
  const source = sources.positionOf(path, line);
  sources.noteShown(path);
  return source === undefined ? frame : { ...frame, ...source, compiled: { path, line } };
}
