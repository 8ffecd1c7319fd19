/** Where the data stores of a headless Studio keep what scripts save, as every flag takes it. */
import { defineSchema } from "../../protocol/schema.ts";

export const dataSchema = defineSchema((z) => z.string().min(1, "expected memory or a folder"));

export const DATA_LABEL = "memory|FOLDER";

/** What a flag says about itself. */
export const DATA_TEXT =
  "let scripts use data stores, which last until Studio ends (memory) or are kept in a folder";
