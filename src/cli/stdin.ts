/** Reads piped input: no more of it than the caller can use, and only while the caller waits for it. */

/** Up to `limitBytes` and a little more, which shows that there was more. Throws the signal's reason. */
export async function readStdinAsync(limitBytes: number, signal: AbortSignal): Promise<Uint8Array> {
  signal.throwIfAborted();
  const reader = Bun.stdin.stream().getReader();
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason);
  signal.addEventListener("abort", abort, { once: true });
  const parts: Uint8Array[] = [];
  let sizeBytes = 0;
  try {
    while (sizeBytes <= limitBytes) {
      const { done, value } = await Promise.race([reader.read(), aborted]);
      if (done) break;
      parts.push(value);
      sizeBytes += value.byteLength;
    }
    return Buffer.concat(parts);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}
