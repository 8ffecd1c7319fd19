/**
 * As much of zod as schemas are written with. Only `schema.ts` loads this file, and only when zod is really needed: to
 * say what is wrong with a value, or to show a schema.
 */
import { config } from "zod";

export {
  array,
  boolean,
  custom,
  enum,
  int,
  iso,
  lazy,
  literal,
  number,
  object,
  preprocess,
  record,
  strictObject,
  string,
  toJSONSchema,
  tuple,
  union,
  unknown,
} from "zod";

// A compiled parser per schema pays off after some hundred messages, and messages are read without zod.
config({ jitless: true });
