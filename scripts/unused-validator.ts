/**
 * Leaves Ajv out of the binary. The MCP SDK imports it for the validator that it makes where it is given none, and
 * `src/mcp/sdk/sdk-server.ts` gives it one. Ajv and the packages that it needs would be 0.6 MB of the binary.
 */
import type { BunPlugin } from "bun";

const NAME = "unused-validator";

const contents = `
export class AjvJsonSchemaValidator {
  constructor() {
    throw new Error("Ajv is not in this binary; give the SDK a validator.");
  }
}`;

export const unusedValidator: BunPlugin = {
  name: NAME,
  setup(build) {
    build.onResolve({ filter: /\/validation\/ajv-provider\.js$/ }, () => ({ path: NAME, namespace: NAME }));
    build.onLoad({ filter: /.*/, namespace: NAME }, () => ({ contents, loader: "js" }));
  },
};
