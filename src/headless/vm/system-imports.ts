/**
 * The system functions that the C library inside of the VM needs: clocks, calendars, standard output. They have nothing to do with
 * Luau.
 */
import { decodeUtf8, type LuauMemory } from "./memory.ts";

const ERRNO = { success: 0, notSupported: 52, illegalSeek: 70 } as const;
const REALTIME = 0;
const SECONDS_PER_DAY = 86_400;

/** The clocks that the C library sees. */
export interface Clock {
  /** Milliseconds since any moment. */
  elapsedMs(): number;
  epochMs(): number;
}

export const systemClock: Clock = { elapsedMs: () => performance.now(), epochMs: () => Date.now() };

/** A clock of elapsed time that can be set back, so that a VM which returns to an earlier state sees no gap. */
export class RewindableClock implements Clock {
  readonly #base: Clock;
  #behindMs = 0;

  constructor(base: Clock) {
    this.#base = base;
  }

  elapsedMs(): number {
    return this.#base.elapsedMs() - this.#behindMs;
  }

  epochMs(): number {
    return this.#base.epochMs();
  }

  setBackTo(elapsedMs: number): void {
    this.#behindMs += this.elapsedMs() - elapsedMs;
  }
}

export function wasiImports(memory: LuauMemory, time: Clock, onPrint: (text: string) => void) {
  return {
    fd_close: () => ERRNO.notSupported,
    fd_seek: () => ERRNO.illegalSeek,
    clock_time_get: (clock: number, _precision: bigint, resultAt: number) => {
      const nowMs = clock === REALTIME ? time.epochMs() : time.elapsedMs();
      memory.view.setBigInt64(resultAt, BigInt(Math.round(nowMs * 1e6)), true);
      return ERRNO.success;
    },
    fd_write: (_fd: number, vectorsAt: number, count: number, writtenAt: number) => {
      let text = "";
      let written = 0;
      for (let at = vectorsAt; at < vectorsAt + count * 8; at += 8) {
        const start = memory.readU32(at);
        const length = memory.readU32(at + 4);
        text += decodeUtf8(memory.bytes.slice(start, start + length));
        written += length;
      }
      memory.writeU32(writtenAt, written);
      onPrint(text);
      return ERRNO.success;
    },
  };
}

export function calendarImports(memory: LuauMemory, time: Clock) {
  return {
    emscripten_get_now: () => time.elapsedMs(),
    emscripten_date_now: () => time.epochMs(),
    _tzset_js: () => {},
    _gmtime_js: (seconds: bigint, resultAt: number) => writeCalendar(memory, Number(seconds), 0, resultAt),
    _localtime_js: (seconds: bigint, resultAt: number) => {
      const offsetSeconds = -new Date(Number(seconds) * 1000).getTimezoneOffset() * 60;
      writeCalendar(memory, Number(seconds), offsetSeconds, resultAt);
    },
  };
}

/** A C `struct tm` without daylight saving information. */
function writeCalendar(memory: LuauMemory, seconds: number, offsetSeconds: number, at: number): void {
  const date = new Date((seconds + offsetSeconds) * 1000);
  const newYearSeconds = Date.UTC(date.getUTCFullYear(), 0, 1) / 1000;
  const fields = [
    date.getUTCSeconds(),
    date.getUTCMinutes(),
    date.getUTCHours(),
    date.getUTCDate(),
    date.getUTCMonth(),
    date.getUTCFullYear() - 1900,
    date.getUTCDay(),
    Math.floor((seconds + offsetSeconds - newYearSeconds) / SECONDS_PER_DAY),
    0,
    offsetSeconds,
  ];
  fields.forEach((field, index) => memory.view.setInt32(at + index * 4, field, true));
}
