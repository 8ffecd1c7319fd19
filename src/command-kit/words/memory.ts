/** How many megabytes the scripts of a headless Studio may use, as every flag takes it. */
import { defineSchema } from "../../protocol/schema.ts";

const [MIN_MB, MAX_MB] = [64, 1_600];
const sentence = `expected a number of megabytes from ${MIN_MB} to ${MAX_MB}`;
export const memorySchema = defineSchema((z) => z.int(sentence).min(MIN_MB, sentence).max(MAX_MB, sentence));

/** What a flag says about itself. */
export const MEMORY_TEXT = "megabytes for the scripts of each DataModel (default: 512)";
