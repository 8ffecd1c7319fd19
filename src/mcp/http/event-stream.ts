/** Server-sent events: one JSON-RPC message each, and a comment now and then so that nobody takes silence for the end. */

const KEEP_ALIVE_MS = 15_000;

export interface EventStream {
  readonly response: Response;
  send(message: unknown): void;
  close(): void;
}

/** `onGone` is told once that the reader has left. */
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
      // The headers leave with the first bytes.
      write(":\n\n");
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
