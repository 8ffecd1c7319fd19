/** What the person at Studio has not allowed, and may allow later. */
import type { StudioBridgeError } from "../protocol/errors.ts";

const CODES: ReadonlySet<string> = new Set(["DENIED", "UNANSWERED", "PAUSED"]);

export const isHeldBack = ({ code }: StudioBridgeError): boolean => CODES.has(code);
