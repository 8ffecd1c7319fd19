/** The golden wire files: one frame each, which TypeScript and Luau both decode and encode again. */
import { encode, messageSchemas } from "../../src/protocol/codec.ts";
import { messageExamples } from "../../src/protocol/examples.ts";
import { valueExamples } from "../../src/protocol/examples/values.ts";

export const GOLDEN_DIR = "test/golden/wire";

export function goldenFiles(): [path: string, text: string][] {
  const missing = [...messageSchemas().keys()].filter(
    (type) => !messageExamples.some((example) => example.type === type),
  );
  if (missing.length > 0) throw new Error(`no example for: ${missing.join(", ")} (src/protocol/examples/)`);
  const frames = messageExamples.map(({ type, variant, sessionId = "", ...rest }): [string, string] => [
    `${GOLDEN_DIR}/${variant === undefined ? type : `${type}.${variant}`}.json`,
    `${encode({ type, sessionId, ...rest })}\n`,
  ]);
  return [...frames, [`${GOLDEN_DIR}/values.json`, `${JSON.stringify(valueExamples)}\n`]];
}
