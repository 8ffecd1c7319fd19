/** The clock by which code waits. Tests pass a clock that does not wait. */
export interface Clock {
  /** Milliseconds since any moment; the number never goes back. */
  now(): number;
  /** Throws the reason of `signal` if it is aborted before the time is over. */
  sleepAsync(milliseconds: number, signal: AbortSignal): Promise<void>;
}

export const realClock: Clock = {
  now: () => performance.now(),
  sleepAsync: (milliseconds, signal) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    if (signal.aborted) reject(signal.reason);
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", stop);
      resolve();
    }, milliseconds);
    signal.addEventListener("abort", stop, { once: true });
    return promise;
  },
};
