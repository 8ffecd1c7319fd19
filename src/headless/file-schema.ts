/** The embedded class data, as readers and writers of files need it. */
import { openClassData } from "../roblox/class-data.ts";
import { FileSchema } from "../roblox/schema.ts";
import { loadClassText } from "./assets.ts";

/** Unpacks the class data at each call. */
export const loadFileSchema = (): FileSchema => new FileSchema(openClassData(loadClassText()));
