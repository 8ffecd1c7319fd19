/**
 * How zod parses in this process. It can compile a parser per schema, which costs 1 to 5 ms each and pays off after
 * some hundred messages: not in a command that asks once, but in a process that stays.
 */
import * as z from "zod";

z.config({ jitless: true });

/** For processes that stay; holds for schemas made from now on, and those of messages are made on first use. */
export function compileParsers(): void {
  z.config({ jitless: false });
}
