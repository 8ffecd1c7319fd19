/** A TCP port, as every flag and argument takes it. */
import { defineSchema } from "./schema.ts";

const sentence = "expected a port from 1 to 65535";
export const portSchema = defineSchema((z) => z.int(sentence).min(1, sentence).max(65_535, sentence));
