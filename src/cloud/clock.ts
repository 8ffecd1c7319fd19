/** The time, as waiting code sees it; tests give one that does not wait. */
export interface Clock {
  /** Milliseconds that only grow. */
  now(): number;
  /** Throws the reason of `signal` when it fires first. */
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
