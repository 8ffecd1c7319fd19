/** Where the data stores of a headless Studio keep what scripts save, as every flag takes it. */
import { defineSchema } from "../../protocol/schema.ts";

export const dataSchema = defineSchema((z) => z.literal("memory", "expected memory"));

/** What a flag says about itself. */
export const DATA_TEXT = "let scripts use data stores and memory stores; memory: kept until Studio ends";
