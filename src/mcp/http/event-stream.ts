/** Server-sent events: one JSON-RPC message each, and comments, so that no reader takes silence for the end. */

const KEEP_ALIVE_MS = 15_000;

/** Bun sends the headers with the first bytes of the body, and a client waits for them before it reads. */
const OPENING = new TextEncoder().encode(":\n\n");

export interface EventStream {
  readonly response: Response;
  send(message: unknown): void;
  close(): void;
}

/** `onGone` is called once when the reader has left. */
export function openEventStream(
  onGone: () => void,
  headers: { readonly [name: string]: string } = {},
): EventStream {
  const encoder = new TextEncoder();
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  const write = (text: string) => controller?.enqueue(encoder.encode(text));
  const timer = setInterval(() => write(":\n\n"), KEEP_ALIVE_MS);
  const stop = () => {
    clearInterval(timer);
    controller = undefined;
  };
  const body = new ReadableStream<Uint8Array>({
    start: (opened) => {
      controller = opened;
      opened.enqueue(OPENING);
    },
    cancel: () => {
      stop();
      onGone();
    },
  });
  return {
    response: new Response(body, {
      headers: {
        "Content-Type": "text/event-stream",
        "Cache-Control": "no-store",
        "X-Accel-Buffering": "no",
        ...headers,
      },
    }),
    send: (message) => void write(`event: message\ndata: ${JSON.stringify(message)}\n\n`),
    close: () => {
      const open = controller;
      stop();
      open?.close();
    },
  };
}

/** The same stream, whose headers leave at once. Anything but a stream of events is given back as it is. */
export function withOpeningComment(response: Response): Response {
  const { body, status, headers } = response;
  if (body === null || headers.get("content-type") !== "text/event-stream") return response;
  const start = (controller: TransformStreamDefaultController<Uint8Array>) => controller.enqueue(OPENING);
  return new Response(body.pipeThrough(new TransformStream({ start })), { status, headers });
}
